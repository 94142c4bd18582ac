"""Step by step: one layer of a model on a short text, from the vectors that enter to those that leave."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import memory
from explorer.views.frame.example import Example, Load
from explorer.views.frame.saving import Export, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, nothing
from explorer.views.transformer.parts import Worked
from explorer.views.transformer.presets import DEFAULTS
from explorer.views.transformer.presets import STEPS as PRESETS
from explorer.views.widgets import two_texts

if TYPE_CHECKING:
    from explorer.analysis.attention.inside_head import InsideHead
    from explorer.models import LanguageModel, Model

__all__ = [
    "LABEL",
    "MODEL",
    "NEEDS",
    "PRESETS",
    "SETTINGS",
    "ask",
    "below",
    "controls",
    "draw",
    "example",
    "reading",
    "work",
]

LABEL = "Step by step"
SETTINGS = {name: DEFAULTS[name] for name in ("layer", "head")}
NEEDS, MODEL = ("ATTENTION",), "bert"
TOKENS = 12
below = nothing


def ask(settings: Settings, model: "LanguageModel | None") -> None:
    """The sentence, and a second one where the model reads pairs."""
    assert model is not None
    two_texts.second_text(settings, two_texts.first_text(settings), model)


def work(settings: Settings, model: "LanguageModel | None") -> "InsideHead":
    """The chosen head with the vectors that enter its layer."""
    from explorer.analysis.attention.inside_head import inside
    from explorer.trace import Capture

    assert model is not None
    pair = two_texts.pair(settings, model) or None
    capture = (Capture.HIDDEN | Capture.ATTENTION).value
    trace = memory.trace(settings["model"], settings["text"], pair, capture, TOKENS)
    return inside(trace, settings["layer"], settings["head"])


def controls(page: "Page[Worked[InsideHead]]") -> None:
    """Layer and head."""
    config = page.model.config
    for name, size in (("layer", config.layers), ("head", config.heads)):
        page.settings.fit(**{name: min(max(page.settings[name], 0), size - 1)})
        st.selectbox(
            name.capitalize(),
            range(size),
            key=page.settings.key(name),
            width=130,
            label_visibility="collapsed",
            format_func=f"{name.capitalize()} {{}}".format,
        )


def draw(page: "Page[Worked[InsideHead]]") -> Saves:
    """The weights of the head, for now as a table."""
    weights = page.data.found.weights.tolist()
    st.dataframe(weights)
    names = [str(number) for number in range(len(weights))]
    return [Export("Weights", "weights.csv", lambda: table(names, weights))]


def reading(page: "Page[Worked[InsideHead]]") -> Reading:
    """How to read it."""
    return Reading("A row is a token that reads; its weights add up to 1.")


def example(page: "Page[Worked[InsideHead]]") -> Example:
    """The weights from Python."""
    settings = page.settings
    return Example(
        weights,
        model=Load(settings["model"]),
        text=settings["text"],
        layer=settings["layer"],
        head=settings["head"],
    )


def weights(model: "Model", text: str, layer: int, head: int) -> list[list[float]]:
    """The weights of one head, a row for each token that reads."""
    return model.trace(text).attention.pattern[layer, head].tolist()  # type: ignore[union-attr]
