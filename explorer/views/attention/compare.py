"""Two sentences, or two models on one sentence, side by side, with the difference."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.attention import chinese_presets, examples, view_presets
from explorer.views.attention.alignment import Aligned, aligned
from explorer.views.attention.sentence import hide_special, layers_and_heads
from explorer.views.attention.settings import (
    COMPARE,
    COMPARE_CELL,
    COMPARE_HEAD,
    COMPARE_LAYER,
    COMPARE_MODEL,
    COMPARE_TEXT,
    HEAD,
    HIDE,
    LAYER,
    MODEL,
    TEXT,
)
from explorer.views.frame import memory, picker
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.widgets.invite import invite
from explorer.views.widgets.notes import note_html
from explorer.views.widgets.numbered import numbered
from explorer.views.widgets.registry import component, sent
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_text import MERGED

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.models import LanguageModel
    from explorer.trace import Trace


KEY = "attention/compare"
KINDS = {"texts": "Sentences", "models": "Models"}


def controls(page: "Page[Trace]") -> None:
    """Sentences or models; the layers and heads."""
    settings, trace = page.settings, page.data
    if settings[COMPARE] not in KINDS:
        settings.adjust(COMPARE.to("texts"))
    st.segmented_control(
        "Compare",
        list(KINDS),
        key=settings.key(COMPARE, "Compare", KINDS.get),
        format_func=lambda name: KINDS[name],
        required=True,
        label_visibility="collapsed",
        width="content",
    )
    layers, heads = layers_and_heads(trace)
    numbered(settings, LAYER, "Layer", layers, width=112)
    if settings[COMPARE] == "texts":
        numbered(settings, HEAD, "Head", heads, width=112)


def draw(page: "Page[Trace]") -> Saves:
    """Both maps with the difference between them; a cell that is clicked stays selected."""
    settings, trace = page.settings, page.data
    two = settings[COMPARE] == "texts"
    other = page.model if two else _second_model(settings, trace)
    if two:
        with st.container(key="compare-text", horizontal=True, vertical_alignment="center"):
            reset = [COMPARE_CELL.to(None)]
            text_box(settings, COMPARE_TEXT, "The other sentence", "Type another sentence", resets=reset)
            hide_special(settings, trace)
    if not settings[TEXT].strip() or (two and not settings[COMPARE_TEXT].strip()):
        which = "two sentences" if two else "a sentence"
        invite(120, f"Type {which} above.")
        return []
    found = aligned(settings, page.model, other)
    count = len(found.words)
    selected: list[int] | None = None
    match settings[COMPARE_CELL]:
        case [int(row), int(column)] if 0 <= row < count and 0 <= column < count:
            selected = [row, column]

    def select() -> None:
        clicked = sent(KEY, "lock")
        if clicked:
            settings.set(COMPARE_CELL.to(clicked["cell"]))

    def head() -> None:
        if picked := sent(KEY, "head"):
            settings.set(LAYER.to(picked["layer"]), HEAD.to(picked["head"]))

    with st.container(key="compare-picture"):
        component("attention/compare")(
            key=KEY,
            data={
                "words": found.words,
                "first": _plain(found.comparison.first),
                "second": _plain(found.comparison.second),
                "titles": {
                    "first": found.titles[0],
                    "second": found.titles[1],
                    "difference": "second minus first",
                },
                "notes": found.notes,
                "locked": selected,
                "summary": summary(found),
                "low": presenting(),
                "heads": [
                    {
                        "layer": i,
                        "head": j,
                        "moved": moved,
                        "chosen": (i, j) == (settings[LAYER], settings[HEAD]),
                    }
                    for i, j, moved in found.changed
                ],
            },
            on_lock_change=select,
            on_head_change=head,
        )
    if said := _fine_print(settings, found):
        note_html(said)
    file = "two-sentences" if two else "two-models"
    return [
        Picture("compare-picture", file),
        Export("Both patterns and the difference", f"{file}.csv", lambda: _cells_table(found)),
    ]


def _fine_print(settings: Settings, found: Aligned) -> str:
    """What happened to the tokens; in presenter mode only what is missing from the picture."""
    explains, said = not presenting(), []
    if explains:
        said.append(MERGED)
    if settings[HIDE]:
        said.append("Special tokens are hidden and rows rescaled.")
    if found.cut:
        said.append(f"Cut at {LIVE_TOKENS} tokens; {found.cut} more are not shown.")
    if explains and settings[COMPARE] == "models":
        said.append("Heads of two models have only their number in common: compare averages instead.")
    return " ".join(said)


def summary(found: Aligned) -> str:
    """The cell that differs most, in words; a row with one word to read alone is passed over."""
    first, second = found.comparison.first, found.comparison.second
    choice = ((first > 0).sum(-1) > 1) & ((second > 0).sum(-1) > 1)
    difference = found.comparison.difference.nan_to_num() * choice[:, None]
    if not difference.any():
        return "No difference: every word that both have reads the same."
    row, column = divmod(int(difference.abs().argmax()), len(found.words))
    value = float(difference[row, column])
    sign = "more" if value > 0 else "less"
    asks, read = found.words[row]["name"], found.words[column]["name"]
    return f"Largest difference: in the second, {asks} reads {read} {abs(value):.2f} {sign}."


def _second_model(settings: Settings, trace: "Trace") -> "LanguageModel":
    """The other model, its layer, and the head of both. Raises AbilityError for one without attention."""
    from explorer.trace import Ability

    names, chosen = _names(), settings[COMPARE_MODEL]
    if ":" not in chosen and chosen not in names:
        settings.adjust(COMPARE_MODEL.to("gpt"))
    elif chosen not in names:
        names.append(chosen)
    with st.container(key="compare-models", horizontal=True, vertical_alignment="center"):
        st.selectbox(
            "Second model",
            names,
            key=settings.key(COMPARE_MODEL, "Second model", memory.short_label),
            on_change=lambda: picker.choose(settings[COMPARE_MODEL]),
            width=260,
            label_visibility="collapsed",
            format_func=lambda name: f"with {memory.short_label(name)}",
        )
        model = picker.load(settings[COMPARE_MODEL])
        model.require(Ability.ATTENTION, "show attention")
        layers = model.config.layers
        heads = min(layers_and_heads(trace)[1], model.config.heads)
        numbered(settings, COMPARE_LAYER, "Its layer", layers, width=132)
        numbered(settings, COMPARE_HEAD, "Head", heads, width=132, every="All heads")
        hide_special(settings, trace)
    return model


def _names() -> list[str]:
    """The models that can be the second one."""
    import explorer
    from explorer.trace import Ability

    return [str(c) for c in explorer.available() if c.abilities is None or c.abilities & Ability.ATTENTION]


def _plain(pattern: "Tensor") -> list[list[float | None]]:
    return [
        [None if value != value else value for value in row]
        for row in pattern.double().round(decimals=4).tolist()
    ]


def reading(page: "Page[Trace]") -> Reading:
    """How to read it, and a caveat."""
    return Reading(
        "Each row reads the columns. In the middle, orange means that the second reads more there, purple "
        "less, grey the same; a word that only one of them has is hatched.",
        "A head that changes with one word is an anecdote, not a rule: try other sentences.",
    )


def example(page: "Page[Trace]") -> Example:
    """How much has moved in every word's row, from Python."""
    settings = page.settings
    two, model = settings[COMPARE] == "texts", Load(settings[MODEL])
    head = settings[HEAD if two else COMPARE_HEAD]
    return Example(
        examples.difference,
        model=model,
        text=settings[TEXT],
        layer=settings[LAYER],
        other_model=model if two else Load(settings[COMPARE_MODEL]),
        other_text=settings[COMPARE_TEXT if two else TEXT],
        other_layer=settings[LAYER if two else COMPARE_LAYER],
        head=None if head < 0 else head,
        hide_special=settings[HIDE],
        limit=LIVE_TOKENS,
    )


def _cells_table(found: Aligned) -> str:
    names, two = [word["name"] for word in found.words], found.comparison
    cells = [
        (names[i], names[j], *(float(p[i, j]) for p in (two.first, two.second, two.difference)))
        for i in range(len(names))
        for j in range(len(names))
    ]
    return table(["reads", "read", *found.titles, "difference"], cells)


VIEW = View(
    label="Compare",
    first=Hints(
        "One word differs, and “it” looks elsewhere: less at “animal”.",
        "Change “wide” to “busy”. Does “it” know what is meant?",
    ),
    settings=(COMPARE, COMPARE_TEXT, COMPARE_MODEL, COMPARE_LAYER, COMPARE_HEAD, COMPARE_CELL),
    presets=[*view_presets.COMPARE, *chinese_presets.COMPARE],
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
