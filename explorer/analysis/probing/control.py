"""A control task: random labels, which a probe can only memorise.

Hewitt and Liang, "Designing and Interpreting Probes with Control Tasks" (EMNLP 2019): every word type gets a
random label, the same in all sentences. Selectivity is the accuracy on the task minus that on its control
task: what a probe scores beyond memorising.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from explorer.errors import ExplorerError


def control_label(word: str, shares: Sequence[float], seed: int = 0) -> int:
    """The index of a word's random label, from a hash of its spelling in lower case; labels have these
    shares.

    The same word gets the same label in every process.

    Raises ExplorerError if the shares do not sum to 1.
    """
    if not shares or abs(sum(shares) - 1) > 1e-6:
        raise ExplorerError("The labels' shares must sum to 1.")
    uniform = int.from_bytes(blake2b(f"{seed}/{word.lower()}".encode(), digest_size=8).digest()) / 2**64
    for label, share in enumerate(shares):
        uniform -= share
        if uniform < 0:
            return label
    return max(range(len(shares)), key=lambda label: shares[label])  # after rounding errors


def control_labels(words: Iterable[str], shares: Sequence[float], seed: int = 0) -> list[int]:
    """The `control_label` of each word.

    >>> control_labels(["the", "bank", "the"], [0.2, 0.3, 0.5])[0::2]
    [2, 2]
    """
    labels: dict[str, int] = {}
    return [labels.setdefault(word, control_label(word, shares, seed)) for word in words]
