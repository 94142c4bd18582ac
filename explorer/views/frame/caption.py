"""What stands under a saved picture, so that it is understood by someone who was not there."""

from collections.abc import Iterable, Mapping
from typing import Any

from explorer.views.frame import memory

LONGEST = 600  # characters of one typed text
SHORT = 40  # a text that is longer is a line of its own


def lines(page: str, view: str, stored: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Page and view, the model, what was typed, the settings; `names` are those that the view works with.

    >>> lines("Attention", "Heads", {"model": "bert", "text": "A cat.", "layer": 2, "pair": ""},
    ...       ["model", "text", "layer", "pair"])
    ['Riverbank: Attention, Heads · BERT', 'text: A cat. · layer: 2']
    """
    told = {name: stored[name] for name in dict.fromkeys(names) if name not in ("view", "tree")}
    model = told.pop("model", "")
    head = ", ".join(filter(None, (page, view)))
    made = [f"Riverbank: {head}" + (f" · {memory.short_label(model)}" if model else "")]
    short = []
    for name, value in told.items():
        if value in ("", None) or value == [] or value == {}:
            continue
        said = f"{name.replace('_', ' ')}: {_said(value)}"
        if isinstance(value, str) and len(value) > SHORT:
            made.append(said)
        else:
            short.append(said)
    return [*made, *([" · ".join(short)] if short else [])]


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = " / ".join(value.split("\n")) if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
