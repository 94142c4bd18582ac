"""What stands under a saved picture, so that it is understood by someone who was not there."""

from typing import Any

from explorer.views.frame import memory
from explorer.views.frame.caption_words import IN_PICTURES, VALUES, WORDS
from explorer.views.frame.settings import Settings

LONGEST = 600  # characters of one typed text
SHORT = 40  # a text that is longer is a line of its own


def lines(title: str, view: str, settings: Settings) -> list[str]:
    """Page and view, the model, what was typed, the choices: of what this run has drawn, in its words."""
    head = ", ".join(filter(None, (title, view)))
    with_model = "model" in settings.defaults
    told = f" · {memory.short_label(settings.stored('model'))}" if with_model else ""
    return [f"Riverbank: {head}{told}", *_folded(_pairs(settings))]


def _pairs(settings: Settings) -> list[tuple[str, str]]:
    """What was typed and chosen, each with what it is called on screen."""
    view = settings.stored("view") if "view" in settings.defaults else ""
    chosen = [*settings.asked, *IN_PICTURES.get((settings.page, view), ())]
    named = settings.typed | {name: _word(name, settings.page) for name in chosen if name in WORDS}
    return [
        (label, _said(name, settings[name]))
        for name, label in named.items()
        if settings[name] not in ("", None)
    ]


def _folded(pairs: list[tuple[str, str]]) -> list[str]:
    """A line for each long text, and one for all the rest.

    >>> _folded([("your sentence", "A cat."), ("layer", "2")])
    ['Your sentence: A cat. · layer: 2']
    """
    told = [f"{label}: {said}" for label, said in pairs]
    long = [line for line, (_, said) in zip(told, pairs) if len(said) > SHORT]
    short = " · ".join(line for line, (_, said) in zip(told, pairs) if len(said) <= SHORT)
    return [line[:1].upper() + line[1:] for line in [*long, short] if line]


def _word(name: str, page: str) -> str:
    word = WORDS[name]
    return word if isinstance(word, str) else word[page]


def _said(name: str, value: Any) -> str:
    known = VALUES.get(name, {})
    if isinstance(value, str | int) and value in known:
        return known[value]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in ("compare_model", "masker", "second"):
        return memory.short_label(str(value))
    if isinstance(value, float):
        return f"{value:g}"
    text = " / ".join(value.split("\n")) if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
