"""How much a text repeats itself, in counts of its own tokens."""

from collections.abc import Sequence


def repeated(ids: Sequence[int], n: int = 3) -> float:
    """The share of the runs of n tokens that occurred before in the same list, 0 to 1.

    >>> repeated([1, 2, 3, 1, 2, 3])
    0.25
    """
    return 1 - distinct(ids, n) if len(ids) >= n else 0.0


def distinct(ids: Sequence[int], n: int) -> float:
    """Distinct-n: different runs of n tokens, of all the runs there are (Li et al., NAACL 2016); 1 for none.

    >>> distinct([1, 2, 1, 2], 2)
    0.6666666666666666
    """
    runs = [tuple(ids[i : i + n]) for i in range(len(ids) - n + 1)]
    return len(set(runs)) / len(runs) if runs else 1.0
