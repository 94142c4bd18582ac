"""A lecture as a list of links and headings, read from a Markdown or text file and written to one.

    # Word senses (10 min)
    * [The senses of bank part](/senses?layer=6)
      * Say: Nobody told the model the senses.
      * Ask: Which dot is a blood bank?
      * Poll: How many groups are there? two, three, four
      * Answer: three
      * See: Three groups.
      * Shown: at once
    * [Before any context](http://localhost:8501/senses?layer=0): the same vector everywhere
    * [What fits [MASK] here?](/masked?text=The [MASK] of the river (in autumn))

A link leads to a page of this app, by its path or with the address of this server; other links stay text.
What to say, to ask and to see at a stop are lines below it, and what a class is asked on its phones, with the
choices after the question mark if there are any. “Answer:” is the right one, which is marked once the class's
answers are shown, or “none” where no answer is right. In a course for oneself, lines are a question with its
choices (`exercise.py`). One says that the picture is not covered until the question has been asked, as it
otherwise is on stage. A heading may end in its minutes.
The text may come from anybody: only names of pages, their settings, and words to be shown are taken from
it. An address may hold spaces, which Markdown itself does not allow.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote, unquote_plus, urlsplit

import regex

from explorer.errors import TextError
from explorer.locale import N_, _, format_number
from explorer.room.questions import Question, question_of_line, single_spaced
from explorer.room.tally import key
from explorer.server import hosts, session_language
from explorer.views.frame import moved
from explorer.views.frame.lecture.exercise import Exercise, exercise_of
from explorer.views.frame.lecture.lecture_links import NUMBER_AT_END, Line, Piece, lines_of_links
from explorer.views.settings.settings import PRESENT

ENDINGS = (".md", ".markdown", ".txt")
MOST_CHARACTERS = 200_000
MOST_ITEMS = 200
LONGEST = 90  # characters of a line in the sidebar
LONGEST_NOTE = 300
MOST_NOTES = 9  # of one stop
MOST_SETTINGS = 100  # of one link
MOST_NAMED = 5  # lines whose problems a message names
FIRST_PAGE = "home"
HINT = N_("A line may be: [The senses of bank part](/senses?layer=6).")

BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)])(?:\s+|$)")
AFTER_LABEL = " \t:,;–-"
NO_ANSWER = "none"  # after “Answer:”: a question of taste
AT_ONCE = re.compile(r"Shown:\s+at once\.?", re.IGNORECASE)
MINUTES = re.compile(r"\((\d{1,3}) ?(?:min|minutes|min\.)\)$")
OF_READER = (PRESENT, session_language.PARAMETER)  # parameters that no stop sets
LEGIBLE = "!#$%&'*+,/:;=?@[]~"  # what stays as it is in an address
MARKDOWN = re.compile(r"([\\`*_\[\]()<>!&^#])")
SETTING = re.compile(r"&(?=[a-z][a-z\d_.]*=)")  # the “&” before a setting; any other one belongs to a value


@dataclass(frozen=True)
class Item:
    """A line of a lecture: a heading, a text, or a stop, which has a page and its settings as a link has.

    `notes` are what to say, to ask and to see at a stop; `address` is that of a link which leads elsewhere.
    `at_once` says that its picture is shown without waiting for its question. `problem` says why a link was
    not taken, and in which line it is.
    """

    text: str
    heading: bool = False
    page: str = ""
    link: Mapping[str, str] | None = None
    problem: str = ""
    notes: tuple[str, ...] = ()
    address: str = ""
    at_once: bool = False

    @property
    def question(self) -> str:
        """What is asked at the stop: on phones and on stage the same; empty where nothing is."""
        return self.poll.text if self.poll else self._note("ask:")

    @property
    def poll(self) -> Question | None:
        """What the class is asked on its phones at the stop, in the lecture's own words; None without it."""
        line = self._note("poll:")
        return question_of_line(line) if line else None

    @property
    def answer(self) -> str:
        """The right answer to the question; `NO_ANSWER` for a question of taste, empty without any."""
        return self._note("answer:")

    @property
    def exercise(self) -> Exercise | None:
        """What a course asks before it goes on; None without it."""
        return exercise_of(self.notes)

    def _note(self, kind: str) -> str:
        return next((note[len(kind) :].strip() for note in self.notes if note.lower().startswith(kind)), "")

    @property
    def stop(self) -> bool:
        """Whether it leads to a page."""
        return self.link is not None

    @property
    def minutes(self) -> int:
        """The minutes that a heading names for its stops; 0 without."""
        match = MINUTES.search(self.text) if self.heading else None
        return int(match[1]) if match else 0


def read(text: str, pages: Mapping[str, str], host: str = "") -> list[Item]:
    """The headings and links of a text; `pages` are the names of all pages with their titles.

    Raises TextError for a text that is too long, or leads to no page of this app.
    """
    if len(text) > MOST_CHARACTERS:
        message = _(
            "The list has {count} characters; a lecture has {most} at most.",
            count=format_number(len(text)),
            most=format_number(MOST_CHARACTERS),
        )
        raise TextError(message, _(HINT))
    items = _items(text, pages, host)
    if len(items) > MOST_ITEMS:
        count = format_number(len(items))
        last = _("The list has {count} lines; the first {most} are taken.", count=count, most=MOST_ITEMS)
        items = [*items[: MOST_ITEMS - 1], replace(items[MOST_ITEMS - 1], problem=last)]
    if not any(item.stop for item in items):
        message = _("No link in this text leads to a page of Riverbank.")
        raise TextError(f"{message} {problems(items)}".strip(), _(HINT))
    return items


def problems(items: Collection[Item]) -> str:
    """A message about the links that were not taken: the first few, by their lines; "" if all were."""
    reasons = list(dict.fromkeys(item.problem for item in items if item.problem))
    more = _("There are {count} more like these.", count=len(reasons) - MOST_NAMED)
    return " ".join([*reasons[:MOST_NAMED], *([more] if len(reasons) > MOST_NAMED else [])])


def chapters(items: Iterable[Item]) -> list[list[Item]]:
    """The lines of a lecture by chapter: each but the first begins with a heading."""
    result: list[list[Item]] = []
    for item in items:
        if item.heading or not result:
            result.append([])
        result[-1].append(item)
    return result


def write(items: Collection[Item]) -> str:
    """A lecture as Markdown, which `read` reads as these items."""
    lines: list[str] = []
    for item in items:
        if item.heading:
            lines += ["", f"# {_escaped(item.text)}", ""]
            continue
        label = item.text.removesuffix(f" ({item.address})")
        address = link_to(item.page, item.link) if item.link is not None else quote(item.address, LEGIBLE)
        lines.append(f"* [{_escaped(label)}]({address})" if address else f"* {_escaped(label)}")
        lines += [f"  * {_escaped(note)}" for note in item.notes]
        lines += ["  * Shown: at once"] if item.at_once else []
    return "\n".join([*lines, ""]).lstrip("\n")


def link_to(page: str, link: Mapping[str, str]) -> str:
    """The address of a page with settings, without the server.

    >>> link_to("masked", {"text": "A [MASK] (in Köln)"})
    '/masked?text=A%20%5BMASK%5D%20%28in%20Köln%29'
    """
    settings = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in link.items())
    return f"/{page}?{settings}" if settings else f"/{page}"


def _escaped(text: str) -> str:
    """A text as Markdown reads it: nothing in it is a mark."""
    return MARKDOWN.sub(r"\\\1", text)


def _quoted(text: str) -> str:
    """A name or value for an address; letters of any script stay legible."""
    if text.isascii():
        return quote(text, "")
    return "".join(letter if letter > "\x7f" and letter.isalnum() else quote(letter, "") for letter in text)


def _items(text: str, pages: Mapping[str, str], host: str) -> list[Item]:
    """The items of a text, with each note at the stop above it."""
    items: list[Item] = []
    for line in lines_of_links(text, pages):
        if not line.note:
            items += _items_of(line, pages, host)
        elif not (items and items[-1].stop):
            continue
        elif line.note.lower().startswith("shown:"):
            items[-1] = replace(items[-1], at_once=AT_ONCE.fullmatch(line.note) is not None)
        elif problem := _poll_problem(line.note):
            items[-1] = replace(items[-1], problem=_line_problem(line.number, problem))
        elif len(items[-1].notes) < MOST_NOTES:
            items[-1] = replace(items[-1], notes=(*items[-1].notes, _short(line.note, LONGEST_NOTE)))
    for place, item in enumerate(items):
        try:
            exercise_of(item.notes)
        except TextError as error:
            problem = _("“{name}”: {problem}", name=item.text, problem=f"{error.message} {error.hint}")
            items[place] = replace(item, notes=(), problem=problem)
        else:
            if problem := _answer_problem(item):
                notes = tuple(note for note in item.notes if not note.lower().startswith("answer:"))
                items[place] = replace(item, notes=notes, problem=problem)
    return items


def _poll_problem(note: str) -> str:
    """Why a class cannot be asked what a line says; "" if it can, and for a line of another kind."""
    if not note.lower().startswith("poll:"):
        return ""
    if len(note) > LONGEST_NOTE:
        return _("a line that begins with “Poll:” has {count} characters at most.", count=LONGEST_NOTE)
    try:
        question_of_line(note[len("poll:") :])
    except TextError as error:
        return f"{error.message} {_('Write: “Poll: Is a cat closer to a dog? yes, no”.')}"
    return ""


def _answer_problem(item: Item) -> str:
    """Why what a stop calls the right answer cannot be one; "" if it can."""
    names = item.poll.choices if item.poll else ()
    if not item.answer or not names or key(item.answer) in map(key, (*names, NO_ANSWER)):
        return ""
    return _(
        "“{name}”: the answer “{answer}” is none of its choices: {choices}. Write one of them, or “none”.",
        name=item.text,
        answer=item.answer,
        choices=", ".join(names),
    )


def _items_of(line: Line, pages: Mapping[str, str], host: str) -> Iterator[Item]:
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
        yield Item(_short(words), problem=_line_problem(line.number, line.problem))


def _line_problem(number: int, problem: str) -> str:
    return _("Line {number}: {problem}", number=number, problem=problem)


def _item(piece: Piece, address: str, rest: str, number: int, pages: Mapping[str, str], host: str) -> Item:
    """A stop, or the text of a link that leads elsewhere."""
    label = rest if piece.bare else piece.text.strip() or rest
    page, link, reason = _target(address, pages, host)
    if link is None:
        problem = _line_problem(number, reason) if reason else ""
        return Item(_short(f"{label} ({address})" if label else address), problem=problem, address=address)
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
        if parts.scheme in ("http", "https") and not parts.hostname:
            raise ValueError
    except ValueError:
        return "", None, _("“{address}” is no address.", address=address[:80])
    page = parts.path.rstrip("/").rpartition("/")[2] or FIRST_PAGE
    if not here:
        ours = parts.scheme in ("http", "https") and page in pages and page != FIRST_PAGE
        other = _("{server} is another server than this one.", server=parts.hostname)
        return "", None, other if ours else ""
    if page not in pages:
        return "", None, _("“{page}” is no page of Riverbank.", page=parts.path[:60])
    # In a text “#” is a character (C#); after a number it begins a fragment.
    place = f"#{parts.fragment}" if "#" in address and not NUMBER_AT_END.search(f"?{parts.query}") else ""
    query = parts.query + place if parts.query else ""
    settings = SETTING.split(query)
    if len(settings) > MOST_SETTINGS:
        return "", None, _("a link has {count} settings at most.", count=MOST_SETTINGS)
    # In an address with spaces, “+” is a plus sign.
    decoded = unquote if " " in query else unquote_plus
    pairs = [tuple(map(decoded, setting.partition("=")[::2])) for setting in settings if setting]
    page, link = moved.resolve(page, {name: value for name, value in pairs if name not in OF_READER})
    return page, link, ""


def _short(text: str, longest: int = LONGEST) -> str:
    text = single_spaced(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
