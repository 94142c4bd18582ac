"""The words that distinguish a group of sentences from the others, to name the group.

For every word: the log-odds of occurring in a sentence of the group against a sentence of the others, with a
half added to each count, over its standard error (Monroe, Colaresi and Quinn 2008, section 3.3, without their
informative prior):

    z = (log (a + 1/2) / (c + 1/2) - log (b + 1/2) / (d + 1/2))
        / sqrt(1/(a + 1/2) + 1/(c + 1/2) + 1/(b + 1/2) + 1/(d + 1/2))

a of the group's sentences have the word and c have not; of the others b have it and d have not. The paper
leaves the terms of c and d out, since a word is rare among all words of a text; among sentences it is not.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import regex

from explorer import assets
from explorer.text.folding import fold, in_small_letters, straighten
from explorer.text.letters import LETTERS, has_unspaced, is_hangul
from explorer.text.search import search_for

TOP = 3
MARKS = regex.compile(rf"{LETTERS}(?:['\-\u2010\u2011]{LETTERS})*")
# Function words and words that may occur in any sentence, and so name nothing.
PLAIN = frozenset(assets.text(assets.TEXTS / "function_words.txt").split())


def distinctive(
    texts: Sequence[str], member: Sequence[int | None], word: str, top: int = TOP, least: int = 1
) -> dict[int, list[str]]:
    """For each group, the words that distinguish its sentences, the most distinctive first.

    >>> distinctive(["a bank loan", "the loan of a bank", "a muddy bank"], [0, 0, 1], "bank")
    {0: ['loan'], 1: ['muddy']}

    Spellings are compared as in a search, and returned as the first of them is written. The word itself, its
    forms with -s, PLAIN words and scripts without spaces are left out. A word that occurs in only one of the
    group's sentences is left out if others occur in more, or if `least` is 2 or more. Ties are broken by the
    distance from the word. Texts without a group (None) are ignored.
    """
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    distance: dict[str, float] = {}
    spellings: dict[str, str] = {}
    sizes = Counter(g for g in member if g is not None)
    for text, group in zip(texts, member, strict=True):
        if group is None:
            continue
        near = _nearby_words(text, word, spellings)
        counts[group].update(near.keys())
        for other, nearest in near.items():
            distance[other] = min(nearest, distance.get(other, math.inf))
    total = sum(counts.values(), Counter())
    keywords = {}
    for group in sorted(sizes):
        rest = len([g for g in member if g is not None]) - sizes[group]
        merit = {
            w: _log_odds(count, sizes[group], total[w] - count, rest) for w, count in counts[group].items()
        }
        often = [w for w, z in merit.items() if z > 0 and counts[group][w] > 1]
        once = [w for w, z in merit.items() if z > 0 and counts[group][w] == 1]
        for words in (often, once):
            words.sort(key=lambda w: (-round(merit[w], 6), distance[w], w))
        keywords[group] = [spellings[w] for w in (often or (once if least < 2 else []))[:top]]
    return keywords


def _nearby_words(text: str, word: str, written: dict[str, str]) -> dict[str, int]:
    """The content words of a text, folded, and the distance of each from `word`, in words.

    Adds a spelling of each to `written`.
    """
    spellings = [match.group() for match in MARKS.finditer(straighten(text))]
    words = list(map(fold, spellings))
    word = fold(word.strip())
    own = {word, f"{word}s", f"{word}es", f"{word}'s"}
    own.update(w for w in words if _has_attached(w, word))
    places = [i for i, w in enumerate(words) if w in own]
    distances: dict[str, int] = {}
    for i, w in enumerate(words):
        if w in own or w in PLAIN or len(w) < 2 or has_unspaced(w):
            continue
        written.setdefault(w, in_small_letters(spellings[i]))
        distance = min((abs(i - place) for place in places), default=len(words))
        distances[w] = min(distance, distances.get(w, distance))
    return distances


def _has_attached(folded: str, word: str) -> bool:
    """Whether a word is another word with an article or a particle attached: l'eau, bank에서."""
    attached = "'" in folded or any(map(is_hangul, folded))
    return attached and "-" not in folded and bool(search_for(word).spans(folded))


def _log_odds(a: int, n: int, b: int, m: int) -> float:
    with_word, without = (a + 0.5, b + 0.5), (n - a + 0.5, m - b + 0.5)
    odds = math.log(with_word[0] / without[0]) - math.log(with_word[1] / without[1])
    return odds / math.sqrt(sum(1 / count for count in (*with_word, *without)))
