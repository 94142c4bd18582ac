"""What a head attends to on any text: which kinds of tokens, how far away, and how evenly.

Queries are ordinary tokens only; keys are special tokens only where a behaviour names them. After
Clark, Khandelwal, Levy, Manning, "What Does BERT Look At?" (BlackboxNLP 2019), section 3.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.analysis.attention.weights import attention_of
from explorer.analysis.words import words
from explorer.locale import N_
from explorer.text.letters import has_letters
from explorer.trace import Encoding, Trace

# Each but the last three is a mean share of attention, 0 to 1.
BEHAVIOURS = {
    "previous": N_("to the token before"),
    "next": N_("to the token after"),
    "same": N_("to the token itself"),
    "first": "to the first token of all",
    "special": N_("to special tokens"),
    "separator": "to separators, [SEP]",
    "repeat": "to the same word elsewhere",
    "after": "to what followed an earlier copy of the token",
    "broad": "entropy of the row, in nats",
    "even": "entropy of the row, as a share of its maximum",
    "distance": "mean distance in tokens, without special tokens",
}
SEPARATORS = frozenset(["[SEP]", "</s>"])


@dataclass(frozen=True, eq=False)
class Tally:
    """Sums over queries, and the number of queries; added up over sentences."""

    total: Float[Tensor, "behaviour layer head"]
    weight: Float[Tensor, "behaviour layer head"]

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.total + other.total, self.weight + other.weight)

    def scores(self) -> dict[str, Float[Tensor, "layer head"]]:
        """Each behaviour's mean over the queries; nan without any query."""
        return dict(zip(BEHAVIOURS, (self.total / self.weight).float()))


def behaviours(trace: Trace) -> dict[str, Float[Tensor, "layer head"]]:
    """Every head's scores on one text; nan for a behaviour that this text cannot show.

    Raises AbilityError for a trace without attention.

    >>> scores = behaviours(explorer.load("bert").trace("The bank by the river."))
    >>> scores["previous"].shape, bool((scores["previous"] <= 1).all())
    (torch.Size([6, 12]), True)
    """
    attention = attention_of(trace)
    return tally(attention.pattern, trace.encoding, attention.causal).scores()


def flat(length: int, causal: bool) -> Float[Tensor, "1 1 query_pos key_pos"]:
    """The pattern of a head that attends equally to all tokens that it may read: the baseline."""
    readable = torch.ones(length, length)
    readable = readable.tril() if causal else readable
    return (readable / readable.sum(-1, keepdim=True))[None, None]


def reference(trace: Trace) -> dict[str, float]:
    """The `behaviours` of a head that attends equally to all tokens that it may read: the baseline.

    >>> round(reference(explorer.load("bert").trace("The bank by the river."))["special"], 3)
    0.25
    """
    causal = attention_of(trace).causal
    even = tally(flat(len(trace.encoding), causal), trace.encoding, causal)
    return {name: float(score) for name, score in even.scores().items()}


def tally(
    pattern: Float[Tensor, "layer head query_pos key_pos"], encoding: Encoding, causal: bool = False
) -> Tally:
    """The sums of one text; `causal` says that no token can read a later one.

    share      sum over queries and target keys of a(q, k); weight: the queries that have a target
    broad      sum over queries of - sum_k a(q, k) ln a(q, k)
    even       the same, for each row divided by ln(number of readable keys)
    distance   sum of a(q, k) |q - k| over ordinary keys; weight: the sum of a(q, k)
    """
    pattern = pattern.double()
    keys = targets(encoding, causal)
    queries = ~encoding.special
    shares = torch.einsum("lhqk,bqk->blh", pattern, keys.double())
    counts = keys.any(-1).sum(-1).double()[:, None, None].expand_as(shares)
    place = torch.arange(len(encoding))
    readable = (place + 1 if causal else torch.full_like(place, len(encoding))).double()
    entropy = torch.special.entr(pattern).sum(-1)
    broad = (entropy * queries).sum(-1)
    several = queries & (readable > 1)
    even = (entropy / readable.log().clamp_min(1e-12) * several).sum(-1)
    distances = (place[:, None] - place).abs().double()
    ordinary_pattern = pattern * (queries[:, None] & queries)
    total = torch.stack([broad, even, (ordinary_pattern * distances).sum((-2, -1))])
    ones = torch.ones_like(broad)
    weight = torch.stack([ones * queries.sum(), ones * several.sum(), ordinary_pattern.sum((-2, -1))])
    return Tally(torch.cat([shares, total]), torch.cat([counts, weight]))


def targets(encoding: Encoding, causal: bool) -> Bool[Tensor, "behaviour query_pos key_pos"]:
    """The target keys of each query, for each share in the order of BEHAVIOURS."""
    n = len(encoding)
    ordinary, place = ~encoding.special, torch.arange(n)
    back = place[:, None] - place  # how many tokens the key is before the query
    separator = encoding.special & torch.tensor([token in SEPARATORS for token in encoding.tokens])
    same = encoding.ids[:, None] == encoding.ids
    after = torch.zeros(n, n, dtype=torch.bool)
    after[:, 1:] = (same & (back > 1) & ordinary)[
        :, :-1
    ]  # the key after such a token; never the query itself
    keys = torch.stack(
        [
            (back == 1) & ordinary,
            (back == -1) & ordinary,
            back == 0,
            (place == 0) & (back != 0),
            encoding.special.expand(n, n),
            separator.expand(n, n),
            _same_word(encoding),
            after & ordinary,
        ]
    )
    keys &= ordinary[:, None]
    return keys & (back >= 0) if causal else keys


def _same_word(encoding: Encoding) -> Bool[Tensor, "query_pos key_pos"]:
    """Whether two tokens belong to different words with the same letters, ignoring case."""
    spelling = torch.full((len(encoding),), -1)
    index = torch.full((len(encoding),), -1)
    numbers: dict[str, int] = {}
    for i, word in enumerate(words(encoding)):
        if not word.special and has_letters(word.text):
            spelling[word.positions] = numbers.setdefault(word.text.lower(), len(numbers))
            index[word.positions] = i
    alike = (spelling[:, None] == spelling) & (index[:, None] != index)
    return alike & (spelling >= 0)
