"""What another program has put before the names of a network's parameters, taken off again.

module.bert.encoder...          torch.nn.DataParallel
_orig_mod.model.layers...       torch.compile
0.auto_model.encoder...         sentence-transformers
"""

import re
from collections import Counter
from collections.abc import Callable, Collection

from explorer.models import Family

DEEPEST = 5  # parts of a name that may stand before a parameter's own
SHARE = 0.9  # of the names, at least, have the prefix: others are heads that were put on top


def wrapping(names: Collection[str], family: Family, own_name: Callable[[str, Family], str]) -> str:
    """The prefix without which the names are those of the family's parameters; "" where that is not certain.

    `own_name` takes off what the family's own files put before a name.

    >>> from explorer.checkpoints.rename import canonical_name
    >>> from explorer.models import FAMILIES
    >>> wrapping(["module.wte.weight", "module.wpe.weight"], FAMILIES["gpt2"], canonical_name)
    'module.'
    """
    known = {theirs for rule in family.rules for theirs in rule.theirs}

    def count(prefix: str) -> int:
        rest = (own_name(name[len(prefix) :], family) for name in names if name.startswith(prefix))
        return len({name for name in rest if re.sub(r"\.\d+\.", ".{i}.", name, count=1) in known})

    shared = Counter(prefix for name in names for prefix in _prefixes(name))
    common = [prefix for prefix, number in shared.items() if number >= SHARE * len(names)]
    counts = {prefix: count(prefix) for prefix in sorted(["", *common], key=len)}
    return max(counts, key=lambda prefix: counts[prefix])


def _prefixes(name: str) -> list[str]:
    """What may have been put before a name: its first parts, with the dot after them."""
    parts = name.split(".")
    return [".".join([*parts[:depth], ""]) for depth in range(1, min(DEEPEST + 1, len(parts)))]
