"""How much a text repeats itself, measured on its tokens."""

from collections.abc import Sequence


def repetition_rate(ids: Sequence[int], n: int = 3) -> float:
    """The share of n-grams that occurred before in the same list, 0 to 1.

    >>> repetition_rate([1, 2, 3, 1, 2, 3])
    0.25
    """
    return 1 - distinct(ids, n) if len(ids) >= n else 0.0


def distinct(ids: Sequence[int], n: int) -> float:
    """Distinct-n: the share of different n-grams among all n-grams (Li et al., NAACL 2016); 1 if there are
    none.

    >>> distinct([1, 2, 1, 2], 2)
    0.6666666666666666
    """
    ngrams = [tuple(ids[i : i + n]) for i in range(len(ids) - n + 1)]
    return len(set(ngrams)) / len(ngrams) if ngrams else 1.0


def repeated(ids: Sequence[int], n: int = 3) -> set[int]:
    """The places of the tokens in n-grams that occurred before.

    >>> sorted(repeated([1, 2, 3, 9, 1, 2, 3]))
    [4, 5, 6]
    """
    earlier: set[tuple[int, ...]] = set()
    places: set[int] = set()
    for start in range(len(ids) - n + 1):
        ngram = tuple(ids[start : start + n])
        if ngram in earlier:
            places.update(range(start, start + n))
        earlier.add(ngram)
    return places
