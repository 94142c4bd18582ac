"""A sentence without a gap is continued, each token shaded by its probability."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.default_models import WRITER
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import caching, memory
from explorer.views.frame.view import Reading, Saves
from explorer.views.look import blocklist, theme
from explorer.views.widgets.numbers import in_words
from explorer.views.widgets.token_strip import token_strip
from explorer.views.widgets.token_text import visible

if TYPE_CHECKING:
    from explorer.models import LanguageModel

# As the page Continuations opens, but shorter.
SAMPLING: dict[str, Any] = {"temperature": 0.7, "seed": 0, "length": 24}

READING = Reading(
    "The model writes token by token. The stronger the colour, the more probable it found the token.",
    "A model writes what is probable, not what is true.",
)


def draw(text: str) -> Saves:
    """The tokens that follow the text."""
    name = memory.short_label(WRITER)
    tokens = written(memory.get(WRITER), text)
    st.html(f'<p class="rb-how"><b>{name} writes on</b></p>')
    if not tokens:
        st.html(f'<p class="rb-point">{name} finds the text complete, and writes its end mark.</p>')
        return []
    texts = blocklist.written(blocklist.over(WRITER, text), [token for token, _ in tokens], text)
    token_strip(
        [_chip(token, probability) for token, (_, probability) in zip(texts, tokens)],
        "home/written",
        f"What {name} writes",
    )
    return [
        Picture("picture", "start"),
        Export("Continuation", "continuation.csv", lambda: table(["token", "probability"], tokens)),
    ]


def continuation(
    model: "LanguageModel", text: str, temperature: float, seed: int, length: int
) -> list[tuple[str, float]]:
    """The tokens that continue a text, each with its probability before temperature."""
    from explorer.analysis.generation.steps import Sampling, generate

    sampling = Sampling(temperature=temperature, seed=seed, max_new_tokens=length)
    return [(step.text, step.probability) for step in generate(model, text, sampling) if step.text]


@caching.data(max_entries=64, show_spinner="Writing on …")
def written(model: "LanguageModel", text: str) -> list[tuple[str, float]]:
    """The tokens of the continuation; cached for all visitors."""
    return continuation(model, text, **SAMPLING)


def _chip(token: str, probability: float) -> dict[str, Any]:
    colour = theme.mix(palette().probability, probability)
    return {
        "text": visible(token),
        "glued": not token.startswith((" ", "\n")),
        "colour": colour,
        "ink": theme.text_on(colour),
        "title": f"probability {in_words(probability)}",
    }
