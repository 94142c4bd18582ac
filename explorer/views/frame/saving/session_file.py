"""A session file: a page's settings as a small JSON text, which opens the same view again.

    {"riverbank": 1, "page": "senses", "settings": {"word": "bank", "layer": 6, ...}}

It holds texts that are too long for a link. It may come from anybody: what is not a setting of the page, or
is of another type, is ignored, and nothing in it is executed.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from explorer.errors import TextError
from explorer.views.frame import moved
from explorer.views.settings.setting import LONGEST_OF_ALL
from explorer.views.settings.settings import Settings

VERSION = 1
MOST_BYTES = 1_000_000
HINT = "“Save”, above, makes one: “This session”."


@dataclass(frozen=True)
class Session:
    """The content of a session file: the page on which it was saved, and that page's settings."""

    page: str
    settings: dict[str, Any]


def write(settings: Settings) -> str:
    """A page's settings as the text of a session file."""
    content = {"riverbank": VERSION, "page": settings.page, "settings": settings.values()}
    return json.dumps(content, ensure_ascii=False, indent=1)


def read(name: str, size: int, text: str | None, pages: Collection[str]) -> Session:
    """The session in a file called `name`; `text` is None if it was too large to be sent.

    Raises TextError unless it is a session file of one of these pages, and if a text in it is longer than a
    page takes.
    """
    if text is None or size > MOST_BYTES:
        raise TextError(
            f"“{name}” is {size / 1e6:.1f} MB; a session file is {MOST_BYTES / 1e6:.0f} MB at most.", HINT
        )
    content = _parse(text)
    if (
        not isinstance(content, dict)
        or not isinstance(content.get("settings"), dict)
        or "riverbank" not in content
    ):
        raise TextError(f"“{name}” is not a session file.", HINT)
    if content["riverbank"] != VERSION:
        raise TextError(
            f"“{name}” is a session file of another version ({str(content['riverbank'])[:20]}).",
            f"This Riverbank reads version {VERSION}.",
        )
    if content.get("page") not in pages:
        raise TextError(f"“{name}” was saved on a page that is not here.", HINT)
    for setting, value in content["settings"].items():
        if isinstance(value, str) and len(value) > LONGEST_OF_ALL:
            raise TextError(
                f"“{name}” has a text of {len(value):,} characters ({setting[:40]}).",
                f"A page takes {LONGEST_OF_ALL:,} at most.",
            )
    return Session(*moved.resolve(content["page"], content["settings"]))


def apply(session: Session, settings: Settings) -> None:
    """Take over a session's values; missing ones, and those of another type, become the default."""
    values = session.settings
    settings.accept({name: values.get(name, default) for name, default in settings.defaults.items()})


def _parse(text: str) -> Any:
    """The value of a JSON text; None for any other text."""
    try:
        return json.loads(text, parse_constant=lambda name: None)
    except (ValueError, RecursionError):
        return None
