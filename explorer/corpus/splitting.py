"""Sentence splitting, in text that may be too long to hold in memory.

A mark (. ! ? …) ends a sentence if the next word does not begin with a small letter and the mark does not
belong to an abbreviation or an initial; the marks of other scripts (。 । ؟ ።) always end one. In ambiguous
cases the next word decides: if it often opens sentences, the mark ends one, as in Kiss and Strunk (2006),
section 3:

    Dr. Brook left at 5 p.m. The gauge fell.   ->   "Dr. Brook left at 5 p.m." "The gauge fell."
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import regex

from explorer.corpus.abbreviations import (
    AFTER_ORDINALS,
    BEFORE_NUMBERS,
    CAPITALISED,
    DETERMINERS,
    EITHER,
    LIST_ENDS,
    MONTHS,
    OPENERS,
    TITLES,
)
from explorer.files.lines import lines_of
from explorer.text.letters import WORD

LONGEST = 500  # characters: what a model with 512 positions can read, in Chinese too
PIECE = 1 << 16  # characters of a long line that are held at a time

# Texts come from strangers: no pattern backtracks, and a run of marks is matched only from its first.
_END_ASCII = re.compile(r"(?<![.!?])[.!?]++[\"')\]]*+(?=\s)")  # marks, closing quotes or brackets, a space
_MARKS = ".!?…‽⁇⁈⁉"
# German closes with “ and «, French with a space before ».
_CLOSING = r"”’»›)\]」』）〕】〉》｣]|[“«](?=\s|$)|\s?»(?=\s|$)"
# Marks that need no space after them: Unicode's Sentence_Terminal except those above, and the Tibetan shad.
# A full stop between two digits is a decimal point.
_ALWAYS = rf"(?!(?<=\p{{N}})[．։።]\p{{N}})[\p{{STerm}}．།༎--[{_MARKS}]]"
_NO_SPACES = r"[\p{Han}\p{Hiragana}\p{Katakana}]"
_END = regex.compile(
    rf"(?V1)(?<![{_MARKS}])(?:[{_MARKS}]++|(?<=\p{{Greek}}\p{{M}}*+);)(?:[\"'{_CLOSING})*+(?=\s)"
    rf"|(?P<always>(?:(?:{_ALWAYS})++[{_MARKS}]*+|(?<={_NO_SPACES})(?:…{{2,}}+|[.!?]++(?={_NO_SPACES})))"
    rf"(?:[{_CLOSING}|[\"'](?=\s|$))*+)"
)
_OPENING = r"\s++(?:[«„]\s|[\"'“‘„‚«»‹›(\[¿¡—–-])*+"
_NEXT = regex.compile(rf"{_OPENING}({WORD})")
_NEXT_ASCII = re.compile(rf"{_OPENING}([a-zA-Z0-9_]++)(?![^\x00-\x7f])")  # five times as fast
_INITIALS = regex.compile(  # U.S and the EE of EE. UU. too; but a Korean syllable is a word
    rf"(?V1)(?:[\p{{L}}\p{{N}}_]\p{{M}}*+\.)*+[\p{{L}}--[{_NO_SPACES}\p{{Hangul}}]]\p{{M}}*+|(?![IVX])(\p{{Lu}})\1"
)
_ROMAN = re.compile("(?!I$)[IVX]+")
_DAY = re.compile(r"[0-9]{1,2}\.")
_DAY_BEFORE = re.compile(r"(?<![0-9])[0-9]{1,2}(?:\.|er|º)?(?: de)?$")
# Before another ordinal: am 3. und 4. Mai, die 1., 2. und 3. Klasse.
_ORDINAL_BEFORE = re.compile(
    r"(?<![0-9])[0-9]{1,2}\.(?:,|,? (?:und|oder|bis|i|lub|oraz|a|nebo|až|og|eller|och|en|of))$"
)
_ORDINALS = re.compile(r"[0-9]{1,2}\.[-–/][0-9]{1,2}")  # 3.–5. Klasse
_QUOTED_ON = re.compile(r"[」』](?=と|って)")  # 「…。」と言った: the sentence goes on
_CLUSTER = regex.compile(r"\X")
_CLAUSES = ("; ", ": ", ", ", "，", "；", "、", "،", "؛", "፣", "፤", "၊")
LONGEST_ABBREVIATION = 40  # characters examined before a mark


def split(text: str) -> list[str]:
    """The sentences of a paragraph, without white space at their ends."""
    sentences, start = [], 0
    pattern = _END_ASCII if text.isascii() else _END
    for mark in pattern.finditer(text):
        always = mark.lastgroup == "always" and not _QUOTED_ON.match(text, mark.end() - 1)
        if always or (mark.lastgroup != "always" and _ends(text, start, mark)):
            sentences.append(text[start : mark.end()].strip())
            start = mark.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def sentences(pieces: Iterable[str], wrapped: bool = False) -> Iterator[str]:
    """The sentences of a text that arrives in lines, or in pieces of long lines.

    The end of a line ends a sentence; if the lines are `wrapped`, only an empty line does.
    Nothing is dropped: a sentence longer than LONGEST comes in parts.
    """
    rest = ""
    for piece in pieces:
        if not rest and piece.isspace():
            continue
        rest += piece
        ended = not rest.strip() or (piece.endswith("\n") and (not wrapped or not piece.strip()))
        if not ended and len(rest) < PIECE:
            continue
        complete = split(rest)
        rest = ""
        if not ended and complete:
            rest = complete.pop() + (" " if piece[-1:].isspace() else "")
            if len(rest) > PIECE // 2:
                complete.append(rest)
                rest = ""
        for sentence in complete:
            yield from parts(sentence)
    for sentence in split(rest):
        yield from parts(sentence)


def parts(sentence: str) -> Iterator[str]:
    """A sentence in parts of at most LONGEST characters, split after a clause, or else at a space.

    A letter is never separated from its combining marks.
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
    """Whether the lines of a text are wrapped at a width, so that the end of a line ends no sentence.

    Then most lines are about as long as the longest, and many begin with a small letter.
    """
    lines = [line.rstrip() for line in lines_of(sample)]
    pairs = [(line, following.lstrip()) for line, following in pairwise(lines) if line and following.strip()]
    if len(pairs) < 4:
        return False
    lengths = sorted(len(line) for line, _ in pairs)
    low, high = lengths[len(lengths) // 4], lengths[len(lengths) * 95 // 100]
    continued = sum(following[0].islower() and line[-1] not in ".!?…" for line, following in pairs)
    return low > max(30, 0.6 * high) and high <= 120 and continued > 0.3 * len(pairs)


def _last_cluster(sentence: str) -> int:
    """The end of the last whole cluster (a letter with its marks) within the first LONGEST characters."""
    if sentence.isascii():
        return LONGEST
    ends = [cluster.end() for cluster in _CLUSTER.finditer(sentence, 0, 2 * LONGEST)]
    return max((end for end in ends if end <= LONGEST), default=LONGEST)


def _is_small(letter: str) -> bool:
    """Whether a letter is small, in a script whose sentences begin with capitals."""
    return letter.islower() and not "\u10d0" <= letter <= "\u10ff"  # Georgian has no capitals


def _ends(text: str, start: int, mark: "re.Match[str] | regex.Match[str]") -> bool:
    """Whether a Latin mark ends the sentence that began at `start`."""
    after = _NEXT_ASCII.match(text, mark.end()) or _NEXT.match(text, mark.end())
    following = after[1] if after else ""
    if _is_small(following[:1]):
        return False
    if mark[0][0] != "." or mark[0][:2] == "..":
        return True
    near = max(start, mark.start() - LONGEST_ABBREVIATION)
    *before, word = text[near : mark.start()].rsplit(maxsplit=2)[-3:] or [""]
    word = word.lstrip("\"'“‘«([—–-")
    lower, part = word.lower(), re.split("['’-]", word)[-1]  # l'Ing., Dipl.-Ing.
    if lower in TITLES or word in CAPITALISED or part in CAPITALISED or part.lower() in TITLES:
        return False
    is_letter = after is not None and len(following) == 1 and text[after.end() : after.end() + 1] == "."
    opens = following.lower() in OPENERS and not is_letter
    is_number = following[:1].isdigit() or _ROMAN.fullmatch(following) is not None
    if lower in MONTHS and _DAY_BEFORE.search(" ".join(before)):
        return opens
    if lower in BEFORE_NUMBERS or lower.endswith(("str", "nr")):
        return not is_number
    if lower in LIST_ENDS or (before and f"{before[-1]}{lower}".lower() in LIST_ENDS):
        return not is_number
    if lower in EITHER or _INITIALS.fullmatch(word):
        # Of a year, or a unit: 1999 г.
        if before and before[-1].isdigit() and word.islower() and len(word) < 3 and word != "av":
            return len(text[start : mark.start()].split()) > 3 and not is_number
        return opens or not following
    if _ORDINALS.fullmatch(word):
        return opens
    if (word.isdigit() and len(word) < 3) or _ROMAN.fullmatch(word):
        if following.lower() in AFTER_ORDINALS:
            return False
        if before and before[-1].lower() in DETERMINERS and not opens:
            return False
        if _ORDINAL_BEFORE.search(" ".join(before)) and not opens:
            return False
        if _DAY.match(text, after.start(1) if after else len(text)):
            return False
        if before and _DAY.fullmatch(before[-1]) and is_number:
            return False
    # The number of a list item or a heading: "3. Methods" is one sentence.
    heading = near == start and not text[near : mark.start() - len(word)].strip()
    return not (word.isdigit() and heading)
