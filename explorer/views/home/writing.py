"""A sentence without a gap is continued, each token shaded by its probability."""

from typing import Any

import streamlit as st

from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.types import LanguageModel

# As the page Continuations opens, but shorter.
SAMPLING: dict[str, Any] = {"temperature": 0.7, "seed": 0, "length": 24}


def draw(text: str) -> kit.Saves:
    """The tokens that follow the text; none if the model finds it complete."""
    name, tokens = kit.memory.short_label(kit.WRITER), written(kit.memory.get(kit.WRITER), text)
    heading = _("{model} writes on", model=name) if tokens else _("{model} writes no more", model=name)
    st.html(f'<p class="rb-how"><b>{heading}</b></p>')
    texts = kit.blocklist.written(kit.blocklist.over(kit.WRITER, text), [token for token, __ in tokens], text)
    chips = []
    for token, (__, probability) in zip(texts, tokens):
        colour = kit.theme.mix(kit.palette().probability, probability)
        chip = {
            "text": kit.visible(token),
            "glued": not token[:1].isspace(),
            "title": kit.in_words(probability),
        }
        chips.append(chip | {"colour": colour, "ink": kit.theme.text_on(colour)})
    kit.token_strip(chips, "home/written", _("What {model} writes", model=name))
    as_table = kit.table(["token", "probability"], [*zip(texts, (p for _text, p in tokens))])
    return [
        kit.Picture("picture", "start"),
        kit.Export(N_("Continuation"), "continuation.csv", lambda: as_table),
    ]


def continuation(
    model: "LanguageModel", text: str, temperature: float, seed: int, length: int
) -> list[tuple[str, float]]:
    """The tokens that continue a text, each with its probability before temperature."""
    from explorer.analysis.generation.steps import Sampling, generate

    sampling = Sampling(temperature=temperature, seed=seed, max_new_tokens=length)
    return [(step.text, step.probability) for step in generate(model, text, sampling) if step.text]


@kit.kept(64, N_("Writing on …"))
def written(model: "LanguageModel", text: str) -> list[tuple[str, float]]:
    """The continuation, cached for all visitors."""
    return continuation(model, text, **SAMPLING)
