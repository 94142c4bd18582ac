"""English and Chinese sentence pairs: a thousand are kept aside, the others may be learnt from.

The frozen rule: pairs that share a side, directly or over others, are a group. The 1,000 groups whose least
key has the smallest SHA-256 are kept aside with all their pairs; of each, the first pair is in the test.
"""

import hashlib
from pathlib import Path

from training.translator.pairs import Pair, Split, groups, read

ASIDE = 1000


def chinese(text: str) -> str:
    """A Chinese sentence written in one way: no spaces at its ends, and never two together."""
    return " ".join(text.split())


def split(path: Path, aside: int = ASIDE) -> Split:
    """The pairs to learn from, and those kept aside, of a file of English and Chinese with a tab between.

    Raises NotFoundError or FormatError.
    """
    found = groups(read(path, chinese))
    order = sorted(found, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    kept: list[Pair] = [found[name][0] for name in order[:aside]]
    return Split([pair for name in order[aside:] for pair in found[name]], kept)
