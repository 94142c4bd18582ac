"""Examples in the prompt: how probable the right answer becomes with every example of a task before it."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer import assets
from explorer.assets import read_once
from explorer.locale import N_, _, format_number, ngettext, translate
from explorer.views import kit
from explorer.views.continuations.examples import answers_after_examples
from explorer.views.continuations.second_model import choose_second
from explorer.views.continuations.settings import (
    MODEL,
    OWN_PAIRS,
    QUESTION_INDEX,
    SECOND_MODEL,
    SEED,
    SHOTS,
    TASK,
)
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.types import FewShot, LanguageModel, go
from explorer.views.widgets.chart_look import REACH_PX, axes, band, below, blank, look, pale, title
from explorer.views.widgets.curves import GLYPHS

if TYPE_CHECKING:
    from explorer.analysis.prediction.few_shot import Pair

HEIGHT = 400
MARGIN = {"l": 48, "r": 12, "t": 58, "b": 52}


def figure(results: "Mapping[str, FewShot]", shots: int, palette: Palette) -> "go.Figure":
    """The mean probability of the right answer by number of examples, with the middle half of the pairs.

    The first model's likeliest wrong token is a dotted line; an upright line marks the number of `shots`.
    """
    chart = blank(rows=1, cols=1)
    look(chart, palette, HEIGHT, margin=MARGIN, hoverdistance=REACH_PX)
    axes(chart, palette, range=[0, 1.02], tickformat=".0%")
    names = []
    for number, (name, result) in enumerate(results.items()):
        colour, probability = palette.senses[number], result.log_probability.exp()
        xs, (low, high) = (
            list(range(result.shots + 1)),
            (probability.quantile(q, 0).tolist() for q in (0.25, 0.75)),
        )
        band(chart, xs, list(zip(low, high, strict=True)), colour)
        chart.add_scatter(
            x=xs,
            y=probability.mean(0).tolist(),
            customdata=[[*ends] for ends in zip(low, high, strict=True)],
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={"symbol": SENSE_SHAPES[number], "size": 10, "color": colour},
            hovertemplate=_(
                "{model}, %{{x}} examples<br><b>%{{y:.3f}}</b>, middle half "
                "%{{customdata[0]:.3f}} to %{{customdata[1]:.3f}}",
                model=escape(name),
            )
            + "<extra></extra>",
        )
        names.append(f'<span style="color:{colour}">{GLYPHS[number]} {escape(name)}</span>')
    sample = f'<span style="color:{pale(palette.senses[0])}">█</span>'
    first = next(iter(results.values()))
    chart.add_scatter(
        x=list(range(first.shots + 1)),
        y=first.wrong.mean(0).tolist(),
        mode="lines",
        line={"color": palette.quiet, "width": 2, "dash": "dot"},
        hovertemplate=_("likeliest wrong first token, %{{x}} examples<br><b>%{{y:.3f}}</b>")
        + "<extra></extra>",
    )
    chart.add_vline(x=shots, line={"color": palette.accent, "width": 1})
    title(
        chart,
        f"{'  '.join(names)}  ┈ {_('likeliest wrong')}  {sample} {_('middle half')}<br>"
        f"{_('probability of the right answer')}",
        palette,
        yshift=8,
    )
    below(chart, _("examples in the prompt"), palette)
    chart.update_xaxes(tickvals=list(range(first.shots + 1)), range=[-0.3, first.shots + 0.3])
    return chart


OWN = "own"
LABELS = {
    "opposites": N_("Opposites"),
    "capitals": N_("Capitals"),
    "plural": N_("Plural"),
    "french": N_("English to French"),
    "feeling": N_("Feeling of a sentence"),
    "capital-letters": N_("Word in capitals"),
    "arithmetic": N_("Adding two numbers"),
    OWN: N_("My own pairs"),
}
BETWEEN = " ->"  # between question and answer of a visitor's own pairs
LOW_PX = 340  # height of the chart in presenter mode
MOST_PAIRS, MOST_SHOTS = 20, 8
MOST_RESULTS = 32
LISTED = 6  # candidates

_results: "kit.Kept[FewShot]" = kit.Kept(MOST_RESULTS)


@read_once
def tasks() -> dict[str, Any]:
    """Our tasks by name, each with its pairs and what stands between question and answer."""
    tasks: dict[str, Any] = assets.data(assets.TEXTS / "few_shot.json")
    return tasks


def controls(page: kit.OpenPage[None]) -> None:
    """Draw one row: the task, the number of examples, the pair to read, the seed, a second model."""
    settings = page.settings
    columns = st.columns([3, 3, 3, 2, 3], gap="medium")
    with columns[0]:
        kit.menu(settings, TASK, _("Task"), translate(LABELS))
    if settings[TASK] == OWN:
        kit.text_box(
            settings,
            OWN_PAIRS,
            _("Your pairs"),
            f"sun, day\nmoon, night\n{_('(one pair a line, or a pasted table)')}",
            lines=4,
        )
    pairs = chosen_pairs(settings)[0]
    settings.clamp(QUESTION_INDEX, 0, max(len(pairs) - 1, 0))
    with columns[1]:
        kit.slider(settings, SHOTS, _("Examples"), 0, MOST_SHOTS)
    if questions := {at: pair.question for at, pair in enumerate(pairs)}:
        with columns[2]:
            kit.menu(settings, QUESTION_INDEX, _("Read one"), questions)
    with columns[3]:
        kit.seed_box(settings, SEED, help=_("A different seed draws different examples for each question."))
    with columns[4]:
        choose_second(settings, SECOND_MODEL, "GENERATE")


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw the curve of the whole task; beside it one prompt with the candidates for its answer."""
    settings = page.settings
    pairs, between = chosen_pairs(settings)
    if not pairs:
        kit.instruction(
            _("Type or paste pairs, a question and its answer on each line: each becomes an example.")
        )
        return []
    models = [page.model, *([kit.picker.load(settings[SECOND_MODEL])] if settings[SECOND_MODEL] else [])]
    results = {
        kit.memory.short_label(str(model.checkpoint)): answers(model, pairs, between, settings[SEED])
        for model in models
    }
    result = next(iter(results.values()))
    shots = min(settings[SHOTS], result.shots)
    left, right = st.columns([56, 44], gap="large")
    with left:
        drawn = figure(results, shots, kit.palette())
        if kit.presenting():
            drawn.update_layout(height=LOW_PX)
        kit.chart(drawn, "continuations/few-shot")
        st.html(f'<p class="rb-how">{escape(sentence(results, shots))}</p>')
    with right:
        _one_pair(page, result, settings[QUESTION_INDEX], shots)
    if (cut := len(own_pairs(settings)) - len(pairs)) > 0:
        kit.note(
            _(
                "The first {count} pairs are read; {cut} more were left out.",
                count=MOST_PAIRS,
                cut=format_number(cut),
            )
        )
    return [
        kit.Picture("picture", "few-shot"),
        kit.Export(N_("All answers"), "few-shot.csv", lambda: answers_csv(results)),
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same probabilities from Python."""
    settings = page.settings
    pairs, between = chosen_pairs(settings)
    return kit.Example(
        answers_after_examples,
        model=kit.Load(settings[MODEL]),
        pairs=[tuple(pair) for pair in pairs],
        between=between,
        seed=settings[SEED],
    )


def own_pairs(settings: kit.Settings) -> "list[Pair]":
    """The visitor's pairs, if they are chosen. Raises TextError for a table without two columns."""
    from explorer.analysis.prediction.few_shot import read_pairs

    return read_pairs(settings[OWN_PAIRS]) if settings[TASK] == OWN else []


def chosen_pairs(settings: kit.Settings) -> "tuple[list[Pair], str]":
    """The pairs of the task, and what stands between question and answer."""
    from explorer.analysis.prediction.few_shot import Pair

    if settings[TASK] == OWN:
        return own_pairs(settings)[:MOST_PAIRS], BETWEEN
    task = tasks()[settings[TASK]]
    return [Pair(*pair) for pair in task["pairs"]], task["between"]


def answers(model: "LanguageModel", pairs: "list[Pair]", between: str, seed: int) -> "FewShot":
    """A model's answers, computed once for all visitors, with a progress bar."""
    from explorer.analysis.prediction.few_shot import few_shot

    def read() -> "FewShot":
        label = _("{model} reads the examples", model=kit.memory.short_label(str(model.checkpoint)))
        with kit.progress_bar() as show:
            show(0.0, label)
            return few_shot(model, pairs, between, seed, lambda share: show(share, label))

    return _results.get((str(model.checkpoint), tuple(pairs), between, seed), read)


def sentence(results: "dict[str, FewShot]", shots: int) -> str:
    """How many answers each model would write right, in a sentence."""
    counts = [
        f"{name} {int(result.written[:, min(shots, result.shots)].sum())}" for name, result in results.items()
    ]
    total = len(next(iter(results.values())).pairs)
    return _(
        "Right answers with {examples}, always taking the likeliest token, of {total}: {right}.",
        examples=ngettext("{count} example", "{count} examples", shots) if shots else _("no examples"),
        total=total,
        right=", ".join(counts),
    )


def answers_csv(results: "dict[str, FewShot]") -> str:
    """All answers as a table: a row for each model, pair and number of examples."""
    return kit.table(
        ["model", "question", "answer", "examples", "probability", "written right", "likeliest wrong token"],
        [
            [name, *pair, shot, float(p), bool(written), float(wrong)]
            for name, result in results.items()
            for pair, *values in zip(
                result.pairs, result.log_probability.exp(), result.written, result.wrong, strict=True
            )
            for shot, (p, written, wrong) in enumerate(zip(*values, strict=True))
        ],
    )


def _one_pair(page: kit.OpenPage[None], result: "FewShot", at: int, shots: int) -> None:
    """Draw a prompt, and the candidates for the first token of its answer."""
    pair = result.pairs[at]
    prompt = result.prompt(at, shots)
    examples, _line_end, question = prompt.rpartition("\n")
    before = f"{escape(examples)}\n" if examples else ""
    st.html(f'<div class="rb-prompt" translate="no" tabindex="0">{before}<b>{escape(question)}</b></div>')
    blocked = kit.blocklist.over(str(page.model.checkpoint), prompt, pair.answer)
    candidates = result.candidates(page.model, at, shots)
    rows: list[dict[str, Any]] = [
        {
            "token": page.model.tokenizer.whole_or_bytes(candidate.id, candidate.token),
            "probability": candidate.probability,
            "state": "chosen" if candidate.id == int(result.first[at, shots]) else "",
            "covered": kit.blocklist.covers(blocked, prompt, candidate.token),
        }
        for candidate in candidates[:LISTED]
    ]
    kit.bars(
        rows,
        "continuations/few-shot-bars",
        _("The first token of the answer"),
        visible=LISTED,
        headings=(_("probability"),),
    )


def asked_text(page: kit.OpenPage[None]) -> str:
    """The prompt that is read out, without its answer."""
    from explorer.analysis.prediction.few_shot import circle, prompt

    settings = page.settings
    pairs, between = chosen_pairs(settings)
    shots, at = min(settings[SHOTS], len(pairs) - 1), settings[QUESTION_INDEX]
    return prompt(pairs, circle(len(pairs), settings[SEED]), between, at, shots) if at < len(pairs) else ""


VIEW = kit.View(
    text=kit.view_text("continuations", "examples"),
    settings=(TASK, SHOTS, QUESTION_INDEX, SECOND_MODEL, OWN_PAIRS),
    controls=controls,
    picture=draw,
    example=example,
    needs=("GENERATE",),
    model=kit.WRITER,
    stage=kit.Stage(
        covered=(".scatterlayer, .rb-how, .list, .pinned",),
        covers_most=True,
        controls=(SHOTS,),
        text=asked_text,
    ),
)
