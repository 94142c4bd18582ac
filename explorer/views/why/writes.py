"""Who writes the answer: its logit as a sum of what every part of the network has written."""

from itertools import accumulate
from typing import Any

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, format_with
from explorer.views import kit
from explorer.views.types import Contrast, DirectLogits, LanguageModel, go
from explorer.views.why import examples, fixes, part_list, prompts
from explorer.views.why.part_list import part_name, read_part
from explorer.views.why.patch_run import id_of
from explorer.views.why.prompts import answer_word, surface
from explorer.views.why.settings import ALONE, MODEL, PART

HEIGHT = 360
VISIBLE = 1e-3  # a rest that is no rounding


def controls(page: kit.OpenPage[None]) -> None:
    """Whether the answer's lead over the other one is split, or its logit alone."""
    fixes.offer(page)
    pair = prompts.contrast_of(page.model, page.settings, "logits")
    answer, instead = (answer_word(pair, which) for which in (0, 1))
    choices = {
        False: _("“{answer}” over “{instead}”", answer=answer, instead=instead),
        True: _("“{answer}” alone", answer=answer),
    }
    kit.segments(page.settings, ALONE, _("What is split into parts"), choices, width="content")


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The waterfall by layer, and the strongest parts beside it."""
    settings, model = page.settings, page.model
    pair = prompts.contrast_of(model, settings, "logits")
    result = split(model, id_of(pair), pair, settings[ALONE])
    values = part_list.parts(result.heads, result.mlp)
    layers, heads = result.heads.shape
    chosen = read_part(settings[PART], layers, heads) or part_list.strongest(values)[0]
    prompts.notes(pair)
    prompts.line(pair)
    left, right = st.columns([64, 36], gap="large")
    with left:
        lead = _("lead of “{word}”", word=answer_word(pair, 0)) if kit.for_class() else ""
        kit.chart(figure(result, kit.palette(), lead), "why-waterfall", least=480)
        if not lead:
            st.html(f'<p class="rb-how">{in_words(pair, result)}</p>')
    with right:
        heading = (
            _("The parts that write most, of the lead") if lead else _("The parts that write most, in logits")
        )
        whole = result.logit if lead else None
        part_list.draw(settings, values, heads, chosen, "why/writers", heading, whole)
        token = (result.position, surface(pair.first, result.position))
        part_list.links(settings, model, chosen, pair.first.text, token)
    return [
        kit.Picture("picture", f"who-writes-the-answer-{settings[MODEL]}"),
        kit.Export(N_("Parts"), "direct-logits.csv", lambda: parts_csv(result)),
    ]


@kit.kept(32)
def split(model: "LanguageModel", request: Any, _pair: "Contrast", alone: bool) -> "DirectLogits":
    """The parts of the answer's logit after the first prompt, split once for all visitors."""
    return analysis.patching.direct_logits_of(model, _pair, alone)


def steps(result: "DirectLogits") -> dict[str, float]:
    """The parts in the order in which they are written: the embedding as 0, the layers, then the others."""
    layers = {str(n): value for n, value in enumerate(result.by_layer().tolist(), 1)}
    parts = {"0": result.embedding} | layers
    parts |= {_("norms"): result.constant} if abs(result.constant) > VISIBLE else {}
    return parts | ({_("rest"): result.rest} if abs(result.rest) > VISIBLE else {})


def figure(result: "DirectLogits", palette: kit.Palette, lead: str = "") -> "go.Figure":
    """A waterfall: each bar begins where the one before it ends, and the last is the logit.

    It has no unit where it is called a `lead`.
    """
    values = steps(result)
    last = _("sum") if lead else "logit"
    less, __, more = palette.difference
    fig = kit.blank()
    kit.look(fig, palette, HEIGHT, margin={"l": 52, "r": 12, "t": 16, "b": 52})
    kit.axes(fig, palette, zeroline=True, zerolinecolor=palette.quiet)
    fig.add_waterfall(
        x=[*values, last],
        y=[*values.values(), 0],
        measure=[*["relative"] * len(values), "total"],
        increasing={"marker": {"color": more}},
        decreasing={"marker": {"color": less}},
        totals={"marker": {"color": palette.quiet}},
        connector={"line": {"color": palette.hairline, "width": 1}},
        hovertemplate="%{x}: <b>%{delta:+.3f}</b><extra></extra>",
    )
    layers = len(result.mlp)
    if lead:  # the greatest step is outlined
        ends = [0.0, *accumulate(values.values())]
        great = max(range(1, layers + 1), key=lambda n: abs(ends[n + 1] - ends[n]))
        line = {"color": palette.accent, "width": 4}
        x0, x1, y0, y1 = great - 0.5, great + 0.5, ends[great], ends[great + 1]
        fig.add_shape(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, line=line)
    ticks = ["0", *map(str, range(3, layers - 1, 3)), *list(values)[layers + 1 :], last]
    fig.update_xaxes(type="category", tickvals=ticks, tickangle=0, title_text=_("layer (0 is the embedding)"))
    fig.update_yaxes(title_text=lead or _("logits"), showticklabels=not lead)
    return fig


def in_words(pair: "Contrast", result: "DirectLogits") -> str:
    """The sum beside the logit, and how far apart they are, as HTML."""
    answer, instead = (kit.quoted(_("“{word}”", word=answer_word(pair, which))) for which in (0, 1))
    values = {"total": float(result.parts.double().sum()), "logit": result.logit, "rest": result.rest}
    numbers = {name: format_with(value, ".3f") for name, value in values.items()}
    rest = numbers.pop("rest")
    if result.instead is None:
        says = _("The parts add up to {total}. The logit of {answer} is {logit}.", answer=answer, **numbers)
    else:
        says = _(
            "The parts add up to {total}. The logit of {answer} minus that of {instead} is {logit}.",
            answer=answer,
            instead=instead,
            **numbers,
        )
    if abs(result.rest) <= VISIBLE:
        return says
    more = _("The rest, {rest}, is what the head, which is not linear, makes of all together.", rest=rest)
    return f"{says} {more}"


def parts_csv(result: "DirectLogits") -> str:
    """All parts as a table."""
    heads = result.heads.shape[1]
    rows = [["embedding", result.embedding]]
    rows += [
        [part_name(part, heads), value] for part, value in part_list.parts(result.heads, result.mlp).items()
    ]
    rows += [[f"L{n} bias", value] for n, value in enumerate(result.biases.tolist(), 1)]
    return kit.table(["part", "logits"], [*rows, ["norms", result.constant], ["rest", result.rest]])


VIEW = kit.View(
    text=kit.view_text("why", "writes"),
    settings=(PART, ALONE),
    boxes=prompts.ask,
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        examples.parts_of_logit,
        model=kit.Load(page.settings[MODEL]),
        **prompts.texts(page.settings),
        alone=page.settings[ALONE],
    ),
    needs=("FILL", "GENERATE"),
    model=kit.WRITER,
    stage=prompts.STAGE,
)
