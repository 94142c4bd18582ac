"""Two sentences, or two models on one sentence, side by side, with the difference."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.attention.compared import Sides, sides
from explorer.views.attention.sentence import hide_special
from explorer.views.attention.view_presets import COMPARE
from explorer.views.frame import memory, picker
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.page import Preset
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving import Export, Picture, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.widgets.registry import component, text_box

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.models import LanguageModel
    from explorer.trace import Trace

DEFAULTS = {
    "compare": "texts",
    "compare_text": "Our boat is behind the bridge, and nobody sees the boat from the bridge.",
    "compare_model": "gpt",
    "compare_layer": 2,
    "compare_head": -1,  # of both models; -1 averages the heads of a layer
    "compare_cell": None,  # held: [row, column]
}
KEY = "attention/compare"
KINDS = {"texts": "Sentences", "models": "Models"}


def controls(settings: Settings, trace: "Trace") -> None:
    """Sentences or models; the layers and heads."""
    if settings["compare"] not in KINDS:
        settings.set(compare="texts")
    st.segmented_control(
        "Compare", list(KINDS), key=settings.key("compare"), format_func=KINDS.get, required=True,
        label_visibility="collapsed", width="content",
    )  # fmt: skip
    layers, heads = trace.attention.pattern.shape[:2]
    _choose(settings, "layer", layers, "Layer")
    if settings["compare"] == "texts":
        _choose(settings, "head", heads, "Head")


def draw(settings: Settings, trace: "Trace") -> None:
    """Both maps with the difference between them; a cell that is clicked is kept."""
    two = settings["compare"] == "texts"
    if two:
        with st.container(key="compare-text", horizontal=True, vertical_alignment="center"):
            text_box(settings, "compare_text", "The other sentence", "Type another sentence")
            hide_special(settings, trace)
    else:
        _second_model(settings, trace)
    if not settings["text"].strip() or (two and not settings["compare_text"].strip()):
        which = "two sentences" if two else "a sentence"
        st.html(f'<p class="rb-caption" style="padding:120px 0;text-align:center">Type {which} above.</p>')
        return
    seen = sides(settings)
    count = len(seen.words)
    match settings["compare_cell"]:
        case [int(row), int(column)] if 0 <= row < count and 0 <= column < count:
            held = [row, column]
        case _:
            held = None

    def hold() -> None:
        clicked = st.session_state[KEY].hold
        if clicked:
            settings.set(compare_cell=clicked["cell"])

    def head() -> None:
        if picked := st.session_state[KEY].head:
            settings.set(layer=picked["layer"], head=picked["head"])

    with st.container(key="compare-picture"):
        component("attention/compare")(
            key=KEY,
            data={
                "words": seen.words,
                "first": _plain(seen.made.first),
                "second": _plain(seen.made.second),
                "titles": {
                    "first": seen.titles[0],
                    "second": seen.titles[1],
                    "difference": "second minus first",
                },
                "notes": seen.notes,
                "held": held,
                "summary": summary(seen),
                "low": presenting(),
                "heads": [
                    {
                        "layer": i,
                        "head": j,
                        "moved": moved,
                        "chosen": (i, j) == (settings["layer"], settings["head"]),
                    }
                    for i, j, moved in seen.changed
                ],
            },
            on_hold_change=hold,
            on_head_change=head,
        )
    if said := _fine_print(settings, seen):
        st.html(f'<p class="rb-quiet" style="margin:0">{said}</p>')
    _offer(settings, seen)


def _fine_print(settings: Settings, seen: Sides) -> str:
    """What happened to the tokens; in presenter mode only what is missing from the picture."""
    explains, said = not presenting(), []
    if explains:
        said.append("Pieces are merged into words: weights to them are summed, from them averaged.")
    if settings["hide"]:
        said.append("Special tokens are hidden and rows rescaled.")
    if seen.cut:
        said.append(f"Cut at {LIVE_TOKENS} tokens; {seen.cut} more are not shown.")
    if explains and settings["compare"] == "models":
        said.append("Heads of two models have nothing but their number in common: averages compare better.")
    return " ".join(said)


def summary(seen: Sides) -> str:
    """The cell that differs most, in words; a row with one word to read alone is passed over."""
    made = seen.made
    choice = ((made.first > 0).sum(-1) > 1) & ((made.second > 0).sum(-1) > 1)
    difference = made.difference.nan_to_num() * choice[:, None]
    if not difference.any():
        return "Where both have a word and a choice, the two read alike."
    row, column = divmod(int(difference.abs().argmax()), len(seen.words))
    value = float(difference[row, column])
    sign = "more" if value > 0 else "less"
    asks, read = seen.words[row]["name"], seen.words[column]["name"]
    return f"Most different: in the second, {asks} reads {read} {abs(value):.2f} {sign}."


def _second_model(settings: Settings, trace: "Trace") -> None:
    """The other model, its layer, and the head of both. Raises AbilityError for one without attention."""
    from explorer.trace import Ability

    names, chosen = _names(), settings["compare_model"]
    if ":" not in chosen and chosen not in names:
        settings.set(compare_model="gpt")
    elif chosen not in names:
        names.append(chosen)
    with st.container(key="compare-models", horizontal=True, vertical_alignment="center"):
        st.selectbox(
            "Second model", names, key=settings.key("compare_model"), width=260,
            label_visibility="collapsed", format_func=lambda name: f"with {memory.short_label(name)}",
        )  # fmt: skip
        model = picker.load(settings["compare_model"])
        model.require(Ability.ATTENTION, "show attention")
        layers = model.config.layers
        heads = min(trace.attention.pattern.shape[1], model.config.heads)
        settings.set(
            compare_layer=min(max(settings["compare_layer"], 0), layers - 1),
            compare_head=min(max(settings["compare_head"], -1), heads - 1),
        )
        _choose(settings, "compare_layer", layers, "Its layer")
        _choose(settings, "compare_head", heads, "Head", every="All heads")
        hide_special(settings, trace)


def _names() -> list[str]:
    """The models that can stand on the other side."""
    import explorer
    from explorer.trace import Ability

    return [str(c) for c in explorer.available() if c.abilities is None or c.abilities & Ability.ATTENTION]


def _choose(settings: Settings, name: str, size: int, word: str, every: str = "") -> None:
    st.selectbox(
        word, range(-1 if every else 0, size), key=settings.key(name), label_visibility="collapsed",
        width=132 if every or " " in word else 112, format_func=lambda i: f"{word} {i}" if i >= 0 else every,
    )  # fmt: skip


def _plain(pattern: "Tensor") -> list[list[float | None]]:
    return [
        [None if value != value else value for value in row]
        for row in pattern.double().round(decimals=4).tolist()
    ]


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "Each row reads the columns. In the middle, orange says that the second reads more there, purple "
        "less, grey the same; a word that only one of them has is hatched.",
        "A head that changes with one word is an anecdote, not a rule: try other sentences.",
    )


def presets(settings: Settings) -> list[Preset]:
    """Three examples."""
    return COMPARE


def code(settings: Settings, model: "LanguageModel") -> str:
    """The difference from Python."""
    two, hide = settings["compare"] == "texts", settings["hide"]
    layer, head = settings["layer"], settings["head" if two else "compare_head"]
    other_layer = layer if two else settings["compare_layer"]
    heads = ".mean(0)" if head < 0 else f"[{head}]"
    other = "model" if two else f"explorer.load({settings['compare_model']!r})"
    begin = f"""\
import explorer
from explorer.analysis.attention.comparison import align, by_word, compare{", ordinary" if hide else ""}

model = explorer.load({settings["model"]!r})
other = {other}
first = by_word(model.trace({settings["text"]!r}, limit={LIVE_TOKENS}))
second = by_word(other.trace({settings["compare_text" if two else "text"]!r}, limit={LIVE_TOKENS}))
"""
    if hide:
        taken = f"""\
words, here = ordinary(first, first.pattern[{layer}]{heads})
others, there = ordinary(second, second.pattern[{other_layer}]{heads})
"""
    else:
        taken = f"""\
words, here = first.words, first.pattern[{layer}]{heads}
others, there = second.words, second.pattern[{other_layer}]{heads}
"""
    return f"""\
{begin}{taken}found = compare(here, there, align(words, others))
for (i, j), row in zip(found.pairs, found.difference.nan_to_num()):
    word = words[i] if i is not None else others[j]
    print(f"{{word:>12}} {{row.abs().sum() / 2:.3f}} of its weight moved")
"""


def _offer(settings: Settings, seen: Sides) -> None:
    def rows() -> str:
        names, made = [word["name"] for word in seen.words], seen.made
        cells = [
            (names[i], names[j], *(float(p[i, j]) for p in (made.first, made.second, made.difference)))
            for i in range(len(names))
            for j in range(len(names))
        ]
        return table(["reads", "read", *seen.titles, "difference"], cells)

    kind = "sentences" if settings["compare"] == "texts" else "models"
    offer(
        settings,
        Picture("compare-picture", f"two-{kind}"),
        Export("Both patterns and the difference", f"two-{kind}.csv", rows),
    )
