"""A session file: a page's settings as a small JSON text, which opens the same view again.

    {"riverbank": 1, "page": "senses", "settings": {"word": "bank", "layer": 6, ...}}

It carries texts that are too long for a link. It may come from anybody: what is not a setting of
the page, or not of its type, is left out, and nothing in it is ever run.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from explorer.errors import TextError
from explorer.views.frame.setting import LONGEST_OF_ALL
from explorer.views.frame.settings import Settings

VERSION = 1
MOST_BYTES = 1_000_000
HINT = "“Save”, above, makes one: “This session”."


@dataclass(frozen=True)
class Session:
    """What a session file holds: the page it was saved on, and that page's settings."""

    page: str
    settings: dict[str, Any]


def write(settings: Settings) -> str:
    """A page's settings as the text of a session file."""
    told = {"riverbank": VERSION, "page": settings.page, "settings": settings.values()}
    return json.dumps(told, ensure_ascii=False, indent=1)


def read(name: str, size: int, text: str | None, pages: Collection[str]) -> Session:
    """What a file called `name` holds; `text` is None where it was too large to be sent.

    Raises TextError for anything but a session file of one of these pages, and for one with a text
    longer than a page takes.
    """
    if text is None or size > MOST_BYTES:
        raise TextError(
            f"“{name}” is {size / 1e6:.1f} MB; a session file is {MOST_BYTES / 1e6:.0f} MB at most.", HINT
        )
    told = _told(text)
    if not isinstance(told, dict) or not isinstance(told.get("settings"), dict) or "riverbank" not in told:
        raise TextError(f"“{name}” is not a session file.", HINT)
    if told["riverbank"] != VERSION:
        raise TextError(
            f"“{name}” is a session file of another version ({str(told['riverbank'])[:20]}).",
            f"This Riverbank reads version {VERSION}.",
        )
    if told.get("page") not in pages:
        raise TextError(f"“{name}” was saved on a page that is not here.", HINT)
    for setting, value in told["settings"].items():
        if isinstance(value, str) and len(value) > LONGEST_OF_ALL:
            raise TextError(
                f"“{name}” has a text of {len(value):,} characters ({setting[:40]}).",
                f"A page takes {LONGEST_OF_ALL:,} at most.",
            )
    return Session(told["page"], told["settings"])


def apply(session: Session, settings: Settings) -> None:
    """Take over a session's values; what it does not say, or says in another type, is the default."""
    given = session.settings
    settings.accept({name: given.get(name, default) for name, default in settings.defaults.items()})


def _told(text: str) -> Any:
    """What a JSON text says; None for any other text."""
    try:
        return json.loads(text, parse_constant=lambda name: None)
    except (ValueError, RecursionError):
        return None
