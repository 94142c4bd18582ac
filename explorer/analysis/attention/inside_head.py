"""Inside one head: from two token vectors to a score, a weight and a weighted value.

    q = W_Q x_query + b      k = W_K x_key + b      v = W_V x_key + b
    score = q . k / sqrt(d_head)      weight = softmax of the query's scores      output = sum of weight * v

(Vaswani et al. 2017, section 3.2.1.) GPT's heads read a normalised copy of x; BERT's read x itself.
"""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.errors import AbilityError
from explorer.short_text import WithShortText
from explorer.trace import Encoding, Trace


@dataclass(frozen=True, eq=False, repr=False)
class InsideHead(WithShortText):
    """All that one head computes for one text.

    `inputs` are the token vectors that enter the layer. `allowed` is False for a key that comes after the
    query in a causal model: its score is masked, and its weight is 0. `encoding` names the tokens.
    """

    layer: int
    head: int
    inputs: Float[Tensor, "pos d_model"]
    queries: Float[Tensor, "pos d_head"]
    keys: Float[Tensor, "pos d_head"]
    values: Float[Tensor, "pos d_head"]
    allowed: Bool[Tensor, "query_pos key_pos"]
    weights: Float[Tensor, "query_pos key_pos"]
    encoding: Encoding | None = None

    @property
    def scale(self) -> float:
        """The divisor of q . k: the square root of d_head, so that long vectors score no higher."""
        return math.sqrt(self.queries.shape[-1])

    def products(self, query: int, key: int) -> Float[Tensor, "d_head"]:
        """The products of q and k, number by number; their sum is q . k."""
        return self.queries[query] * self.keys[key]

    def scores(self, query: int) -> Float[Tensor, "key_pos"]:
        """q . k / sqrt(d_head) for every key, including later ones."""
        return self.keys @ self.queries[query] / self.scale

    def weighted(self, query: int, key: int) -> Float[Tensor, "d_head"]:
        """What the query takes from one token: its value times the weight, [d_head]."""
        return self.weights[query, key] * self.values[key]

    def output(self, query: int) -> Float[Tensor, "d_head"]:
        """The output of the head for the query: the sum of all weighted values."""
        return self.weights[query] @ self.values


def inside(trace: Trace, layer: int, head: int) -> InsideHead:
    """One head of a trace with hidden states and attention. Raises AbilityError without them."""
    attention = trace.attention
    if attention is None or trace.hidden_states is None:
        raise AbilityError(
            "This trace lacks hidden states or attention.",
            "Trace the text with Capture.HIDDEN | Capture.ATTENTION.",
        )
    count = len(trace.encoding)
    everywhere = torch.ones(count, count, dtype=torch.bool)
    return InsideHead(
        layer=layer,
        head=head,
        inputs=trace.hidden_states[layer],
        queries=attention.queries[layer, head],
        keys=attention.keys[layer, head],
        values=attention.values[layer, head],
        allowed=everywhere.tril() if attention.causal else everywhere,
        weights=attention.pattern[layer, head],
        encoding=trace.encoding,
    )
