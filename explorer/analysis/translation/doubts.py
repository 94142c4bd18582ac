"""Signs that a translation is unreliable.

A small translator answers any text fluently. Three signs show that a sentence differs from its training data:
its length, words that were rare in training, and a low score.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import regex

from explorer.analysis.translation.search import Translation
from explorer.assets import CHECKPOINTS
from explorer.models.language_model import LanguageModel
from explorer.text.folding import straighten
from explorer.text.letters import WORD

LONG = 20  # tokens of the source
KNOWN_WORDS = "known_words.txt"  # beside a translator’s weights: words seen five times or more in training
RECORD, LOWEST = "training.json", "score_p5"


@dataclass(frozen=True)
class Doubt:
    """A sign of an unreliable translation: the text is `long` (`tokens`), has `rare` `words`, or a `low`
    `score`.
    """

    kind: Literal["long", "rare", "low"]
    tokens: int = 0
    words: tuple[str, ...] = ()
    score: float = 0.0
    usual: float = 0.0


@dataclass(frozen=True)
class Limits:
    """The words that were not rare in a translator's training, and its usual score; None if unknown.

    `score` is the 5th percentile over the held-out sentences.

    >>> from explorer.analysis.translation import translate
    >>> translation = translate(explorer.load("translator"), "It rains.")
    >>> doubts(translation, Limits(words=frozenset({"it"})))[0].words
    ('rains',)
    """

    words: frozenset[str] | None = None
    score: float | None = None


def words(sentence: str) -> list[str]:
    """The words of a sentence, in lower case; a clitic is part of its word.

    >>> words("I don't know, Tom.")
    ['i', "don't", 'know', 'tom']
    """
    return list(regex.findall(rf"{WORD}(?:['-]{WORD})*", straighten(sentence).lower()))


def limits(model: LanguageModel) -> Limits:
    """The limits of a translator, from the files beside its weights; unknown for models from the hub.

    >>> frequent = limits(explorer.load("translator")).words
    >>> "dog" in frequent, "zyzzyva" in frequent
    (True, False)
    """
    checkpoint = model.checkpoint
    if checkpoint.source == "hub":
        return Limits()
    bundled = checkpoint.source == "bundled"
    return _read(CHECKPOINTS / checkpoint.name if bundled else Path(checkpoint.name).expanduser())


def doubts(translation: Translation, limits: Limits) -> list[Doubt]:
    """The signs that a translation is unreliable; without any it may still be wrong.

    >>> from explorer.analysis.translation import translate
    >>> translator = explorer.load("translator")
    >>> translation = translate(translator, "The zyzzyva sleeps.")
    >>> [doubt.words for doubt in doubts(translation, limits(translator)) if doubt.kind == "rare"]
    [('zyzzyva',)]
    """
    result = []
    tokens = len(translation.source) - 1 + translation.source.truncated  # without </s>
    if tokens > LONG:
        result.append(Doubt("long", tokens=tokens))
    if limits.words is not None:
        text_words = dict.fromkeys(words(translation.source.text))
        if rare := tuple(word for word in text_words if word not in limits.words):
            result.append(Doubt("rare", words=rare))
    if limits.score is not None and translation.score < limits.score:
        result.append(Doubt("low", score=translation.score, usual=limits.score))
    return result


@lru_cache(maxsize=8)
def _read(folder: Path) -> Limits:
    known_words = folder / KNOWN_WORDS
    words = frozenset(known_words.read_text(encoding="utf-8").split()) if known_words.exists() else None
    record = folder / RECORD
    score = None
    if record.exists():
        figures = json.loads(record.read_text(encoding="utf-8")).get("scores", {}).get("figures", [])
        score = next((figure["value"] for figure in figures if figure.get("key") == LOWEST), None)
    return Limits(words, score)
