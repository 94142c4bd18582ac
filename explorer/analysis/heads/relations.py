"""Sentences whose grammar is known: which word depends on which, and as what.

Relations are those of Universal Dependencies 2 (de Marneffe, Manning, Nivre, Zeman, "Universal
Dependencies", Computational Linguistics 2021). A file holds two lines a sentence, and a blank one
between sentences; lines that begin with # explain:

    Her dog sleeps.
    Her/nmod:poss/2 dog/nsubj/3 sleeps/root/0 ./punct/3

The number is the place of the word's head, from 1; 0 stands for no word, above the root.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from explorer import assets
from explorer.errors import TextError

HALVES = ("grammar", "written")  # made from a grammar; written and marked by hand
CLOSE = frozenset([".", ",", "?", "!", ";", ":", "'s", "'"])  # no space before these

# What each relation says of the dependent.
RELATIONS = {
    "root": "the word that depends on no other",
    "nsubj": "subject",
    "nsubj:pass": "subject of a passive verb",
    "obj": "object",
    "iobj": "indirect object",
    "obl": "noun that tells a verb or adjective where, when, how",
    "det": "article or determiner",
    "det:predet": "determiner before the article",
    "amod": "adjective",
    "nummod": "number",
    "nmod": "noun that describes a noun",
    "nmod:poss": "owner",
    "compound": "first part of a compound",
    "compound:prt": "particle of a verb",
    "case": "preposition, or 's",
    "aux": "auxiliary verb",
    "aux:pass": "auxiliary verb of the passive",
    "cop": "to be, before what something is",
    "advmod": "adverb",
    "mark": "word that opens a clause, or to",
    "acl": "clause that describes a noun",
    "acl:relcl": "relative clause",
    "advcl": "clause that tells a verb when, why, how",
    "ccomp": "clause in the place of an object",
    "csubj": "clause in the place of a subject",
    "xcomp": "verb or adjective that borrows its subject",
    "conj": "joined by and, or, but",
    "cc": "and, or, but",
    "expl": "there, it, in the place of a subject",
    "appos": "second name for the same",
    "punct": "punctuation",
}

# The names that Clark et al. 2019 use (Stanford Dependencies). Their pobj runs the other way: the
# noun depends on its preposition, so it is `case` read from the head to the dependent.
CLARK = {
    "nsubj": "nsubj",
    "nsubj:pass": "nsubjpass",
    "obj": "dobj",
    "det": "det",
    "amod": "amod",
    "case": "pobj",
    "nmod:poss": "poss",
    "aux": "aux",
    "aux:pass": "auxpass",
    "compound:prt": "prt",
    "mark": "mark",
    "advmod": "advmod",
    "cc": "cc",
    "conj": "conj",
    "ccomp": "ccomp",
    "nummod": "num",
    "compound": "nn",
}


@dataclass(frozen=True)
class Parse:
    """A sentence, its words, and for each word its relation and the index of its head (-1: the root's)."""

    text: str
    words: tuple[str, ...]
    relations: tuple[str, ...]
    heads: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The characters of each word in the text."""
        found, end = [], 0
        for word in self.words:
            start = self.text.index(word, end)
            end = start + len(word)
            found.append((start, end))
        return found


def join(words: Iterable[str]) -> str:
    """Words as a text: a space between two, but none before most marks and before 's.

    >>> join(["Anna", "'s", "cat", "sleeps", "."])
    "Anna's cat sleeps."
    """
    return "".join(word if word in CLOSE else f" {word}" for word in words).lstrip()


def check(parse: Parse) -> Parse:
    """The parse itself. Raises TextError where it is no tree of its sentence.

    Its words join to the text, every relation is known, exactly one word is the root, every head
    is another word of the sentence, and nobody depends on themselves however far up one goes.
    """
    if join(parse.words) != parse.text:
        raise TextError(f"The words of “{parse.text}” join to “{join(parse.words)}”.")
    if not len(parse.words) == len(parse.relations) == len(parse.heads):
        raise TextError(f"“{parse.text}” has not one relation and one head for every word.")
    for word, relation, head in zip(parse.words, parse.relations, parse.heads):
        where = f"In “{parse.text}”, “{word}”"
        if relation not in RELATIONS:
            raise TextError(f"{where} has the unknown relation “{relation}”.")
        if not -1 <= head < len(parse):
            raise TextError(f"{where} has a head outside of the sentence.")
        if (relation == "root") != (head == -1):
            raise TextError(f"{where}: the root, and only the root, depends on no word.")
    if parse.heads.count(-1) != 1:
        raise TextError(f"“{parse.text}” has {parse.heads.count(-1)} roots.")
    for start in range(len(parse)):
        seen, at = set(), start
        while at != -1:
            if at in seen:
                raise TextError(f"In “{parse.text}”, “{parse.words[start]}” depends on itself.")
            seen.add(at)
            at = parse.heads[at]
    return parse


def read(text: str) -> list[Parse]:
    """The sentences of a file's text, each checked. Raises TextError where one is no tree."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if len(lines) % 2:
        raise TextError(
            "A sentence lacks its line of words.", "Two lines a sentence: the text, and its words."
        )
    return [check(_parse(*pair)) for pair in zip(lines[::2], lines[1::2])]


def write(parses: Iterable[Parse], header: str = "") -> str:
    """The inverse of `read`; each line of the header becomes a comment."""
    comments = [f"# {line}".rstrip() for line in header.splitlines()]
    blocks = [f"{parse.text}\n{_line(parse)}" for parse in parses]
    return "\n\n".join(["\n".join(comments), *blocks] if comments else blocks) + "\n"


@cache
def library(half: str) -> tuple[Parse, ...]:
    """Our own sentences: “grammar”, made from a grammar, or “written”, marked by hand."""
    if half not in HALVES:
        raise TextError(f"There are no sentences called “{half}”.", f"There are: {', '.join(HALVES)}.")
    return tuple(read(assets.text(assets.RELATIONS / f"{half}.txt")))


def _parse(text: str, line: str) -> Parse:
    words, relations, heads = [], [], []
    for field in line.split():
        parts = field.rsplit("/", 2)
        if len(parts) != 3 or not parts[2].isdecimal():
            raise TextError(f"In “{text}”, “{field}” is not word/relation/head.")
        words.append(parts[0])
        relations.append(parts[1])
        heads.append(int(parts[2]) - 1)
    return Parse(text, tuple(words), tuple(relations), tuple(heads))


def _line(parse: Parse) -> str:
    fields = zip(parse.words, parse.relations, parse.heads)
    return " ".join(f"{word}/{relation}/{head + 1}" for word, relation, head in fields)
