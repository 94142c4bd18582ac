"""Which parts carry it: every head and MLP of the first run, put alone into the run on the second prompt."""

from typing import Any

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _
from explorer.server import turns
from explorer.views import kit
from explorer.views.types import Contrast, LanguageModel, PatchedHeads, Together
from explorer.views.why import examples, fixes, part_list, prompts
from explorer.views.why.part_list import LISTED, NetworkPart, part_name, read_part
from explorer.views.why.patch_run import MOST_KEPT, PatchRun, continued, heads, id_of, progress_data
from explorer.views.why.prompts import answer_word, surface
from explorer.views.why.settings import MODEL, PART, PLACE, TOGETHER

KEY = "why/parts"

_together: "kit.Kept[Together]" = kit.Kept(MOST_KEPT)


def controls(page: kit.OpenPage[None]) -> None:
    """The token at which parts are put in, the measure, and the heads that suffice together."""
    settings = page.settings
    fixes.offer(page)
    pair = prompts.contrast_of(page.model, settings)
    place = place_of(settings, pair)
    tokens = [
        {"text": surface(pair.first, i), "selected": i == place, "title": _("put in the parts at this token")}
        for i in range(len(pair.first))
    ]
    with st.container(key="why-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        st.html(f'<p class="rb-point rb-one-line">{_("Parts at")}</p>', width="content")
        with st.container(width="content"):
            kit.token_strip(
                tokens,
                "why/place",
                _("The token whose parts are put in"),
                lambda at: settings.set(PLACE.to(at)),
            )
        prompts.measure(settings)
        kit.switch(
            settings,
            TOGETHER,
            _("Together"),
            help=_("The strongest heads at once, one more at a time, until they bring back 90%."),
        )


def place_of(settings: kit.Settings, pair: "Contrast") -> int:
    """The position whose parts are put in: the chosen one, or the one that answers."""
    return settings[PLACE] if 0 <= settings[PLACE] < len(pair.first) else pair.position


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The wall of parts, the strongest of them with where else to look at them, and those that suffice."""
    settings, model = page.settings, page.model
    pair = prompts.contrast_of(model, settings)
    place = place_of(settings, pair)
    prompts.notes(pair)
    prompts.line(pair)
    _stage(settings, model, pair, place)
    patched, __ = heads(model, pair, place)
    return [
        kit.Picture("picture", f"which-parts-carry-it-{settings[MODEL]}"),
        kit.Export(N_("Shares"), "patched-parts.csv", lambda: shares_csv(patched)),
    ]


@st.fragment
def _stage(settings: kit.Settings, model: "LanguageModel", pair: "Contrast", place: int) -> None:
    """Draw the wall and the list. While layers are missing, only this part of the page is drawn again."""
    left, right = st.columns([62, 38], gap="large")
    with turns.render_slot():
        patched, run = heads(model, pair, place)
        shares = part_list.parts(patched.share, patched.mlp)
        layers, heads_in_layer = patched.share.shape
        chosen = read_part(settings[PART], layers, heads_in_layer)
        chosen = chosen or next(iter(part_list.strongest(shares)), None)
        with left:
            _wall(settings, patched, run, chosen)
        with right:
            part_list.draw(
                settings,
                shares,
                heads_in_layer,
                chosen,
                "why/part-list",
                _("The strongest, each alone"),
                1.0 if kit.for_class() else None,
            )
            if chosen is not None:
                st.html(f'<p class="rb-how">{in_words(patched, chosen)}</p>')
                if settings[TOGETHER] and (run is None or run.finished):
                    st.html(f'<p class="rb-how">{together_in_words(together(model, patched))}</p>')
                part_list.links(settings, model, chosen, pair.first.text, (place, surface(pair.first, place)))
    if run is None or run.finished:
        kit.data_table.follow(settings, (run.number if run else 0, place))


def _wall(
    settings: kit.Settings, patched: "PatchedHeads", run: PatchRun | None, chosen: NetworkPart | None
) -> None:
    layers, count = patched.share.shape

    def pick() -> None:
        spot = kit.component_value(KEY, "pick", {"layer": range(layers), "column": range(count + 1)})
        if spot is not None:
            settings.set(PART.to([spot["layer"], spot["column"]]))

    data = picture(patched, run, chosen)
    kit.component("why/patch_map")(
        key=KEY, data=data, on_more_change=continued(run, KEY), on_pick_change=pick
    )


def picture(
    patched: "PatchedHeads", run: PatchRun | None = None, chosen: NetworkPart | None = None
) -> dict[str, Any]:
    """What the wall draws: the heads of each layer, then its MLP."""
    layers, count = patched.share.shape
    shares = zip(patched.share.tolist(), patched.mlp.tolist(), strict=True)
    return {
        "label": _("What each head and MLP brings back of the first answer: layers down, heads across"),
        "tokens": [],
        "columns": [
            *(f"{'' if kit.for_class() else 'H'}{head + 1}" for head in range(count)),
            _("rest") if kit.for_class() else "MLP",
        ],
        "answers": [],
        "share": [[_rounded(value) for value in (*row, mlp)] for row, mlp in shares],
        "chosen": None if chosen is None else list(chosen),
        "lines": [],
        "noise": False,
        "plain": kit.for_class(),
    } | progress_data(run, layers)


def _rounded(share: float) -> float | None:
    return round(share, 4) if share == share else None


def in_words(patched: "PatchedHeads", part: NetworkPart) -> str:
    """What one part alone does, as HTML."""
    layer, head = part
    share = float(patched.mlp[layer] if head == patched.share.shape[1] else patched.share[part])
    if share != share:
        return _("Not computed yet.")
    name = part_name(part, patched.share.shape[1])
    words = [kit.quoted(_("“{word}”", word=answer_word(patched.contrast, which))) for which in (0, 1)]
    fields = {"part": name[0].upper() + name[1:], "answer": words[0], "instead": words[1]}
    fields |= {"share": kit.whole_percent(abs(share))}
    if share < 0:
        return _("{part} alone takes away {share} of the lead of {answer} over {instead}.", **fields)
    return _("{part} alone brings back {share} of the lead of {answer} over {instead}.", **fields)


def together(model: "LanguageModel", patched: "PatchedHeads") -> "Together":
    """The heads that suffice together; while they are searched for, a bar shows how much is back."""

    def search() -> "Together":
        with kit.progress_bar() as show:
            show(0.0, _("Adding heads"))
            on_share = lambda share: show(share, _("Adding heads"))  # noqa: E731
            return analysis.patching.patch_together(model, patched, on_share=on_share)

    return _together.get((str(model.checkpoint), patched.position, id_of(patched.contrast)), search)


def together_in_words(result: "Together") -> str:
    """How much the strongest heads bring back together, beside as many others drawn at random, as HTML."""
    names = ", ".join(kit.head_name(*head) for head in result.heads)
    share, count = kit.whole_percent(result.shares[-1]), len(result.heads)
    says = (
        _("{names} alone: {share}.", names=names, share=share)
        if count == 1
        else _("{count} heads together ({names}): {share}.", count=count, names=names, share=share)
    )
    if result.random is None:
        return says
    return f"{says} {_('As many at random: {share}.', share=kit.whole_percent(result.random))}"


def shares_csv(patched: "PatchedHeads") -> str:
    """The wall as a table: a row for each part."""
    shares = part_list.parts(patched.share, patched.mlp)
    count = patched.share.shape[1]
    return kit.table(["part", "share"], [[part_name(part, count), share] for part, share in shares.items()])


VIEW = kit.View(
    text=kit.view_text("why", "parts"),
    settings=(PLACE, PART, TOGETHER),
    boxes=prompts.ask,
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        examples.shares_of_heads,
        model=kit.Load(page.settings[MODEL]),
        **prompts.texts(page.settings),
        measure=prompts.measure_of(page.settings),
        position=page.settings[PLACE] if page.settings[PLACE] >= 0 else None,
        top=LISTED,
    ),
    needs=("FILL", "GENERATE"),
    model=kit.WRITER,
    stage=prompts.STAGE,
)
