"""Three small pictures that play on a click, each above the link to its view.

They draw stored numbers of the bundled models; tests/views/home/test_stored.py computes them.
"""

from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import TEXTS
from explorer.locale import _
from explorer.server.streamlit_private import draw_kept
from explorer.views import kit
from explorer.views.widgets.visually_hidden import hidden_heading

FILE = TEXTS / "moving_pictures.json"
LETTER, LONGEST = 8.6, 34  # px of a letter, and letters of a line
LEAST = 0.2  # the least share of attention, in one of two sentences, that is written above its word
HEADS, LAYERS = 12, 6


def draw() -> None:
    """The pictures side by side."""
    draw_kept(st.container(key="moving"), "moving", kit.navigation.link_context(), _draw)


def _draw() -> None:
    stored = assets.data(FILE)
    hidden_heading(_("Pictures that move"))
    learnt, attended, off = st.columns(3)
    with learnt:
        _learnt(**stored["learnt"])
    with attended:
        _attended(**stored["attended"])
    with off:
        _off(**stored["off"])


def _learnt(words: list[str], groups: list[int], maps: list[Any], running: int, epochs: int) -> None:
    frames = []
    for places in maps:
        texts = [[word, *place, f"group{group}"] for word, place, group in zip(words, places, groups)]
        frames.append({"texts": texts, "curves": [], "bars": []})
    before = _("Before it has read anything, word2vec has a random vector for each word.")
    after = _(
        "It has read {running} words {epochs} times: words used alike lie together.",
        running=running,
        epochs=epochs,
    )
    _play("learnt", frames, [before, after], 160)
    kit.navigation.link("vectors", _("Words find their groups"), view="train")


def _attended(head: list[int], sentences: list[dict[str, Any]]) -> None:
    most = [max(shares) for shares in zip(*(sentence["weights"] for sentence in sentences))]
    frames = []
    for sentence in sentences:
        words, weights = sentence["words"], sentence["weights"]
        places = _lines(words, 50, 78)
        it_x, it_y = places[words.index("it")]
        texts = [[word, *place, "token"] for word, place in zip(words, places)]
        curves = []
        for (x, y), weight, share in zip(places, weights, most):
            texts.append([kit.short(weight) if share > LEAST else "", x, y - 20, ""])
            curves.append([it_x, it_y - 13, x, y + 6, 20 * weight if y < it_y else 0])
        frames.append({"texts": texts, "curves": curves, "bars": []})
    before = _("In one part of BERT, “it” looks at “animal”.")
    after = _("Now “wide”: it looks more at “street”.")
    _play("attended", frames, [before, after], 900)
    kit.navigation.link("attention", _("“It” finds the animal"))


def _off(head: list[int], text: str, words: list[str], sides: list[list[float]]) -> None:
    sentence = text.replace(kit.MASK, kit.GAP).split()
    frames = []
    for probabilities, is_off in zip(sides, (False, True)):
        texts = [[word, *place, "token"] for word, place in zip(sentence, _lines(sentence, 22, 22))]
        bars: list[list[Any]] = [
            [224 + 7 * at, 58 + 9 * layer, 5, 7, "off" if is_off and [layer, at] == head else "head"]
            for layer in range(LAYERS)
            for at in range(HEADS)
        ]
        for y, word, probability in zip((88, 112, 136), words, probabilities):
            texts += [[word, 32, y, "token"], [kit.short(probability), 187, y, ""]]
            bars.append([60, y - 12, 100 * probability, 14, "bar"])
        frames.append({"texts": texts, "curves": [], "bars": bars})
    before = _("BERT guesses the word in the gap with all of its parts.")
    after = _("One part is off, and “his” comes first.")
    _play("off", frames, [before, after], 900)
    kit.navigation.link("heads", _("One head off: “her” becomes “his”"), view="off")


def _play(name: str, frames: list[dict[str, Any]], captions: list[str], ms: int) -> None:
    """A picture with its captions before and after, and how long each frame is shown."""
    data = {"frames": frames, "captions": captions, "ms": ms}
    kit.component("home/moving_picture")(key=f"home/moving/{name}", data=data)


def _lines(words: list[str], y: float, gap: float) -> list[tuple[float, float]]:
    """The centres of words that are set in lines from the left."""
    places, letters = [], 0
    for word in words:
        if letters + len(word) > LONGEST:
            letters, y = 0, y + gap
        places.append((14 + LETTER * (letters + len(word) / 2), y))
        letters += len(word) + 1
    return places
