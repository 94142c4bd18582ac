"""The lines under a saved picture, which explain it to someone who was not in class.

A view names its settings: a text box has its label, a widget its key (`Settings.key`), and a choice in a
component of our own is named by `Settings.label`.
"""

from collections.abc import Callable
from typing import Any

from explorer import __version__
from explorer.locale import _
from explorer.server import memory
from explorer.views.settings.setting import VIEW_NAME
from explorer.views.settings.settings import Settings
from explorer.views.widgets.quoted import isolated

LONGEST = 600  # characters of one typed text
SHORT = 40  # characters; a longer text has a line of its own


def lines(title: str, view: str, settings: Settings, model: str = "") -> list[str]:
    """The page and its view, the model, the texts and the choices of this run, as they are called on screen.

    `model` is the one that is drawn if it is not the page's choice.
    """
    head = ", ".join(filter(None, (title, view)))
    with_model = "model" in settings.defaults
    model_name = f" · {_model(model or settings.chosen('model'))}" if with_model else ""
    return [f"Riverbank {__version__}: {head}{model_name}", *_folded(_pairs(settings))]


def aloud(settings: Settings) -> str:
    """What is set, to be heard: of a long text its length, as some views hide a part of it."""
    return " ".join(_folded(_pairs(settings), lambda text: _("{count} characters.", count=len(text))))


def _model(name: str) -> str:
    """A model's name, and for one from the hub where it is and which of its commits was read."""
    from explorer.checkpoints import hub
    from explorer.trace import Checkpoint

    if not name.startswith("hub:"):
        return memory.short_label(name)
    folder = hub.cached(Checkpoint.parse(name))
    return f"{name.partition('@')[0]}@{folder.name[:12]}" if folder else name


def view_label(settings: Settings) -> str:
    """The label of the chosen view; empty on a page with one view."""
    return settings.views.get(settings.chosen(VIEW_NAME), "") if settings.views else ""


def _pairs(settings: Settings) -> list[tuple[str, str]]:
    """The texts and choices, each with its label on screen, without the view."""
    values = settings.value
    texts = [(label, values(name), _readable(values(name))) for name, label in settings.text_labels.items()]
    choices = [
        (label, values(name), value_name(values(name)) or _readable(values(name)))
        for name, (label, value_name) in settings.choice_labels.items()
        if name != "view" and name not in settings.text_labels
    ]
    return [(label, text) for label, value, text in texts + choices if value not in ("", None)]


def _folded(pairs: list[tuple[str, str]], said: Callable[[str], str] = str) -> list[str]:
    """A line for each long text, as it is `said`, and one line for all others.

    >>> _folded([("Your sentence", "A cat."), ("Layer", "2")])
    ['Your sentence: A cat. · Layer: 2']
    >>> _folded([("Layer", "2"), ("Your sentence", "A cat." * 9)], lambda text: f"{len(text)} characters.")
    ['Your sentence: 54 characters.', 'Layer: 2']
    """
    long = [_("{label}: {text}", label=label, text=said(text)) for label, text in pairs if len(text) > SHORT]
    short = " · ".join(
        _("{label}: {text}", label=label, text=text) for label, text in pairs if len(text) <= SHORT
    )
    return [line for line in [*long, short] if line]


def _readable(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, float):
        return f"{value:g}"
    text = " / ".join(value.split("\n")) if isinstance(value, str) else str(value)
    return isolated(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
