"""How far back: how far ELMo's and GPT's states move if the word k places before is replaced."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import caching, memory
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.transformer import how_far_chart
from explorer.views.transformer.how_far_presets import LAST, PRESETS
from explorer.views.transformer.settings import FAR_PLACE, FAR_TEXT
from explorer.views.widgets.notes import note_html
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_strip import word_strip

if TYPE_CHECKING:
    from explorer.analysis.reach.how_far import Moves
    from explorer.models import Model
    from explorer.trace import Encoding


READERS = {"elmo": "ELMo’s forward reader", "gpt": "GPT"}
MOST = 200  # words that the strip shows
FAR, PLACES = 10, 20  # places back that are summed up below the picture


def controls(page: OpenPage[None]) -> None:
    """The sentence."""
    text_box(page.settings, FAR_TEXT, "A sentence", "Type a sentence", resets=[FAR_PLACE.to(LAST)])


def draw(page: OpenPage[None]) -> Saves:
    """The sentence with the watched word, and the curves of both models."""
    from explorer.analysis.reach.how_far import stored

    settings = page.settings
    with st.spinner("Changing one word after another"):
        moves_here = _moves(settings)
    _strip(settings, moves_here)
    means = {READERS[name]: rows.nanmean(0).tolist() for name, rows in stored().items()}
    own = {label: moves_here.relative(name).tolist() for name, label in READERS.items()}
    chart(how_far_chart.figure(means, own, moves_here.words, palette()), "far/chart")
    note_html(_summary(means))
    return [
        Picture("picture", "how-far-back"),
        Export("This sentence", "how-far-back.csv", lambda: _table(own, moves_here.words)),
        Export("The mean of 50", "how-far-back-mean.csv", lambda: _table(means, None)),
    ]


def reading(page: OpenPage[None]) -> Reading:
    """How to read it."""
    return Reading(
        "Each point is a word of the sentence exchanged for others: how far the last layer’s state at the "
        "marked word then moves, where 1 is what another word at the marked place does. ELMo must carry what "
        "it has read through every word between; GPT looks at each word directly.",
        "Both models are small. How far a state moves does not say what for. A dot is missing where no "
        "other word has as many tokens.",
    )


def example(page: OpenPage[None]) -> Example:
    """The same numbers from Python."""
    return Example(
        moves,
        elmo=Load("elmo"),
        gpt=Load("gpt"),
        text=page.settings[FAR_TEXT],
        watched=_watched(page.settings),
    )


def moves(elmo: "Model", gpt: "Model", text: str, watched: int | None) -> dict[str, list[float]]:
    """How far each model's state at a word moves if the word 0, 1, 2, ... places before is replaced."""
    from explorer.analysis.reach.how_far import how_far_back

    result = how_far_back({"elmo": elmo, "gpt": gpt}, text, watched)
    return {name: result.relative(name).tolist() for name in ("elmo", "gpt")}


@caching.resource(max_entries=64)
def cached_moves(elmo: "Model", gpt: "Model", text: str, watched: int | None) -> "Moves":
    """A sentence's moves, kept for all visitors. Raises TextError."""
    from explorer.analysis.reach.how_far import how_far_back

    return how_far_back({"elmo": elmo, "gpt": gpt}, text, watched)


def _moves(settings: Settings) -> "Moves":
    """How far both states move, at the chosen word of the sentence; the opening one's are stored."""
    from explorer.analysis.reach.how_far import opening

    text, watched = settings[FAR_TEXT], _watched(settings)
    stored, opening_moves = opening()
    if (text, watched) == (stored, None):
        return opening_moves
    return cached_moves(memory.get("elmo"), memory.get("gpt"), text, watched)


def _watched(settings: Settings) -> int | None:
    return None if settings[FAR_PLACE] == LAST else settings[FAR_PLACE] - 1


def _strip(settings: Settings, moves: "Moves") -> None:
    """The sentence word by word; a click chooses the word that is watched."""
    encoding: Encoding = memory.get("elmo").encode(settings[FAR_TEXT])
    spans = [s for s, no in zip(encoding.spans, encoding.special.tolist(), strict=True) if not no][:MOST]
    words = [encoding.text[start:end] for start, end in spans]
    title = "click a word to watch the states there"
    word_strip(settings, FAR_PLACE, words, moves.watched, "far/strip", title, spans)
    if encoding.truncated or len(encoding) - 2 > MOST:
        note_html(f"The first {len(spans)} words are shown.")


def _summary(means: dict[str, list[float]]) -> str:
    """What is left of a change far back, in the stored sentences."""
    far = {name: values[FAR:] for name, values in means.items()}
    listed = ", ".join(f"{name} {sum(some) / len(some):.3f}" for name, some in far.items())
    return f"The mean of the 50 sentences from {FAR} to {PLACES} places back: {listed}."


def _table(curves: dict[str, list[float]], words: tuple[str, ...] | None) -> str:
    names = ["places_back", *(["word"] if words else []), *curves]
    rows = [
        [k, *([words[k]] if words else []), *values]
        for k, values in enumerate(zip(*curves.values(), strict=True))
    ]
    return table(names, rows)


VIEW = View(
    label="How far back",
    first=Hints(
        "Exchange a word just before, and the last state moves far; one farther back moves it little.",
        "Type your own sentence, and click a word to watch it.",
    ),
    settings=(FAR_TEXT, FAR_PLACE),
    presets=PRESETS,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
