"""Sentences for probes: words with their annotations.

A treebank is a CoNLL-U file (https://universaldependencies.org/format.html): ten columns a word, a blank line
between sentences. The reader takes FORM, UPOS, HEAD and DEPREL, and from MISC whether a space follows and the
type of the name that a word belongs to (`Entity=PER`). Empty nodes (8.1) and the line of a contraction (1-2)
are skipped: its parts are words of their own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tokenizers import Regex, pre_tokenizers

from explorer.analysis.heads.relations import join
from explorer.errors import TextError
from explorer.locale import _
from explorer.text.letters import has_letters
from explorer.tokenizers.characters import WORD
from explorer.tokenizers.texts import well_formed

COLUMNS = 10
OUTSIDE = "O"  # the entity type of a word that belongs to no name


@dataclass(frozen=True)
class Sentence:
    """A text, the characters of each of its words, and their annotations, which may be empty.

    `heads` are indices of words, -1 for the root's. `relations` have no subtypes: nmod:poss is nmod.

    >>> Sentence("Boats rock.", ((0, 5), (6, 10), (10, 11))).words
    ['Boats', 'rock', '.']
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    tags: tuple[str, ...] = ()
    heads: tuple[int, ...] = ()
    relations: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.spans)

    @property
    def words(self) -> list[str]:
        """The words as they are written."""
        return [self.text[start:end] for start, end in self.spans]


def split(text: str) -> Sentence:
    """A text split into words like a treebank, without annotations.

    >>> split("We don't know.").words
    ['We', 'do', "n't", 'know', '.']

    Raises TextError for a text without words.
    """
    text = well_formed(text)
    words = pre_tokenizers.Split(Regex(WORD), behavior="removed", invert=True).pre_tokenize_str(text)
    if not words:
        raise TextError(_("There is no text."), _("Type a sentence."))
    return Sentence(text, tuple(span for __, span in words))


def is_mark(word: str) -> bool:
    """Whether a word is only punctuation; trees are compared without these."""
    return not has_letters(word)


def read_treebank(lines: Iterable[str]) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file. Raises TextError for a line that is not of this form.

    >>> line = "1\\tHush\\t_\\tINTJ\\t_\\t_\\t0\\troot\\t_\\tSpaceAfter=No"
    >>> [(s.text, s.tags, s.heads) for s in read_treebank([line])]
    [('Hush', ('INTJ',), (-1,))]
    """
    rows: list[list[str]] = []
    joint: dict[int, tuple[int, str, str]] = {}  # first word of a contraction: last word, form, MISC
    for number, line in enumerate([*lines, ""], 1):
        line = line.rstrip("\n")
        if not line.strip():
            if rows:
                yield _sentence(rows, joint)
            rows, joint = [], {}
            continue
        if line.startswith("#"):
            continue
        row = line.split("\t")
        if len(row) != COLUMNS:
            raise TextError(
                f"Line {number} has {len(row)} columns instead of {COLUMNS}.",
                "A treebank is a CoNLL-U file: ten columns with a tab between two.",
            )
        if "-" in row[0]:
            first, _, last = row[0].partition("-")
            joint[int(first)] = (int(last), row[1], row[9])
        elif "." not in row[0]:
            if not row[6].isdecimal():
                raise TextError(f"Line {number} has the head “{row[6]}”.", "A head is a word's number, or 0.")
            rows.append(row)


def read_names(lines: Iterable[str]) -> list[list[Sentence]]:
    """Documents of sentences with annotated names: a word and its tag (I-PER, O) a line.

    The format of wikigold: a line -DOCSTART- O ends a document, a blank line a sentence.
    """
    documents: list[list[Sentence]] = [[]]
    words: list[str] = []
    tags: list[str] = []

    def finish() -> None:
        if words:
            text = join(words)
            documents[-1].append(Sentence(text, _spans(text, words), entities=tuple(tags)))
        words.clear()
        tags.clear()

    for line in lines:
        fields = line.split()
        if not fields:
            finish()
        elif fields[0] == "-DOCSTART-":
            finish()
            documents.append([])
        else:
            words.append(fields[0])
            tags.append(fields[-1].rpartition("-")[2])
    finish()
    return [document for document in documents if document]


def _sentence(rows: list[list[str]], joint: dict[int, tuple[int, str, str]]) -> Sentence:
    """A sentence of CoNLL-U, with its text rebuilt from the words."""
    words = [row[1] for row in rows]
    gaps = ["" if "SpaceAfter=No" in row[9] else " " for row in rows]
    for first, (last, form, misc) in joint.items():
        whole = form == "".join(words[first - 1 : last])  # don't is do and n't; but French au is à and le
        gaps[first - 1 : last - 1] = ["" if whole else " "] * (last - first)
        gaps[last - 1] = "" if "SpaceAfter=No" in misc else " "
    text = "".join(word + gap for word, gap in zip(words, gaps, strict=True)).rstrip()
    marks = [dict(part.split("=", 1) for part in row[9].split("|") if "=" in part) for row in rows]
    return Sentence(
        text,
        _spans(text, words),
        tags=tuple(row[3] for row in rows),
        heads=tuple(int(row[6]) - 1 for row in rows),
        relations=tuple(row[7].partition(":")[0] for row in rows),
        entities=tuple(mark.get("Entity", OUTSIDE) for mark in marks),
    )


def _spans(text: str, words: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """The characters of each word in a text, one after another."""
    spans, end = [], 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        spans.append((start, end))
    return tuple(spans)
