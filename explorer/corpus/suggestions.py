"""Suggested words of a text: frequent ones with many different neighbours.

    neighbours(w) = the number of different words near w, in the same number of occurrences for every w

A name or a fixed phrase has the same neighbours each time; a word with several senses has several kinds of
them. Words that our example sentences show in several senses come first.
"""

import random
from collections import Counter
from collections.abc import Sequence

import regex

from explorer.analysis.senses.keywords import PLAIN
from explorer.analysis.senses.occurrences import Sentence, library_words
from explorer.corpus.index import Index
from explorer.corpus.matching import search_key
from explorer.text.folding import fold, in_small_letters
from explorer.text.letters import LETTERS, is_letters
from explorer.text.search import search_for

CANDIDATES = 150  # of the most frequent words
SENTENCES = 5_000  # read for neighbours, drawn at random
COUNTED = 20  # occurrences of a word whose neighbours are counted
WINDOW = 4  # words on either side that are its neighbours
FEWEST = 3  # sentences with a word
NUMBERS = frozenset(
    {"four", "five", "six", "seven", "eight", "nine", "ten", "hundred", "thousand", "million"}
)
_WORD = regex.compile(rf"{LETTERS}(?:['’]{LETTERS})?")


def suggest(index: Index, most: int = 12, seed: int = 0) -> dict[str, int]:
    """Up to `most` words, with the number of sentences that have each.

    At most half have example sentences of ours, the others many neighbours.
    """
    sentences = index.read()
    every = Counter(word for sentence in sentences for word in {*search_key(sentence.text).split()})
    counts = {word: n for word, n in every.most_common() if n >= FEWEST and _is_content_word(word)}
    with_examples = [word for word in counts if word in library_words()][: (most + 1) // 2]
    candidates = [word for word in counts if word not in with_examples][:CANDIDATES]
    neighbours = _count_neighbours(sentences, set(candidates), seed)
    others = sorted(candidates, key=lambda word: (-neighbours.get(word, 0), -counts[word], word))
    chosen = [*with_examples, *others[: most - len(with_examples)]]
    return {_spelling(sentences, word): counts[word] for word in chosen}


def _spelling(sentences: Sequence[Sentence], word: str) -> str:
    """The first spelling in the text of a folded word, in small letters."""
    search = search_for(word)
    for sentence in sentences:
        if spans := search.spans(sentence.text):
            return in_small_letters(sentence.text[slice(*spans[0])])
    return word


def _count_neighbours(sentences: Sequence[Sentence], words: set[str], seed: int) -> dict[str, int]:
    """For each word, the number of different words near its first COUNTED occurrences."""
    neighbours: dict[str, set[str]] = {word: set() for word in words}
    counts = dict.fromkeys(words, 0)
    for sentence in random.Random(seed).sample(sentences, min(SENTENCES, len(sentences))):
        folded = [fold(word) for word in _WORD.findall(sentence.text)]
        for i, word in enumerate(folded):
            if word in neighbours and counts[word] < COUNTED:
                counts[word] += 1
                neighbours[word].update(folded[max(i - WINDOW, 0) : i] + folded[i + 1 : i + 1 + WINDOW])
    return {word: len(near - PLAIN - {word}) for word, near in neighbours.items()}


def _is_content_word(word: str) -> bool:
    return len(word) > 2 and is_letters(word) and word not in PLAIN | NUMBERS
