"""How far two methods put the same tokens first: Spearman's rank correlation."""

from collections.abc import Collection, Mapping
from itertools import combinations

import torch
from jaxtyping import Float
from torch import Tensor


def rank_correlations(
    methods: Mapping[str, Float[Tensor, "judged"]], unsigned: Collection[str] = ()
) -> dict[tuple[str, str], float]:
    """Spearman's correlation of every two methods' values, -1 to 1; nan if all values of one are equal.

    An `unsigned` method, such as attention, is compared with the sizes of the other's values.

    >>> from torch import tensor
    >>> one, other, shares = tensor([0.1, 0.2, -0.9]), tensor([1.0, 3.0, -5.0]), tensor([0.1, 0.2, 0.7])
    >>> values = {"one": one, "other": other, "shares": shares}
    >>> {pair: round(rho, 2) for pair, rho in rank_correlations(values, unsigned=["shares"]).items()}
    {('one', 'other'): 1.0, ('one', 'shares'): 1.0, ('other', 'shares'): 1.0}
    """
    from scipy.stats import rankdata

    correlations = {}
    for (first, a), (second, b) in combinations(methods.items(), 2):
        sizes = first in unsigned or second in unsigned
        ranks = [torch.tensor(rankdata(values.abs() if sizes else values)) for values in (a, b)]
        correlations[first, second] = float(torch.corrcoef(torch.stack(ranks))[0, 1])
    return correlations
