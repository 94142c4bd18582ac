"""Where a translation is not to be trusted: what the translator has hardly seen, or is unsure of.

A small translator answers any text in the same fluent tone. Three signs tell that a sentence lies outside
of what it learnt: its length, words that were rare in training, and a low score.
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
SEEN = 5  # times that a word stood in training, below which it is rare
KNOWN_WORDS = "known_words.txt"  # beside a translator's weights: the words seen so often, one a line
RECORD, LOWEST = "training.json", "score_p5"


@dataclass(frozen=True)
class Doubt:
    """One sign: the text is `long` (so many tokens), has `rare` words (these), or scores `low`.

    >>> import explorer
    >>> from explorer.analysis.translation import translate
    >>> found = translate(explorer.load("translator"), "It rains.")
    >>> (doubt,) = doubts(found, Limits(score=0.0))  # 0 is the best that there is
    >>> doubt.kind, doubt.score < doubt.usual
    ('low', True)
    """

    kind: Literal["long", "rare", "low"]
    tokens: int = 0
    words: tuple[str, ...] = ()
    score: float = 0.0
    usual: float = 0.0


@dataclass(frozen=True)
class Limits:
    """What a translator learnt from: the words that it saw often enough, and how its sentences score.

    `score` is the 5th percentile over the sentences kept aside. None is not known.

    >>> import explorer
    >>> from explorer.analysis.translation import translate
    >>> found = translate(explorer.load("translator"), "It rains.")
    >>> doubts(found, Limits(words=frozenset({"it"})))[0].words
    ('rains',)
    """

    words: frozenset[str] | None = None
    score: float | None = None


def words(sentence: str) -> list[str]:
    """The words of a sentence, in lower case; a clitic is a part of its word.

    >>> words("I don't know, Tom.")
    ['i', "don't", 'know', 'tom']
    """
    return list(regex.findall(rf"{WORD}(?:['-]{WORD})*", straighten(sentence).lower()))


def limits(model: LanguageModel) -> Limits:
    """What is known of a translator's training, from the files beside its weights; nothing of the hub's.

    >>> import explorer
    >>> known = limits(explorer.load("translator"))
    >>> "dog" in known.words, "zyzzyva" in known.words
    (True, False)
    """
    checkpoint = model.checkpoint
    if checkpoint.source == "hub":
        return Limits()
    bundled = checkpoint.source == "bundled"
    return _read(CHECKPOINTS / checkpoint.name if bundled else Path(checkpoint.name).expanduser())


def doubts(translation: Translation, limits: Limits) -> list[Doubt]:
    """The signs that a translation is not to be trusted; none is no promise that it is right.

    >>> import explorer
    >>> from explorer.analysis.translation import translate
    >>> translator = explorer.load("translator")
    >>> found = translate(translator, "The zyzzyva sleeps.")
    >>> [doubt.words for doubt in doubts(found, limits(translator)) if doubt.kind == "rare"]
    [('zyzzyva',)]
    """
    found = []
    tokens = len(translation.source) - 1 + translation.source.truncated  # without </s>
    if tokens > LONG:
        found.append(Doubt("long", tokens=tokens))
    if limits.words is not None:
        said = dict.fromkeys(words(translation.source.text))
        if rare := tuple(word for word in said if word not in limits.words):
            found.append(Doubt("rare", words=rare))
    if limits.score is not None and translation.score < limits.score:
        found.append(Doubt("low", score=translation.score, usual=limits.score))
    return found


@lru_cache(maxsize=8)
def _read(folder: Path) -> Limits:
    known = folder / KNOWN_WORDS
    listed = frozenset(known.read_text(encoding="utf-8").split()) if known.exists() else None
    record = folder / RECORD
    score = None
    if record.exists():
        figures = json.loads(record.read_text(encoding="utf-8")).get("scores", {}).get("figures", [])
        score = next((figure["value"] for figure in figures if figure.get("key") == LOWEST), None)
    return Limits(listed, score)
