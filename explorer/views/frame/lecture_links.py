"""The lines of a Markdown text that hold links or are headings, with their words and addresses.

Markdown is read by markdown-it, with four liberties, since a list of links is often written by hand: an
address may hold spaces, an address or a path that stands alone is a link too, and code is no code where a
whole line is indented or fenced.
"""

import re
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from explorer.files.lines import lines_of

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST_LINE = 5_000  # characters: a page writes no longer links
FENCE = re.compile(r"\s*(?:```|~~~)")
# An address as it stands, and a path at the end of a line.
ADDRESS = re.compile(r"https?://[^\s<>]+")
PATH = re.compile(r"(?<!\S)/[A-Za-z0-9_-]+(?:\?\S*)?(?=\s*$)")
# After the “](” of a link: an address as Markdown has it, with or without a title.
PLAIN = re.compile(r"\s*(?:<.*>|\S*)(?:\s+(?:\".*\"|'.*'|\(.*\)))?\s*")
TITLE = re.compile(r"\s+(?:\"[^\"]*\"|'[^']*')\s*$")


@dataclass(frozen=True)
class Piece:
    """A part of a line: its words, and its address where it is a link; `bare` where it is nothing else."""

    text: str
    address: str | None = None
    bare: bool = False
    code: bool = False


@dataclass(frozen=True)
class Line:
    """A line with its number in the text, from 1; `problem` says which link in it cannot be read, and why."""

    number: int
    pieces: tuple[Piece, ...]
    heading: bool = False
    problem: str = ""


def lines_of_links(text: str, pages: Collection[str]) -> Iterator[Line]:
    """The headings, the lines with links, and those with what looks like a link to one of `pages`.

    >>> [line] = lines_of_links("See [*Bank*](/senses?layer=6).", ["senses"])
    >>> line.pieces[1]
    Piece(text='Bank', address='/senses?layer=6', bare=False, code=False)
    """
    lines = lines_of(text)
    for number in (number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE):
        beginning = Piece(f"{lines[number - 1][:80]} …")
        yield Line(number, (beginning,), problem=f"a line has {LONGEST_LINE:,} characters at most.")
    # A line is a paragraph of its own: a link ends in its line, and what strangers paste is read quickly.
    paragraphs = [
        "" if FENCE.match(line) or len(line) > LONGEST_LINE else _with_spaces(line) for line in lines
    ]
    names, heading = frozenset(pages), False
    for token in _parser().parse("\n\n".join(paragraphs)):
        heading = token.type == "heading_open" or (heading and token.type == "inline")
        if token.type == "inline":
            pieces = tuple(_with_bare(_pieces(token.children or [])))
            line = Line((token.map or [0])[0] // 2 + 1, pieces, heading, _problem(pieces, names))
            if heading or line.problem or any(piece.address is not None for piece in pieces):
                yield line


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).disable("code")
    # Where a link leads is looked at later: here it only has to be seen, and as it was written.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return parser


def _with_spaces(line: str) -> str:
    """A line whose addresses with spaces stand in angle brackets, as Markdown wants them.

    >>> _with_spaces("[What?](/masked?text=The bank (of a river)) and more")
    '[What?](</masked?text=The bank (of a river)>) and more'
    """
    parts, at = [], 0
    while (start := line.find("](", at) + 2) > 1:
        end = _closing(line, start)
        address = line[start:end]
        if end < len(line) and not PLAIN.fullmatch(address):
            title = TITLE.search(address)
            address, title_text = (address[: title.start()], title[0]) if title else (address, "")
            address = re.sub("([<>])", r"\\\1", address.strip())
            parts += [line[at:start], f"<{address}>{title_text}"]
        else:
            parts.append(line[at:end])
        at = end
    return "".join([*parts, line[at:]])


def _closing(line: str, start: int) -> int:
    """Where the bracket closes that opened before `start`; the last one where brackets do not match."""
    depth = 1
    for at in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        if depth == 0:
            return at
    last = line.rfind(")", start)
    return last if last >= 0 else len(line)


def _pieces(tokens: "Sequence[Token]") -> list[Piece]:
    """The words and the links of a line, without the marks that make them bold or the like."""
    pieces: list[Piece] = []
    link: Piece | None = None
    for token in tokens:
        if token.type == "link_open":
            link = Piece("", str(token.attrs.get("href", "")), bare=token.info == "auto")
        elif token.type == "link_close" and link is not None:
            pieces.append(link)
            link = None
        elif link is None:
            pieces.append(Piece(token.content, code=token.type == "code_inline"))
        elif not link.bare:
            link = replace(link, text=link.text + token.content)
    return pieces


def _with_bare(pieces: list[Piece]) -> Iterator[Piece]:
    """The pieces of a line, with the addresses that stand in its text by themselves."""
    runs = _runs(pieces)
    for number, piece in enumerate(runs, 1):
        if piece.address is not None or piece.code:
            yield piece
            continue
        at = 0
        matches = list(ADDRESS.finditer(piece.text))
        if number == len(runs):
            matches += [match for match in PATH.finditer(piece.text) if not matches]
        for match in matches:
            address = match[0]
            if match.re is ADDRESS:  # a path may be a sentence's: its full stop is its own
                address = address.rstrip(".,;")
                address = address.removesuffix(")") if address.count(")") > address.count("(") else address
            yield Piece(piece.text[at : match.start()])
            yield Piece("", address, bare=True)
            at = match.start() + len(address)
        yield Piece(piece.text[at:])


def _runs(pieces: list[Piece]) -> list[Piece]:
    """The pieces, with neighbouring ones of plain text made one: what was emphasised stands in its line."""
    runs: list[Piece] = []
    for piece in pieces:
        if runs and all(one.address is None and not one.code for one in (piece, runs[-1])):
            runs[-1] = Piece(runs[-1].text + piece.text)
        else:
            runs.append(piece)
    return runs


def _problem(pieces: Collection[Piece], pages: Set[str]) -> str:
    """Why what looks like a link in a line is none; "" where nothing does."""
    for piece in (piece for piece in pieces if piece.address is None):
        if "](" in piece.text:
            if piece.code:
                return "a link in backticks is text: take them away."
            return "the brackets of a link do not close: write [label](/page?setting=value)."
        if re.search(r"\shref\s*=", piece.text):
            return "a link in HTML is not read: write [label](/page?setting=value)."
        paths = re.findall(r"(?:localhost:\d+|(?<!\S))/([A-Za-z0-9_-]+)(?=\?|\s|$)", piece.text)
        if not pages.isdisjoint(paths):
            return (
                "a path without brackets stands at the end of its line, and has no spaces: write "
                "[label](/page?setting=value)."
            )
    return ""
