"""Where one sentence ends and the next begins, in text that may be too long to hold.

A mark (. ! ? …) ends a sentence when what follows does not begin with a small letter and the mark
does not belong to an abbreviation or an initial; the marks of other scripts (。 । ؟ ።) end one always.
Words that both follow abbreviations and open sentences decide the open cases, as in Kiss and Strunk
(2006), section 3:

    Dr. Brook left at 5 p.m. The gauge fell.   ->   "Dr. Brook left at 5 p.m." "The gauge fell."
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import regex

from explorer.files.lines import lines_of
from explorer.text.letters import WORD

LONGEST = 500  # characters: what a model with 512 positions can read, in Chinese too
PIECE = 1 << 16  # characters of a line without an end that are held at one time

# Texts are strangers': nothing here goes back over what it has read, and marks in a row begin once.
_END_ASCII = re.compile(r"(?<![.!?])[.!?]++[\"')\]]*+(?=\s)")  # a mark, what closes around it, a space
_MARKS = ".!?…‽⁇⁈⁉"
# German closes with “ and «, French with a space before ».
_CLOSING = r"”’»›)\]」』）〕】〉》｣]|[“«](?=\s|$)|\s?»(?=\s|$)"
# Marks that need no space after them: Unicode's Sentence_Terminal but for those above, and Tibetan's shad. A
# full stop between two digits is a decimal point.
_ALWAYS = rf"(?!(?<=\p{{N}})[．։።]\p{{N}})[\p{{STerm}}．།༎--[{_MARKS}]]"
_NO_SPACES = r"[\p{Han}\p{Hiragana}\p{Katakana}]"
_END = regex.compile(
    rf"(?V1)(?<![{_MARKS}])(?:[{_MARKS}]++|(?<=\p{{Greek}}\p{{M}}*+);)(?:[\"'{_CLOSING})*+(?=\s)"
    rf"|(?P<always>(?:(?:{_ALWAYS})++[{_MARKS}]*+|(?<={_NO_SPACES})(?:…{{2,}}+|[.!?]++(?={_NO_SPACES})))"
    rf"(?:[{_CLOSING}|[\"'](?=\s|$))*+)"
)
_OPENING = r"\s++(?:[«„]\s|[\"'“‘„‚«»‹›(\[¿¡—–-])*+"
_NEXT = regex.compile(rf"{_OPENING}({WORD})")
_NEXT_ASCII = re.compile(rf"{_OPENING}([a-zA-Z0-9_]++)(?![^\x00-\x7f])")  # in a fifth of the time
_INITIALS = regex.compile(  # and U.S; a syllable of Korean is a word
    rf"(?V1)(?:[\p{{L}}\p{{N}}_]\p{{M}}*+\.)*+[\p{{L}}--[{_NO_SPACES}\p{{Hangul}}]]\p{{M}}*+"
)
_CLUSTER = regex.compile(r"\X")
_CLAUSES = ("; ", ": ", ", ", "，", "；", "、", "،", "؛", "፣", "፤", "၊")
LONGEST_ABBREVIATION = 40  # characters looked at before a mark


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Never the last word of a sentence: a name follows.
_TITLES = _set(
    "mr mrs ms dr prof st gen col lt sgt capt cmdr maj rev hon pres gov sen rep sir mt ft messrs mme mlle "
    "hr fr vs cf al ca approx e.g i.e viz"
)
# An abbreviation before a number, a word elsewhere.
_BEFORE_NUMBERS = _set(
    "no nos p pp vol fig figs eq sec ch art jan feb mar apr jun jul aug sep sept oct nov dec nr bd"
)
# They end sentences as readily as they stand inside one.
_EITHER = _set("etc inc ltd co corp jr sr bros dept est ave blvd rd univ a.m p.m b.c a.d ph.d")
_OPENERS = _set(
    "the a an this that these those it he she we they you i in on at by for from with after before when "
    "while as if but and so yet or there here then now his her their our my its what who how why where "
    "not no all some many most one two both each every another such however"
)


def split(text: str) -> list[str]:
    """The sentences of a paragraph, white space at their ends removed."""
    sentences, start = [], 0
    pattern = _END_ASCII if text.isascii() else _END
    for mark in pattern.finditer(text):
        if mark.lastgroup == "always" or _ends(text, start, mark):
            sentences.append(text[start : mark.end()].strip())
            start = mark.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def sentences(pieces: Iterable[str], wrapped: bool = False) -> Iterator[str]:
    """The sentences of a text that arrives in lines, or in pieces of a long line.

    A line's end ends a sentence, unless the lines are `wrapped`: then an empty line does.
    Nothing is dropped: what is longer than LONGEST comes in parts.
    """
    held = ""
    for piece in pieces:
        held += piece
        over = not held.strip() or (piece.endswith("\n") and (not wrapped or not piece.strip()))
        if not over and len(held) < PIECE:
            continue
        found = split(held)
        held = ""
        if not over and found:
            held = found.pop() + (" " if piece[-1:].isspace() else "")
            if len(held) > PIECE // 2:
                found.append(held)
                held = ""
        for sentence in found:
            yield from parts(sentence)
    for sentence in split(held):
        yield from parts(sentence)


def parts(sentence: str) -> Iterator[str]:
    """A sentence in parts of at most LONGEST characters, cut after a clause, else at a space.

    A letter is not parted from its marks.
    """
    while len(sentence) > LONGEST:
        head = sentence[:LONGEST]
        at = max(map(head.rfind, _CLAUSES))
        if at < LONGEST // 2:
            at = head.rfind(" ")
        at = at + 1 if at > 0 else _last_cluster(sentence)
        yield sentence[:at].strip()
        sentence = sentence[at:].strip()
    if sentence:
        yield sentence


def are_wrapped(sample: str) -> bool:
    """Whether a text's lines are broken to a width, so that a line's end ends nothing.

    Then most lines are about as long as the longest, and many go on with a small letter.
    """
    lines = [line.rstrip() for line in lines_of(sample)]
    pairs = [(one, two.lstrip()) for one, two in pairwise(lines) if one and two.strip()]
    if len(pairs) < 4:
        return False
    lengths = sorted(len(one) for one, _ in pairs)
    low, high = lengths[len(lengths) // 4], lengths[len(lengths) * 95 // 100]
    going_on = sum(two[0].islower() and one[-1] not in ".!?…" for one, two in pairs)
    return low > max(30, 0.6 * high) and high <= 120 and going_on > 0.3 * len(pairs)


def _last_cluster(sentence: str) -> int:
    """Where the last whole cluster ends (a letter with its marks) among the first LONGEST characters."""
    if sentence.isascii():
        return LONGEST
    ends = [cluster.end() for cluster in _CLUSTER.finditer(sentence, 0, 2 * LONGEST)]
    return max((end for end in ends if end <= LONGEST), default=LONGEST)


def _is_small(letter: str) -> bool:
    """Whether a letter begins no sentence: a small one, where sentences begin with capitals."""
    return letter.islower() and not "\u10d0" <= letter <= "\u10ff"  # Georgian writes no capitals


def _ends(text: str, start: int, mark: "re.Match[str] | regex.Match[str]") -> bool:
    """Whether a Latin mark ends the sentence that began at `start`."""
    after = _NEXT_ASCII.match(text, mark.end()) or _NEXT.match(text, mark.end())
    following = after[1] if after else ""
    if _is_small(following[:1]):
        return False
    if mark[0][0] != "." or mark[0][:2] == "..":
        return True
    near = max(start, mark.start() - LONGEST_ABBREVIATION)
    word = text[max(text.rfind(" ", near, mark.start()) + 1, near) : mark.start()].lstrip("\"'“‘«([—–-")
    lower = word.lower()
    if lower in _TITLES:
        return False
    opens = following.lower() in _OPENERS
    if lower in _BEFORE_NUMBERS:
        return not following[:1].isdigit()
    if lower in _EITHER or _INITIALS.fullmatch(word):
        return opens or not following
    # The number of a list or a heading: "3. Methods" is one sentence.
    heading = near == start and not text[near : mark.start() - len(word)].strip()
    return not (word.isdigit() and heading)
