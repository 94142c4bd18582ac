"""Prefixes that other programs put before the names of a network's parameters.

module.bert.encoder...          torch.nn.DataParallel
_orig_mod.model.layers...       torch.compile
0.auto_model.encoder...         sentence-transformers
"""

import re
from collections import Counter
from collections.abc import Callable, Collection

from explorer.models import Family

DEEPEST = 5  # parts of a name that may precede a parameter's own
SHARE = 0.9  # of the names, at least, have the prefix; the others belong to added heads


def wrapping(names: Collection[str], family: Family, own_name: Callable[[str, Family], str]) -> str:
    """The prefix without which the names are the family's; "" if that is not certain.

    `own_name` removes the prefix in the family's own files.

    >>> from explorer.checkpoints.rename import canonical_name
    >>> from explorer.models import FAMILIES
    >>> wrapping(["module.wte.weight", "module.wpe.weight"], FAMILIES["gpt2"], canonical_name)
    'module.'
    """
    hub_names = {theirs for rule in family.rules for theirs in rule.theirs}

    def count(prefix: str) -> int:
        rest = (own_name(name[len(prefix) :], family) for name in names if name.startswith(prefix))
        return len({name for name in rest if re.sub(r"\.\d+\.", ".{i}.", name, count=1) in hub_names})

    shared = Counter(prefix for name in names for prefix in _prefixes(name))
    common = [prefix for prefix, number in shared.items() if number >= SHARE * len(names)]
    counts = {prefix: count(prefix) for prefix in sorted(["", *common], key=len)}
    return max(counts, key=lambda prefix: counts[prefix])


def _prefixes(name: str) -> list[str]:
    """The possible prefixes of a name: its first parts, with the dot after them."""
    parts = name.split(".")
    return [".".join([*parts[:depth], ""]) for depth in range(1, min(DEEPEST + 1, len(parts)))]
