"""A sentence without a gap is continued, each token shaded by its probability."""

from typing import Any

import streamlit as st

from explorer.server import memory
from explorer.server.kept import kept
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import Saves
from explorer.views.look import blocklist, theme
from explorer.views.types import LanguageModel
from explorer.views.widgets.numbers import in_words
from explorer.views.widgets.token_strip import token_strip
from explorer.views.widgets.token_text import visible

# As the page Continuations opens, but shorter.
SAMPLING: dict[str, Any] = {"temperature": 0.7, "seed": 0, "length": 24}


def draw(text: str) -> Saves:
    """The tokens that follow the text; none if the model finds it complete."""
    name, tokens = memory.short_label(WRITER), written(memory.get(WRITER), text)
    st.html(f'<p class="rb-how"><b>{name} {"writes on" if tokens else "writes no more"}</b></p>')
    texts = blocklist.written(blocklist.over(WRITER, text), [token for token, _ in tokens], text)
    chips = []
    for token, (_, probability) in zip(texts, tokens):
        colour = theme.mix(palette().probability, probability)
        chip = {"text": visible(token), "glued": not token[:1].isspace(), "title": in_words(probability)}
        chips.append(chip | {"colour": colour, "ink": theme.text_on(colour)})
    token_strip(chips, "home/written", f"What {name} writes")
    as_table = table(["token", "probability"], [*zip(texts, (p for _, p in tokens))])
    return [Picture("picture", "start"), Export("Continuation", "continuation.csv", lambda: as_table)]


def continuation(
    model: "LanguageModel", text: str, temperature: float, seed: int, length: int
) -> list[tuple[str, float]]:
    """The tokens that continue a text, each with its probability before temperature."""
    from explorer.analysis.generation.steps import Sampling, generate

    sampling = Sampling(temperature=temperature, seed=seed, max_new_tokens=length)
    return [(step.text, step.probability) for step in generate(model, text, sampling) if step.text]


@kept(64, "Writing on …")
def written(model: "LanguageModel", text: str) -> list[tuple[str, float]]:
    """The continuation, cached for all visitors."""
    return continuation(model, text, **SAMPLING)
