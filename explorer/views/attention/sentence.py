"""What the views of the attention page share: the texts, their trace, the selected token, tokens' names.

A selected token is a setting of its own, so a link opens with it. It carries its word: when the text,
the model or the hidden tokens change, the selection follows the word, and ends where the word is gone.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import AbilityError
from explorer.views.attention.settings import (
    ACROSS,
    COMPARE_CELL,
    HEAD,
    HIDE,
    INSIDE_TO,
    LAYER,
    LOOK_STEP,
    MODEL,
    TEXT,
    TOKENS,
)
from explorer.views.frame import memory
from explorer.views.frame.example import Load
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.setting import Setting
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page
from explorer.views.widgets.numbered import numbered
from explorer.views.widgets.two_texts import pair

if TYPE_CHECKING:
    from explorer.models import Model
    from explorer.trace import Encoding, Trace

# What points into the sentence, on whatever view; a selected token follows its word instead.
# What points into a text; another text resets it.
RESETS = [ACROSS.to(None), INSIDE_TO.to(None), LOOK_STEP.to(0), COMPARE_CELL.to(None), TOKENS.to(None)]


@dataclass(frozen=True)
class SelectedToken:
    """The token that a click selects: what it reads ("from"), or what reads it ("to")."""

    side: str
    position: int
    word: str

    @classmethod
    def read(cls, setting: Any) -> "SelectedToken | None":
        """The setting [side, position, word]; None where nothing is selected, and for anything else."""
        match setting:
            case ["from" | "to" as side, int(position), str(word)]:
                return cls(side, position, word)
        return None

    def follow(self, words: list[str]) -> "SelectedToken | None":
        """The same word among a text's words, the nearest to where it stood; None where it is gone."""
        places = [i for i, word in enumerate(words) if word == self.word]
        if not places:
            return None
        return SelectedToken(self.side, min(places, key=lambda i: abs(i - self.position)), self.word)

    @property
    def setting(self) -> list[Any]:
        """What the link keeps."""
        return [self.side, self.position, self.word]


def trace(settings: Settings, model: "Model") -> "Trace":
    """The page's text through the page's model, with the attention kept.

    Raises AbilityError for a model that has none.
    """
    from explorer.trace import Ability, Capture

    if not model.abilities & Ability.ATTENTION:
        raise AbilityError(
            f"{model.checkpoint} has no attention to look at: it reads without heads.",
            "Choose a Transformer, such as BERT or GPT, in the picker.",
        )
    second = pair(settings, model) or None
    return memory.trace(model, settings[TEXT], second, Capture.ATTENTION, LIVE_TOKENS)


def layers_and_heads(trace: "Trace") -> tuple[int, int]:
    """How many layers there are, and how many heads in each."""
    from explorer.trace import captured

    layers, heads, *_ = captured(trace.attention).pattern.shape
    return layers, heads


def choose(settings: Settings, trace: "Trace", *chosen: Setting[int]) -> None:
    """Select boxes for the layer and the head, as far as they are named here."""
    layers, heads = layers_and_heads(trace)
    for setting, size in ((LAYER, layers), (HEAD, heads)):
        if setting in chosen:
            numbered(settings, setting, setting.capitalize(), size)


def hide_special(settings: Settings, trace: "Trace") -> None:
    """The toggle that leaves special tokens out."""
    st.toggle(
        "Hide special tokens",
        key=settings.key(HIDE, "Hide special tokens"),
        disabled=not trace.encoding.special.any(),
    )


def nothing_typed(settings: Settings, trace: "Trace") -> bool:
    """Whether there is no token to draw."""
    ordinary = trace.encoding.special.logical_not().any()
    return not (settings[TEXT].strip() or trace.encoding.pair) or not (ordinary or not settings[HIDE])


def words(encoding: "Encoding") -> list[str]:
    """What each token stands for, whatever the tokenizer: lower case, without the space before it."""
    return [encoding.surface(i).strip().casefold() for i in range(len(encoding))]


def example_input(page: "Page[Trace]") -> dict[str, Any]:
    """What the functions of `examples` are called with on every view: the model and what it reads."""
    settings = page.settings
    return {
        "model": Load(settings[MODEL]),
        "text": settings[TEXT],
        "pair": pair(settings, page.model) or None,
        "limit": LIVE_TOKENS,
    }
