"""One head of the attention page: lines from each token to those it reads, and the same as a map."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.attention_common import (
    Held,
    choose,
    code_begin,
    code_head,
    cut,
    hide_special,
    label,
    nothing_typed,
    words,
)  # fmt: skip
from explorer.views.components import component
from explorer.views.frame import Preset
from explorer.views.presets.attention import NOT_WHY, PRESETS
from explorer.views.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel
    from explorer.trace import Trace

DEFAULTS: dict = {}
SCALE = 10_000  # weights travel as whole ten-thousandths


def controls(settings: Settings, trace: "Trace") -> None:
    """Layer, head and special tokens."""
    choose(settings, trace, "layer", "head")
    hide_special(settings, trace)


def draw(settings: Settings, trace: "Trace") -> None:
    """One head as lines and as a heat map; a click holds a token, arrow keys walk the heads."""
    from explorer.analysis.attention import head_view

    view = head_view(trace, settings["layer"], settings["head"], settings["hide"])
    layers, heads = trace.attention.pattern.shape[:2]
    spoken, special = words(trace.encoding), trace.encoding.special.tolist()
    held = Held.read(settings["token"])
    shown = held is not None and held.position in view.positions  # a hidden token's hold waits

    def hold() -> None:
        clicked = st.session_state["attention/picture"].hold
        spot = clicked and clicked["held"]
        if clicked and spot is None:
            settings.set(token=None)
        elif spot and spot["at"] < len(view.positions):  # a click may cross a change of text
            position = view.positions[spot["at"]]
            settings.set(token=Held(spot["side"], position, spoken[position]).setting)

    def walk() -> None:
        neighbour = st.session_state["attention/picture"].walk
        if neighbour is not None:
            settings.set(layer=neighbour["layer"], head=neighbour["head"])

    component("head")(
        key="attention/picture",
        data={
            "name": f"Head L{view.layer}H{view.head}",
            "layer": view.layer,
            "head": view.head,
            "layers": layers,
            "heads": heads,
            "tokens": [{"text": label(trace.encoding, i), "quiet": special[i]} for i in view.positions],
            "weights": (view.pattern * SCALE).round().int().flatten().tolist(),
            "held": {"side": held.side, "at": view.positions.index(held.position)} if shown else None,
            "message": "Type a sentence above, or try one below." if nothing_typed(settings, trace) else "",
        },
        on_hold_change=hold,
        on_walk_change=walk,
    )
    if said := remark(settings, trace):
        st.html(f'<p class="rb-quiet" style="margin:0">{said}</p>')


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "A row of the map, in the order of the text, and the lines from the token beside it show the same "
        "weights; they sum to 1.",
        NOT_WHY,
    )


def presets(settings: Settings) -> list[Preset]:
    """Three heads that each do one thing."""
    return PRESETS


def remark(settings: Settings, trace: "Trace") -> str:
    """What the picture leaves out: tokens beyond the limit, and the weight on hidden ones."""
    from explorer.analysis.attention import head_view

    said = [cut(trace)]
    view = head_view(trace, settings["layer"], settings["head"], settings["hide"])
    if settings["hide"] and view.positions and trace.encoding.special.any():
        share = view.dropped_mass.mean()
        said.append(f"{share:.0%} of the weight lay on special tokens; rows are rescaled to sum to 1.")
    return " ".join(filter(None, said))


def code(settings: Settings, model: "LanguageModel") -> str:
    """The strongest link of every token, from Python."""
    return f"""\
{code_begin(settings, model)}{code_head(settings)}for token, row in zip(view.tokens, view.pattern):
    print(f"{{token:>12}} reads {{view.tokens[row.argmax()]:12}} {{row.max():.3f}}")
"""
