"""Lists of sentences with a blank, or of beginnings, and the words that a reader would accept there.

`classroom` and `beginnings` are everyday sentences as a class types them. Both were written before any model
was asked (commit `FROZEN`; see `sets/README.md`).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.analysis.prediction.likelihood import Row, batch_tokens, batches, states_at
from explorer.analysis.prediction.masking import MASK
from explorer.analysis.prediction.shannon import Spot, next_words
from explorer.analysis.two_languages.zero_shot import wilson
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics.figure import Figure, Inputs
from training.text import Corpus

SETS = Path(__file__).parents[1] / "sets"
CLOZE, CLOZE_ZH = SETS / "cloze.tsv", SETS / "cloze-zh.tsv"
CLASSROOM, CLASSROOM_ZH = SETS / "classroom.tsv", SETS / "classroom-zh.tsv"
BEGINNINGS = SETS / "beginnings.tsv"
FROZEN = "d1f82c5"
WORD, CHARACTER = re.compile(r"[^\W\d_]+"), re.compile(r"[\u3400-\u9fff]")
AMONG, TOP = 5, 10  # guesses that count, of the everyday lists and of the cloze list
SAMPLE = 16  # blocks of a text, enough for its ten most frequent words

# Words that occur twice in many good sentences: repeating one of them is not copying.
_FUNCTION_WORDS = """
    a an the this these those some any no every each all both half one two and or but nor so if when
    while because since as than then that which who whom whose what where why how i you he she it we they me
    him her us them my your his its our their mine yours hers ours theirs myself yourself himself herself
    itself ourselves themselves to of in on at by for with from about into over under after before between
    through during until off out up down away back again not never ever there here too very more most much
    many few am is are was were be been being do does did done have has had having will would shall should
    can could may might must let
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True)
class Line:
    """A sentence with one [MASK], or a beginning, and the words accepted there, in lower case."""

    text: str
    accepted: frozenset[str]


def read_halves(path: Path) -> dict[str, list[Line]]:
    """Lines `sentence<tab>word,word` of a list in two halves: odd lines are dev, even ones test.

    >>> read_halves(CLOZE)["dev"][0].text
    'The capital of England is [MASK].'
    """
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        sentence, _, words = line.partition("\t")
        lines.append(Line(sentence, frozenset(words.lower().split(","))))
    return {"dev": lines[::2], "test": lines[1::2]}


def cloze_for(model: LanguageModel) -> Path:
    """The cloze list in a language that the model reads."""
    return CLOZE if "en" in model.languages else CLOZE_ZH


def cloze(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of the cloze list's lines with an accepted word among the guesses, and among frequent words."""
    path, figures = cloze_for(model), []
    frequent = frequent_words(inputs.text, WORD if path == CLOZE else CHARACTER) if inputs.text else []
    for half, lines in read_halves(path).items():
        ranks, basis = [rank for rank, _ in judge(model, lines)], (len(lines), "lines")
        label = f"{half}: an accepted word"
        ten, first = share(ranks, TOP), share(ranks, 1)
        figures += [
            Figure(f"cloze_{half}", f"{label} in the first ten", ten, *basis, note=out_of_reach(ranks)),
            Figure(f"cloze_top1_{half}", f"{label} is first", first, *basis),
        ]
        label, note = f"{half}: in the ten most frequent words", "no text to count in (--text)"
        value = None
        if frequent:
            value = sum(bool(line.accepted & set(frequent)) for line in lines) / len(lines)
            note = " ".join(frequent)
        figures.append(Figure(f"cloze_unigram_{half}", label, value, *basis, note=note))
    return figures


def classroom(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of everyday sentences with an accepted word among the guesses, by half and language.

    In English also the share whose first guess repeats a content word of the sentence. Raises as `judge`.
    """
    figures = []
    if "en" in model.languages:
        for half, lines in read_halves(CLASSROOM).items():
            results = judge(model, lines)
            repeats = sum(
                guess in content_words(line.text) for line, (_, guess) in zip(lines, results, strict=True)
            )
            figures += everyday("classroom", half, [rank for rank, _ in results], repeats)
    if "zh" in model.languages:  # a repeated character is not a repeated word
        for half, lines in read_halves(CLASSROOM_ZH).items():
            figures += everyday("classroom_zh", half, [rank for rank, _ in judge(model, lines)])
    return figures


def beginnings(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of everyday beginnings with an accepted word among the predicted whole words.

    Raises AbilityError for a model that does not read from left to right.
    """
    figures = []
    for half, lines in read_halves(BEGINNINGS).items():
        figures += everyday("beginnings", half, [rank_after(model, line) for line in lines])
    return figures


def rank_after(model: LanguageModel, line: Line) -> int:
    """Rank of the best accepted word among the whole words that follow a beginning; `AMONG` + 1 if none."""
    spot = Spot(len(line.text) + 1, len(line.text) + 1, "", " ")
    guesses = [c.token.casefold() for c in next_words(model, f"{line.text} ", spot, AMONG)]
    return next((n for n, word in enumerate(guesses, 1) if word in line.accepted), AMONG + 1)


def everyday(name: str, half: str, ranks: Sequence[int | None], repeats: int | None = None) -> list[Figure]:
    """Figures of one half of an everyday list, each with its interval."""
    chinese = name.endswith("_zh")
    rows = [
        ("first", "an accepted word is first", share(ranks, 1)),
        ("five", "an accepted word is among five", share(ranks, AMONG)),
    ]
    if repeats is not None:
        rows.append(("repeats", "the first guess repeats a content word", repeats / len(ranks)))
    figures = []
    for key, label, value in rows:
        low, high = wilson(round(value * len(ranks)), len(ranks))
        interval = f"95 %: {100 * low:.0f} to {100 * high:.0f}"
        notes = [interval, "" if chinese else f"frozen at {FROZEN}", out_of_reach(ranks)]
        label = f"{'Chinese, ' if chinese else ''}{half}: {label}"
        note = "; ".join(filter(None, notes))
        figures.append(Figure(f"{name}_{key}_{half}", label, value, len(ranks), "lines", note=note))
    return figures


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


def share(ranks: Sequence[int | None], most: int) -> float:
    """Share of lines whose rank is at most this; None counts as wrong."""
    return sum(rank is not None and rank <= most for rank in ranks) / len(ranks)


def out_of_reach(ranks: Sequence[int | None]) -> str:
    """Note on the lines without a rank; empty if all have one."""
    count = ranks.count(None)
    return f"out of reach in {count}" if count else ""


def content_words(sentence: str) -> frozenset[str]:
    """Words of a sentence in lower case, without its blank and its function words.

    >>> sorted(content_words("The [MASK] barked at the postman."))
    ['barked', 'postman']
    """
    return frozenset(WORD.findall(sentence.replace(MASK, " ").lower())) - FUNCTION_WORDS


def frequent_words(corpus: Corpus, pattern: re.Pattern[str] = WORD, count: int = TOP) -> list[str]:
    """Most frequent words of a sample of a text, in lower case; `pattern` is `CHARACTER` for Chinese."""
    counts: Counter[str] = Counter()
    for document in corpus.sample(SAMPLE):
        for paragraph in document:
            counts.update(pattern.findall(paragraph.lower()))
    return [word for word, _ in counts.most_common(count)]
