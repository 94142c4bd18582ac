"""Attention flow: how much can reach a token from each word, if attention weights were the widths of pipes.

Abnar and Zuidema, "Quantifying Attention Flow in Transformers" (ACL 2020), section 3. The layers' steps
(see `rollout`: heads averaged, one half kept by the residual, no values) are pipes between layers. The
flow from a word is the most that can run from it up to the token at once (Ford and Fulkerson 1956): one
maximum-flow problem for each word, so flows of several words share pipes and do not sum to 1.
Never less than the rollout, which is one of the ways in which as much can run.
"""

import numpy as np
from jaxtyping import Float
from torch import Tensor, float32, tensor

from explorer.errors import TextError

MOST_TOKENS = 40
UNIT = 10**9  # the solver wants whole numbers: widths are counted in thousand-millionths


def flow(
    steps: Float[Tensor, "layer query_pos key_pos"], layer: int, position: int
) -> Float[Tensor, "key_pos"]:
    """The most that can run from each word to one token at a layer (1 to all).

    Two layers of [[.5, .5], [.5, .5]]: 1 from each word, since its two pipes of .5 lead on to two
    others. Their rollout is .5. Raises TextError for more than MOST_TOKENS tokens.
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
    widths = np.round(steps[above, upper, lower].double().numpy() * UNIT).astype(np.int32)
    # Place p of layer l is node l * count + p; the words are layer 0.
    start, end = (above + 1) * count + upper, above * count + lower
    size = (layer + 1) * count
    pipes = csr_matrix((widths, (start, end)), shape=(size, size))
    source = layer * count + position
    found = [maximum_flow(pipes, source, word).flow_value / UNIT for word in range(count)]
    return tensor(found, dtype=float32)
