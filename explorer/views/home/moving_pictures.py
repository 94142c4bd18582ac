"""Three small pictures that play on a click, each above the link to its view.

They draw stored numbers of the bundled models: `python -m training.moving_pictures` computes them.
"""

from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import TEXTS
from explorer.views.frame import navigation
from explorer.views.widgets.layer_names import head_name
from explorer.views.widgets.numbers import short
from explorer.views.widgets.registry import component
from explorer.views.widgets.visually_hidden import hidden_heading

LEAST = 0.05  # the least share of attention, in one of the two sentences, that is written above its word
SENTENCE = "The painter closed ____ eyes before she began to paint."


def draw() -> None:
    """The pictures side by side."""
    stored = assets.data(TEXTS / "moving_pictures.json")
    with st.container(key="moving"):
        hidden_heading("Pictures that move")
        learnt, attended, off = st.columns(3)
        with learnt:
            _learnt(stored["learnt"])
        with attended:
            _attended(stored["attended"])
        with off:
            _off(stored["off"])


def _learnt(numbers: dict[str, Any]) -> None:
    lines = [
        "Before it has read anything, word2vec has a random vector for each word.",
        f"It has read {numbers['running']} words {numbers['epochs']} times: words used alike lie together.",
    ]
    _play("learnt", numbers, lines, len(numbers["maps"]), 220)
    navigation.link("vectors", "Words find their groups", view="train")


def _attended(numbers: dict[str, Any]) -> None:
    sentences = numbers["sentences"]
    is_written = [max(pair) >= LEAST for pair in zip(*(one["weights"] for one in sentences))]
    for one in sentences:
        one["shares"] = [short(weight) if write else "" for weight, write in zip(one["weights"], is_written)]
    lines = [
        f"In one head of BERT ({head_name(*numbers['head'])}), “it” looks at “animal”.",
        "Now “wide”: more goes to “street”. What goes to [CLS] and [SEP] is not drawn.",
    ]
    _play("attended", numbers, lines, 2, 900)
    navigation.link("attention", "“It” finds the animal")


def _off(numbers: dict[str, Any]) -> None:
    sides = [numbers["before"], numbers["after"]]
    shares = [[short(probability) for probability in side] for side in sides]
    lines = [
        "BERT guesses the word in the gap with all its 72 heads.",
        f"One head is off ({head_name(*numbers['head'])}), and “his” comes first.",
    ]
    numbers |= {"sentence": SENTENCE.split(), "sides": sides, "shares": shares}
    _play("off", numbers, lines, 2, 900)
    navigation.link("heads", "One head off: “her” becomes “his”", view="off")


def _play(scene: str, numbers: dict[str, Any], lines: list[str], frames: int, ms: int) -> None:
    """A picture: its numbers, the line below it before and after, and how long each frame is shown."""
    component("home/moving_picture")(
        key=f"home/moving/{scene}",
        data={"scene": scene, "numbers": numbers, "lines": lines, "frames": frames, "ms": ms},
    )
