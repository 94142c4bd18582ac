"""A control task: labels without any sense, which a probe can only learn by heart.

Hewitt and Liang, "Designing and Interpreting Probes with Control Tasks" (EMNLP 2019): every word type
gets one label by chance and keeps it wherever it stands. Selectivity is the accuracy on the task minus
that on its control: what a probe scores beyond what it could have memorised.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from explorer.errors import ExplorerError


def control_label(word: str, shares: Sequence[float], seed: int = 0) -> int:
    """The index of a word's label, drawn by its spelling in lower case, each label with its share.

    The same word gets the same label in every process, whatever came before it.

    >>> control_label("bank", [0.5, 0.5]) == control_label("Bank", [0.5, 0.5])
    True

    Raises ExplorerError where the shares do not sum to 1.
    """
    if not shares or abs(sum(shares) - 1) > 1e-6:
        raise ExplorerError("The labels' shares must sum to 1.")
    drawn = int.from_bytes(blake2b(f"{seed}/{word.lower()}".encode(), digest_size=8).digest()) / 2**64
    for label, share in enumerate(shares):
        drawn -= share
        if drawn < 0:
            return label
    return max(range(len(shares)), key=lambda label: shares[label])  # what rounding left over


def control_labels(words: Iterable[str], shares: Sequence[float], seed: int = 0) -> list[int]:
    """`control_label` of each word.

    >>> control_labels(["the", "bank", "the"], [0.2, 0.3, 0.5])[0::2]
    [2, 2]
    """
    drawn: dict[str, int] = {}
    return [drawn.setdefault(word, control_label(word, shares, seed)) for word in words]
