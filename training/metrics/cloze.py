"""Sentences with a blank, and the words that a reader would accept."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.analysis.prediction.likelihood import Row, batch_tokens, batches, states_at
from explorer.analysis.prediction.masking import MASK
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.text.corpus import Corpus

LINES = Path(__file__).parents[1] / "sets" / "cloze.txt"
CHINESE_LINES = LINES.with_name("cloze-zh.txt")
WORD, CHARACTER = re.compile(r"[^\W\d_]+"), re.compile(r"[\u3400-\u9fff]")
TOP = 10
SAMPLE = 16  # blocks of a text, enough for its ten most frequent words


@dataclass(frozen=True)
class Line:
    """A sentence with one [MASK], and the words accepted there, in lower case."""

    text: str
    accepted: frozenset[str]


@dataclass(frozen=True)
class Cloze:
    """Shares of `lines` with an accepted word first, and among the first ten.

    In `out_of_reach` lines no accepted word is a single token, or the blank is past the context: they count
    as wrong.
    """

    top1: float
    top10: float
    lines: int
    out_of_reach: int = 0


def read_lines(text: str) -> dict[str, list[Line]]:
    """Lines `sentence<tab>words` of each split, which a line `# dev` begins.

    >>> read_lines("# dev\\nSnow is [MASK].\\twhite cold")["dev"][0].text
    'Snow is [MASK].'
    """
    splits: dict[str, list[Line]] = {}
    lines: list[Line] = []
    for line in filter(str.strip, text.splitlines()):
        if line.startswith("#"):
            lines = splits.setdefault(line[1:].strip(), [])
            continue
        sentence, _, words = line.partition("\t")
        lines.append(Line(sentence, frozenset(words.lower().split())))
    return splits


def blanks_for(model: LanguageModel) -> Path:
    """File of the list in a language that the model reads."""
    return LINES if "en" in model.languages else CHINESE_LINES


def judge(model: LanguageModel, lines: Sequence[Line]) -> list[tuple[int | None, str]]:
    """For each line the rank of the best accepted word, ignoring case, and the first guess.

    A tie counts as wrong. The rank is None if no accepted word is a single token, or if the blank is past
    the context; then there is no guess either. Raises AbilityError for a model that does not fill blanks,
    TextError for a line without one blank and a word for it.
    """
    model.require(Ability.FILL, "guess masked words")
    ids_of: dict[str, list[int]] = {}
    for token, id in model.tokenizer.backend.get_vocab().items():
        ids_of.setdefault(token.lower(), []).append(id)
    rows = []
    for i, line in enumerate(lines):
        if line.text.count(MASK) != 1 or not line.accepted:
            raise TextError(f"“{line.text}” needs one {MASK}, and after a tab the words for it.")
        ids = model.encode(line.text).ids.tolist()
        accepted_ids = [id for word in line.accepted for id in ids_of.get(word, [])]
        if model.tokenizer.mask in ids:
            rows.append(Row(i, ids, [ids.index(model.tokenizer.mask)], accepted_ids))
    results: list[tuple[int | None, str]] = [(None, "")] * len(lines)
    for batch in batches(rows, batch_tokens(model)):
        for row, scores in zip(batch, model.unembed(states_at(model, batch)), strict=True):
            guess = model.tokenizer.readable(int(scores.argmax())).strip().lower()
            rank = int((scores >= scores[row.tokens].max()).sum()) if row.tokens else None
            results[row.text] = rank, guess
    return results


def cloze(model: LanguageModel, lines: Sequence[Line]) -> Cloze:
    """Shares of the lines with an accepted word among the guesses. Raises as `judge`."""
    ranks = [rank for rank, _ in judge(model, lines) if rank is not None]
    return _shares(ranks, len(lines), len(lines) - len(ranks))


def unigram(words: Sequence[str], lines: Sequence[Line]) -> Cloze:
    """Shares for always guessing the same words, the best first."""
    ranks = [rank for line in lines for rank in [_first(words, line.accepted)] if rank]
    return _shares(ranks, len(lines), 0)


def frequent_words(corpus: Corpus, count: int = TOP, pattern: re.Pattern[str] = WORD) -> list[str]:
    """Most frequent words of a sample of a text, in lower case; `pattern` is `CHARACTER` for Chinese."""
    counts: Counter[str] = Counter()
    for document in corpus.sample(SAMPLE):
        for paragraph in document:
            counts.update(pattern.findall(paragraph.lower()))
    return [word for word, _ in counts.most_common(count)]


def _first(words: Sequence[str], accepted: frozenset[str]) -> int:
    """Rank of the first accepted word, 1 for the first; 0 without any."""
    return next((place for place, word in enumerate(words, 1) if word in accepted), 0)


def _shares(ranks: list[int], lines: int, out_of_reach: int) -> Cloze:
    return Cloze(
        top1=sum(rank == 1 for rank in ranks) / lines,
        top10=sum(rank <= TOP for rank in ranks) / lines,
        lines=lines,
        out_of_reach=out_of_reach,
    )
