"""A lecture as a list of links: read from a Markdown or text file, whose headings come along.

    # Word senses
    * [The senses of bank part](/senses?layer=6)
    * [Before any context](http://localhost:8501/senses?layer=0): the same vector everywhere

A link leads to a page of this app, by its path alone or with the address of this server; what leads
elsewhere stays text. The text may come from anybody: of it only the names of pages, their settings, and
words to be shown are taken.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from explorer.errors import TextError
from explorer.views.frame import hosts
from explorer.views.frame.settings import PRESENT

ENDINGS = (".md", ".markdown", ".txt")
MOST_CHARACTERS = 200_000
MOST_ITEMS = 200
LONGEST = 90  # characters of a line in the sidebar
MOST_SETTINGS = 100  # of one link
FIRST_PAGE = "home"
HINT = "A line may be: [The senses of bank part](/senses?layer=6)."

HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$")
# [label](address "title"), <address>, an address as it stands, or a path at the end of a line.
LINK = re.compile(
    r"\[(?P<label>[^\[\]\n]*)\]\(\s*<?(?P<of>[^\s)>]+)>?[^)\n]*\)"
    r"|<?(?P<bare>https?://[^\s<>]+)>?"
    r"|(?<!\S)(?P<path>/[\w-]+(?:\?\S*)?)(?=\s*$)"
)
BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])(?:\s+|$)|[*_`]{1,3}|[\s:,;–-]+$")


@dataclass(frozen=True)
class Item:
    """A line of a lecture: a heading, a text, or a stop, which has a page and its settings as a link has."""

    text: str
    heading: bool = False
    page: str = ""
    link: Mapping[str, str] | None = None

    @property
    def stop(self) -> bool:
        """Whether it leads to a page."""
        return self.link is not None


def read(text: str, pages: Mapping[str, str], host: str = "") -> list[Item]:
    """The headings and links of a text; `pages` are the names of all pages with their titles.

    Raises TextError for a text that is too long, or leads to no page of this app.

    >>> lecture = read("# One\\n[Bank](/senses?layer=6)", {"senses": "Word senses"})
    >>> [(item.text, item.page, item.link) for item in lecture]
    [('One', '', None), ('Bank', 'senses', {'layer': '6'})]
    """
    if len(text) > MOST_CHARACTERS:
        raise TextError(
            f"The list has {len(text):,} characters; a lecture has {MOST_CHARACTERS:,} at most.", HINT
        )
    items: list[Item] = []
    for line in text.splitlines():
        if heading := HEADING.match(line):
            items.append(Item(_short(LINK.sub(lambda found: found["label"] or "", heading[1])), heading=True))
        for found in LINK.finditer(line):
            items.append(_item(line, found, pages, host))
    items = items[:MOST_ITEMS]
    if not any(item.stop for item in items):
        raise TextError("No link in this text leads to a page of Riverbank.", HINT)
    return items


def _item(line: str, found: "re.Match[str]", pages: Mapping[str, str], host: str) -> Item:
    address = found["of"] or found["path"] or found["bare"].rstrip(".,;")
    label = found["label"] or BULLET.sub("", LINK.sub("", line).strip())
    target = _target(address, pages, host)
    if target is None:
        return Item(_short(f"{label} ({address})" if label else address))
    page, link = target
    return Item(_short(label or pages[page]), page=page, link=link)


def _target(address: str, pages: Collection[str], host: str) -> tuple[str, dict[str, str]] | None:
    """The page and the settings that an address names; None for one that leads elsewhere."""
    try:
        parts = urlsplit(address)
        asked = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=MOST_SETTINGS)
        own = {hosts.name(host), *hosts.LOOPBACK} - {""}
        here = not (parts.scheme or parts.netloc)
        here = here or (parts.scheme in ("http", "https") and (parts.hostname or "") in own)
    except ValueError:
        return None
    page = parts.path.rstrip("/").rpartition("/")[2] or FIRST_PAGE
    return (
        (page, {name: value for name, value in asked if name != PRESENT}) if here and page in pages else None
    )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
