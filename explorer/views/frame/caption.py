"""What stands under a saved picture, so that it is understood by someone who was not there.

Every view names its own settings: a text box by its label, a choice where its widget is drawn
(`Settings.key`), and what is chosen in a picture of our own by `Settings.label`.
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
    drawn = f" · {memory.short_label(model or settings.stored('model'))}" if with_model else ""
    return [f"Riverbank: {head}{drawn}", *_folded(_pairs(settings))]


def _pairs(settings: Settings) -> list[tuple[str, str]]:
    """What was typed and chosen, each with what it is called on screen; the view stands above them."""
    values = settings.value
    texts = [(label, values(name), _readable(values(name))) for name, label in settings.text_labels.items()]
    choices = [
        (label, values(name), value_name(values(name)) or _readable(values(name)))
        for name, (label, value_name) in settings.choice_labels.items()
        if name != "view" and name not in settings.text_labels
    ]
    return [(label, text) for label, value, text in texts + choices if value not in ("", None)]


def _folded(pairs: list[tuple[str, str]]) -> list[str]:
    """A line for each long text, and one for all the rest.

    >>> _folded([("Your sentence", "A cat."), ("Layer", "2")])
    ['Your sentence: A cat. · Layer: 2']
    """
    long = [f"{label}: {text}" for label, text in pairs if len(text) > SHORT]
    short = " · ".join(f"{label}: {text}" for label, text in pairs if len(text) <= SHORT)
    return [line for line in [*long, short] if line]


def _readable(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    text = " / ".join(value.split("\n")) if isinstance(value, str) else str(value)
    return isolated(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
