"""A lecture as a list of links and headings, read from a Markdown or text file.

    # Word senses
    * [The senses of bank part](/senses?layer=6)
    * [Before any context](http://localhost:8501/senses?layer=0): the same vector everywhere
    * [What fits [MASK] here?](/masked?text=The [MASK] of the river (in autumn))

A link leads to a page of this app, by its path or with the address of this server; other links stay text.
The text may come from anybody: only names of pages, their settings, and words to be shown are taken from
it. An address may hold spaces, which Markdown itself does not allow.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote, unquote_plus, urlsplit

import regex

from explorer.errors import TextError
from explorer.views.frame import hosts, moved
from explorer.views.frame.lecture_links import NUMBER_AT_END, Piece, lines_of_links
from explorer.views.frame.settings import PRESENT

ENDINGS = (".md", ".markdown", ".txt")
MOST_CHARACTERS = 200_000
MOST_ITEMS = 200
LONGEST = 90  # characters of a line in the sidebar
MOST_SETTINGS = 100  # of one link
MOST_NAMED = 5  # lines whose problems a message names
FIRST_PAGE = "home"
HINT = "A line may be: [The senses of bank part](/senses?layer=6)."

BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])(?:\s+|$)")
AFTER_LABEL = " \t:,;–-"
SETTING = re.compile(r"&(?=[\w.]+=)")  # the “&” before a setting; any other one belongs to a value


@dataclass(frozen=True)
class Item:
    """A line of a lecture: a heading, a text, or a stop, which has a page and its settings as a link has.

    `problem` says why a link was not taken, and in which line it is.
    """

    text: str
    heading: bool = False
    page: str = ""
    link: Mapping[str, str] | None = None
    problem: str = ""

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
    items = list(_items(text, pages, host))
    if len(items) > MOST_ITEMS:
        last = f"The list has {len(items):,} lines; the first {MOST_ITEMS} are taken."
        items = [*items[: MOST_ITEMS - 1], replace(items[MOST_ITEMS - 1], problem=last)]
    if not any(item.stop for item in items):
        raise TextError(f"No link in this text leads to a page of Riverbank. {problems(items)}".strip(), HINT)
    return items


def problems(items: Collection[Item]) -> str:
    """A message about the links that were not taken: the first few, by their lines; "" if all were.

    >>> problems([Item("x", problem="Line 3: “/nowhere” is no page of Riverbank.")])
    'Line 3: “/nowhere” is no page of Riverbank.'
    """
    reasons = list(dict.fromkeys(item.problem for item in items if item.problem))
    more = f" There are {len(reasons) - MOST_NAMED} more like these." if len(reasons) > MOST_NAMED else ""
    return " ".join(reasons[:MOST_NAMED]) + more


def _items(text: str, pages: Mapping[str, str], host: str) -> Iterator[Item]:
    for line in lines_of_links(text, pages):
        words = " ".join(piece.text for piece in line.pieces if not piece.bare)
        if line.heading:
            yield Item(_short(words), heading=True)
        rest = BULLET.sub("", "".join(piece.text for piece in line.pieces if piece.address is None).strip())
        rest = rest.rstrip(AFTER_LABEL)
        rest = rest if regex.search(r"[\p{L}\p{N}\p{S}]", rest) else ""
        for piece in line.pieces:
            if piece.address is not None:
                yield _item(piece, piece.address, rest, line.number, pages, host)
        if line.problem:
            yield Item(_short(words), problem=f"Line {line.number}: {line.problem}")


def _item(piece: Piece, address: str, rest: str, number: int, pages: Mapping[str, str], host: str) -> Item:
    """A stop, or the text of a link that leads elsewhere."""
    label = rest if piece.bare else piece.text.strip() or rest
    page, link, reason = _target(address, pages, host)
    if link is None:
        problem = f"Line {number}: {reason}" if reason else ""
        return Item(_short(f"{label} ({address})" if label else address), problem=problem)
    return Item(_short(label or pages[page]), page=page, link=link)


def _target(address: str, pages: Collection[str], host: str) -> tuple[str, dict[str, str] | None, str]:
    """The page that an address names, its settings, and its problem.

    The settings are None if it leads elsewhere; the problem is "" unless it seems meant for a page here.
    """
    address = address.strip()
    own = {hosts.name(host), *hosts.LOOPBACK} - {""}
    if address.partition("/")[0].partition(":")[0] in own:  # localhost:8501/senses
        address = f"http://{address}"
    try:
        parts = urlsplit(address)
        plain = not (parts.scheme or parts.netloc)
        here = plain or (parts.scheme in ("http", "https") and (parts.hostname or "") in own)
    except ValueError:
        return "", None, f"“{address:.80}” is no address."
    page = parts.path.rstrip("/").rpartition("/")[2] or FIRST_PAGE
    if not here:
        ours = parts.scheme in ("http", "https") and page in pages and page != FIRST_PAGE
        return "", None, f"{parts.hostname} is another server than this one." if ours else ""
    if page not in pages:
        return "", None, f"“{parts.path:.60}” is no page of Riverbank."
    # In a text “#” is a character (C#); after a number it begins a fragment.
    place = f"#{parts.fragment}" if "#" in address and not NUMBER_AT_END.search(f"?{parts.query}") else ""
    query = parts.query + place if parts.query else ""
    settings = SETTING.split(query)
    if len(settings) > MOST_SETTINGS:
        return "", None, f"a link has {MOST_SETTINGS} settings at most."
    # In an address with spaces, “+” is a plus sign.
    decoded = unquote if " " in query else unquote_plus
    pairs = [tuple(map(decoded, setting.partition("=")[::2])) for setting in settings if setting]
    page, link = moved.current(page, {name: value for name, value in pairs if name != PRESENT})
    return page, link, ""


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
