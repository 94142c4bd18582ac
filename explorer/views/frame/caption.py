"""What stands under a saved picture, so that it is understood by someone who was not there.

Every view names its own settings: a text box by its label, a choice where its widget is drawn
(`Settings.key`), and what is chosen in a picture of our own by `Settings.name`.
"""

from typing import Any

from explorer.views.frame import memory
from explorer.views.frame.settings import Settings
from explorer.views.widgets.quoted import isolated

LONGEST = 600  # characters of one typed text
SHORT = 40  # a text that is longer is a line of its own


def lines(title: str, view: str, settings: Settings, model: str = "") -> list[str]:
    """Page and view, the model, what was typed, the choices: of what this run has drawn, in its words.

    `model` is the one that is drawn, where a view has another than the page's choice.
    """
    head = ", ".join(filter(None, (title, view)))
    with_model = "model" in settings.defaults
    told = f" · {memory.short_label(model or settings.stored('model'))}" if with_model else ""
    return [f"Riverbank: {head}{told}", *_folded(_pairs(settings))]


def _pairs(settings: Settings) -> list[tuple[str, str]]:
    """What was typed and chosen, each with what it is called on screen; the view stands above them."""
    typed = [(label, settings[name], _said(settings[name])) for name, label in settings.typed.items()]
    chosen = [
        (label, settings[name], named(settings[name]) or _said(settings[name]))
        for name, (label, named) in settings.named.items()
        if name != "view" and name not in settings.typed
    ]
    return [(label, said) for label, value, said in typed + chosen if value not in ("", None)]


def _folded(pairs: list[tuple[str, str]]) -> list[str]:
    """A line for each long text, and one for all the rest.

    >>> _folded([("Your sentence", "A cat."), ("Layer", "2")])
    ['Your sentence: A cat. · Layer: 2']
    """
    told = [f"{label}: {said}" for label, said in pairs]
    long = [line for line, (_, said) in zip(told, pairs) if len(said) > SHORT]
    short = " · ".join(line for line, (_, said) in zip(told, pairs) if len(said) <= SHORT)
    return [line for line in [*long, short] if line]


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    text = " / ".join(value.split("\n")) if isinstance(value, str) else str(value)
    return isolated(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
