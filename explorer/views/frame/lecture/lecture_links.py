"""The headings of a Markdown text and its lines with links, with their words and addresses.

markdown-it reads the Markdown, with exceptions for lists that are written by hand: an address may hold
spaces, an address or a path that stands alone is a link, and indented or fenced lines are not code.
"""

import re
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from explorer.assets import read_once
from explorer.files.lines import lines_of
from explorer.locale import N_, _, format_number

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST_LINE = 5_000  # characters: longer than any link of ours
LINK = "[label](/page?setting=value)"
MOST_MARKS = 400  # brackets, stars and the like in a line: a parser takes a second for thousands
MARKS = re.compile(r"[\[*_`<]")
NOTE = re.compile(
    r"(?:[-*+•]\s+)?((?:Say|Ask|Answer|See|Shown|Question|Right|Wrong|Choice):\s+\S.*|Poll:.*)", re.IGNORECASE
)
KINDS = N_("Say."), N_("Ask."), N_("Answer."), N_("See."), N_("Poll.")  # of notes, as a teacher reads them
FENCE = re.compile(r"\s*(?:```|~~~)")
# An address in a text, and a path at the end of a line.
ADDRESS = re.compile(r"https?://[^\s<>]+")
ANGLED = re.compile(r"<(https?://[^<>]*)>")
PATH = re.compile(r"(?<!\S)/[A-Za-z0-9_-]+(?:\?\S*)?(?=\s*$)")
# A path anywhere in a text, and a link whose address should be in another line.
PATH_INSIDE = re.compile(r"(?:localhost:\d+|(?<![A-Za-z0-9_/.:%-]))/([A-Za-z0-9_-]+)(?![A-Za-z0-9_/%-])")
UNDEFINED = re.compile(r"\[[^\[\]]+\]\[(?!(?:MASK|SEP|CLS|PAD|UNK)\])([^\[\]]*)\]")
# The end of a sentence after an address; a text in an address may itself end in a full stop.
SENTENCE_END = re.compile(r"[.,;:!。，、；：？！”’」』»）]+$")
CLOSING = re.compile(r"[。？！]?[”’」』»）]+$")
# The title of a link, last between its brackets, and a numeric setting at the end of an address.
TITLE = re.compile(r"(?<=\s)(?:\"[^\"]*\"|'[^']*'|\([^()]*\))$")
NUMBER_AT_END = re.compile(r"[?&](?!text=)[A-Za-z0-9_.]+=[0-9]+$")


@dataclass(frozen=True)
class Piece:
    """A part of a line: its words, and its address if it is a link; `bare` if the link has no words."""

    text: str
    address: str | None = None
    bare: bool = False
    code: bool = False


@dataclass(frozen=True)
class Line:
    """A line with its number in the text, from 1; `problem` says why a link in it cannot be read.

    `note` is its text if it says what to say, to ask (in class, or on phones) or to see, what a
    course asks, or how a stop opens.
    """

    number: int
    pieces: tuple[Piece, ...]
    heading: bool = False
    problem: str = ""
    note: str = ""


def lines_of_links(text: str, pages: Collection[str]) -> Iterator[Line]:
    """The headings, the lines with links, those that seem to have a link to one of `pages`, and the notes."""
    lines = lines_of(_without_comments(text))
    for number, content in enumerate(lines, 1):
        if problem := _excess(content):
            yield Line(number, (Piece(f"{content[:80]} …"),), problem=problem)
    # Each line is a paragraph: a link ends in its line, and any text is parsed quickly.
    paragraphs = ["" if FENCE.match(line) or _excess(line) else _with_spaces(line) for line in lines]
    names, heading = frozenset(pages), False
    for token in _parser().parse("\n\n".join(paragraphs)):
        heading = token.type == "heading_open" or (heading and token.type == "inline")
        if token.type == "inline":
            pieces = tuple(_with_bare(_pieces(token.children or [])))
            line = Line((token.map or [0])[0] // 2 + 1, pieces, heading, _problem(pieces, names))
            linked = heading or any(piece.address is not None for piece in pieces)
            note = NOTE.fullmatch("".join(piece.text for piece in pieces).strip())
            if note and not linked:
                yield replace(line, problem="", note=note[1])
            elif linked or line.problem:
                yield line


@read_once
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).disable("code")
    # Links are checked later: here each must be recognized, exactly as written.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return parser


def _with_spaces(line: str) -> str:
    """A line with its addresses with spaces in angle brackets, as Markdown requires."""
    parts, at = [], 0
    line = line.replace("[^", "\\[^")  # a footnote's number is no link
    line = ANGLED.sub(lambda match: f"[](<{match[1]}>)" if " " in match[1] else match[0], line)
    while (start := line.find("](", at) + 2) > 1:
        end = _closing(line, start)
        address, title = _address_and_title(line[start:end].strip())
        angled = address.startswith("<") and address.endswith(">")
        if end < len(line) and not angled and len(address.split()) > 1:
            address = re.sub("([<>])", r"\\\1", address)
            parts += [line[at:start], f"<{address}> {title}".rstrip()]
        else:
            parts.append(line[at:end])
        at = end
    return "".join([*parts, line[at:]])


def _address_and_title(text: str) -> tuple[str, str]:
    """The address and title in the brackets of a link; quotation marks after a text belong to the address."""
    title = TITLE.search(text)
    address = text[: title.start()].rstrip() if title else text
    if title is None or ("?" in address and not address.endswith(">") and not NUMBER_AT_END.search(address)):
        return text, ""
    return address, title[0]


def _excess(line: str) -> str:
    """Why a line is too long or complex to be read; "" if it is not."""
    if len(line) > LONGEST_LINE:
        return _("a line has {count} characters at most.", count=format_number(LONGEST_LINE))
    if sum(1 for _mark in MARKS.finditer(line)) > MOST_MARKS:
        return _("a line has {count} brackets, stars and other marks at most.", count=MOST_MARKS)
    return ""


def _without_comments(text: str) -> str:
    """A text without its HTML comments, with as many lines as before.

    >>> _without_comments("a <!-- b\\nc --> d")
    'a \\n d'
    """
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += [text[at:start], "\n" * (len(lines_of(text[start : end + 3])) - 1)]
        at = end + 3
    return "".join([*parts, text[at:]])


def _closing(line: str, start: int) -> int:
    """The place of the bracket that closes the one before `start`; the last one if they do not match."""
    depth = 1
    for at in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        if depth == 0:
            return at
    last = line.rfind(")", start)
    return last if last >= 0 else len(line)


def _pieces(tokens: "Sequence[Token]") -> list[Piece]:
    """The words and the links of a line, without marks for bold and the like."""
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
    """The pieces of a line, with bare addresses in its text as pieces of their own."""
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
            address = _without_sentence_end(match[0], match.re is ADDRESS)
            yield Piece(piece.text[at : match.start()])
            yield Piece("", address, bare=True)
            at = match.start() + len(address)
        yield Piece(piece.text[at:])


def _without_sentence_end(address: str, whole: bool) -> str:
    """An address without the end of its sentence; the full stop after a path with a text belongs to it."""
    ends = SENTENCE_END if whole or "text=" not in address else CLOSING
    shorter = ends.sub("", address)
    if shorter.endswith(")") and shorter.count(")") > shorter.count("("):
        shorter = ends.sub("", shorter[:-1])
    return shorter


def _runs(pieces: list[Piece]) -> list[Piece]:
    """The pieces, with neighbouring pieces of plain text joined."""
    runs: list[Piece] = []
    for piece in pieces:
        if runs and all(part.address is None and not part.code for part in (piece, runs[-1])):
            runs[-1] = Piece(runs[-1].text + piece.text)
        else:
            runs.append(piece)
    return runs


def _problem(pieces: Collection[Piece], pages: Set[str]) -> str:
    """Why something that looks like a link is not one; "" if nothing does."""
    for piece in (piece for piece in pieces if piece.address is None):
        if "](" in piece.text:
            if piece.code:
                return _("a link in backticks is text: take them away.")
            return _("the brackets of a link do not close in its line: write {link}.", link=LINK)
        if re.search(r"\shref\s*=", piece.text, re.IGNORECASE):
            return _("a link in HTML is not read: write {link}.", link=LINK)
        if label := UNDEFINED.search(piece.text):
            return _("no line says where “[{label}]” leads: write {link}.", label=label[1][:40], link=LINK)
        paths = PATH_INSIDE.findall(piece.text)
        if not pages.isdisjoint(paths):
            return _(
                "a path without brackets stands at the end of its line, and has no spaces: write {link}.",
                link=LINK,
            )
    return ""
