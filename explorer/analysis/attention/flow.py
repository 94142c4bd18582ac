"""Attention flow: how much can reach a token from each word, with attention weights as capacities.

Abnar and Zuidema, "Quantifying Attention Flow in Transformers" (ACL 2020), section 3. The layers' steps
(see `rollout`: heads averaged, one half for the residual, no values) are the edges of a network. The flow
from a word is the maximum flow from it up to the token (Ford and Fulkerson 1956). It is one problem for each
word, so flows of several words share edges and do not sum to 1. A flow is never less than the rollout, which
is one admissible flow.
"""

import numpy as np
from jaxtyping import Float
from torch import Tensor, float32, tensor

from explorer.errors import TextError

MOST_TOKENS = 40
UNIT = 10**9  # the solver needs integers: capacities are counted in billionths


def flow(
    steps: Float[Tensor, "layer query_pos key_pos"], layer: int, position: int
) -> Float[Tensor, "key_pos"]:
    """The maximum flow from each word to one token at a layer (counted from 1).

    Two layers of [[.5, .5], [.5, .5]] give 1 for each word, since both of its edges of .5 lead on to the
    token. Their rollout is .5. Raises TextError for more than MOST_TOKENS tokens.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_flow

    count = steps.shape[-1]
    if count > MOST_TOKENS:
        raise TextError(
            f"Flow is computed for {MOST_TOKENS} tokens at most, and these are {count}.",
            "Shorten the sentence; rollout takes longer ones.",
        )
    above, upper, lower = np.nonzero(steps[:layer].numpy() > 0)
    capacities = np.round(steps[above, upper, lower].double().numpy() * UNIT).astype(np.int32)
    # Position p of layer l is node l * count + p; the words are layer 0.
    start, end = (above + 1) * count + upper, above * count + lower
    size = (layer + 1) * count
    graph = csr_matrix((capacities, (start, end)), shape=(size, size))
    source = layer * count + position
    flows = [maximum_flow(graph, source, word).flow_value / UNIT for word in range(count)]
    return tensor(flows, dtype=float32)
