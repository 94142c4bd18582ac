"""Ambiguous words of a language, with their sentences, for the measure of senses."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from explorer.analysis.senses import chinese_words
from explorer.analysis.senses.occurrences import Sentence, find, read_sentences
from explorer.assets import SENSES
from explorer.tokenizers.languages import is_ideograph

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class Library:
    """Functions for a word's sentences, its spans in one, and the other words there, for naive Bayes.

    The words are named as their files. `prefix`, `label` and `units` are for the names of the figures.
    """

    sentences: Callable[[str], list[Sentence]]
    find: Callable[[str, str], list[tuple[int, int]]]
    others: Callable[[str, str], list[str]]
    prefix: str = ""
    label: str = ""
    units: str = "words"


def english(folder: Path = SENSES) -> Library:
    """English words of a folder; the others of a sentence are its words in lower case.

    >>> english().others("The bank lent my sister's money.", "bank")
    ['the', 'lent', 'my', "sister's", 'money']
    """

    def sentences(word: str) -> list[Sentence]:
        return read_sentences((folder / f"{word}.txt").read_text(encoding="utf-8"))

    def others(text: str, word: str) -> list[str]:
        return [other for other in _WORD.findall(text.lower()) if other != word.lower()]

    return Library(sentences, find, others)


def chinese() -> Library:
    """Chinese words; the others of a sentence are its Chinese characters without the word's own.

    >>> chinese().others("這個開關壞了。", "kaiguan")
    ['這', '個', '壞', '了']
    """

    def others(text: str, word: str) -> list[str]:
        inside = {place for start, end in spans(text, word) for place in range(start, end)}
        return [char for place, char in enumerate(text) if is_ideograph(char) and place not in inside]

    def spans(text: str, word: str) -> list[tuple[int, int]]:
        return chinese_words.find(text, chinese_words.word(word))

    def sentences(word: str) -> list[Sentence]:
        return chinese_words.sentences(chinese_words.word(word))

    return Library(sentences, spans, others, "zh_", "Chinese, ", "characters")
