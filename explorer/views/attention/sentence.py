"""What the views of the attention page share: the trace of the texts, the selected token, tokens as words.

The selected token is a setting, so a link contains it, together with its word: if the text or the model
changes, the selection follows the word, and ends if the word is gone.
"""

from dataclasses import dataclass
from typing import Any

from explorer.catalogue.ability import Ability
from explorer.errors import AbilityError
from explorer.locale import _
from explorer.views import kit
from explorer.views.attention.settings import (
    ACROSS,
    COMPARE_CELL,
    HEAD,
    HIDE,
    INSIDE_TO,
    LAYER,
    MODEL,
    TEXT,
    TOKENS,
)
from explorer.views.types import Encoding, Model, Trace
from explorer.views.widgets.two_texts import pair

# Selections within the text: another text resets them. The selected token follows its word instead.
RESETS = [ACROSS.to(None), INSIDE_TO.to(None), COMPARE_CELL.to(None), TOKENS.to(None)]


@dataclass(frozen=True)
class SelectedToken:
    """A selected token, on the side of those that read ("from") or of those that are read ("to")."""

    side: str
    position: int
    word: str

    @classmethod
    def read(cls, setting: Any) -> "SelectedToken | None":
        """The token of a setting [side, position, word]; None for any other value."""
        match setting:
            case ["from" | "to" as side, int(position), str(word)]:
                return cls(side, position, word)
        return None

    def follow(self, words: list[str]) -> "SelectedToken | None":
        """The nearest occurrence of the same word among other words; None if there is no such word."""
        places = [i for i, word in enumerate(words) if word == self.word]
        if not places:
            return None
        return SelectedToken(self.side, min(places, key=lambda i: abs(i - self.position)), self.word)

    @property
    def setting(self) -> list[Any]:
        """The value of the setting."""
        return [self.side, self.position, self.word]


def trace(settings: kit.Settings, model: "Model") -> "Trace":
    """The trace of the page's texts, with attention. Raises AbilityError for a model without attention."""
    from explorer.trace import Capture

    if not model.abilities & Ability.ATTENTION:
        raise AbilityError(
            _("{model} has no attention to look at: it reads without heads.", model=model.checkpoint),
            _("Choose a Transformer, such as BERT or GPT, in the picker."),
        )
    second = pair(settings, model) or None
    return kit.memory.trace(model, settings[TEXT], second, Capture.ATTENTION, kit.LIVE_TOKENS)


def layers_and_heads(trace: "Trace") -> tuple[int, int]:
    """The number of layers, and of heads in each."""
    from explorer.trace import captured

    layers, heads = captured(trace.attention).pattern.shape[:2]
    return layers, heads


def choose(settings: kit.Settings, trace: "Trace", *chosen: kit.Setting[int]) -> None:
    """Select boxes for those of layer and head that are given."""
    layers, heads = layers_and_heads(trace)
    for setting, label, size in ((LAYER, _("Layer"), layers), (HEAD, _("Head"), heads)):
        if setting in chosen:
            kit.numbered(settings, setting, label, size)


def hide_special(settings: kit.Settings, trace: "Trace") -> None:
    """A toggle that leaves special tokens out."""
    kit.switch(settings, HIDE, _("Hide special tokens"), disabled=not trace.encoding.special.any())


def nothing_typed(settings: kit.Settings, trace: "Trace") -> bool:
    """Whether there is no token to draw."""
    ordinary = trace.encoding.special.logical_not().any()
    return not (settings[TEXT].strip() or trace.encoding.pair) or not (ordinary or not settings[HIDE])


def words(encoding: "Encoding") -> list[str]:
    """The text of each token without spaces and in lower case, to compare tokens of different models."""
    return [encoding.surface(i).strip().casefold() for i in range(len(encoding))]


def example_input(page: "kit.OpenPage[Trace]") -> dict[str, Any]:
    """The arguments that all functions of `examples` have in common: the model and its texts."""
    settings = page.settings
    return {
        "model": kit.Load(settings[MODEL]),
        "text": settings[TEXT],
        "pair": pair(settings, page.model) or None,
        "limit": kit.LIVE_TOKENS,
    }
