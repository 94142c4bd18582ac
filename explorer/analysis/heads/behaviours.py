"""What a head does wherever it is: where it looks, how far, and how widely.

Only ordinary tokens ask (are queries); special tokens answer where a behaviour names them. After
Clark, Khandelwal, Levy, Manning, "What Does BERT Look At?" (BlackboxNLP 2019), section 3.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.analysis.words import words
from explorer.errors import AbilityError
from explorer.text.letters import has_letters
from explorer.trace import Encoding, Trace

# Each but the last three is a mean share of attention, 0 to 1.
BEHAVIOURS = {
    "previous": "to the token before",
    "next": "to the token after",
    "same": "to the token itself",
    "first": "to the first token of all",
    "special": "to special tokens",
    "separator": "to separators, [SEP]",
    "repeat": "to the same word elsewhere",
    "after": "to what followed an earlier copy of the token",
    "broad": "entropy of the row, in nats",
    "even": "entropy of the row, as a share of the most it could be",
    "distance": "mean distance in tokens, special tokens left out",
}
SEPARATORS = frozenset(["[SEP]", "</s>"])


@dataclass(frozen=True, eq=False)
class Tally:
    """Sums over queries, and over how many; to be added up over sentences."""

    total: Float[Tensor, "behaviour layer head"]
    weight: Float[Tensor, "behaviour layer head"]

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.total + other.total, self.weight + other.weight)

    def scores(self) -> dict[str, Float[Tensor, "layer head"]]:
        """Each behaviour's mean over the queries; nan where there was none."""
        return dict(zip(BEHAVIOURS, (self.total / self.weight).float()))


def behaviours(trace: Trace) -> dict[str, Float[Tensor, "layer head"]]:
    """Every head's scores on one text; nan where a behaviour cannot be had on it.

    Raises AbilityError for a trace without attention.

    >>> import explorer
    >>> found = behaviours(explorer.load("bert").trace("The bank by the river."))
    >>> found["previous"].shape, bool((found["previous"] <= 1).all())
    (torch.Size([6, 12]), True)
    """
    if trace.attention is None:
        raise AbilityError("This trace holds no attention.", "Trace the text with Capture.ATTENTION.")
    return tally(trace.attention.pattern, trace.encoding, trace.attention.causal).scores()


def flat(length: int, causal: bool) -> Float[Tensor, "1 1 query_pos key_pos"]:
    """The pattern of a head that looks at everything it sees alike: its scores are had for nothing."""
    seen = torch.ones(length, length)
    seen = seen.tril() if causal else seen
    return (seen / seen.sum(-1, keepdim=True))[None, None]


def reference(trace: Trace) -> dict[str, float]:
    """What `behaviours` would give a head that looks at everything it sees alike, on the same text.

    >>> import explorer
    >>> round(reference(explorer.load("bert").trace("The bank by the river."))["special"], 3)
    0.25
    """
    if trace.attention is None:
        raise AbilityError("This trace holds no attention.", "Trace the text with Capture.ATTENTION.")
    causal = trace.attention.causal
    even = tally(flat(len(trace.encoding), causal), trace.encoding, causal)
    return {name: float(score) for name, score in even.scores().items()}


def tally(
    pattern: Float[Tensor, "layer head query_pos key_pos"], encoding: Encoding, causal: bool = False
) -> Tally:
    """The sums of one text; `causal` says that no token can look at a later one.

    share      sum over queries and the keys in question of a(q, k), over the queries that have such a key
    broad      sum over queries of - sum_k a(q, k) ln a(q, k)
    even       the same, each row's divided by ln(keys it sees)
    distance   sum of a(q, k) |q - k| over ordinary keys, over the sum of a(q, k)
    """
    pattern = pattern.double()
    keys = targets(encoding, causal)
    asking = ~encoding.special
    shares = torch.einsum("lhqk,bqk->blh", pattern, keys.double())
    queries = keys.any(-1).sum(-1).double()[:, None, None].expand_as(shares)
    place = torch.arange(len(encoding))
    seen = (place + 1 if causal else torch.full_like(place, len(encoding))).double()
    entropy = torch.special.entr(pattern).sum(-1)
    broad = (entropy * asking).sum(-1)
    wide = asking & (seen > 1)
    even = (entropy / seen.log().clamp_min(1e-12) * wide).sum(-1)
    far = (place[:, None] - place).abs().double()
    between = pattern * (asking[:, None] & asking)
    total = torch.stack([broad, even, (between * far).sum((-2, -1))])
    ones = torch.ones_like(broad)
    weight = torch.stack([ones * asking.sum(), ones * wide.sum(), between.sum((-2, -1))])
    return Tally(torch.cat([shares, total]), torch.cat([queries, weight]))


def targets(encoding: Encoding, causal: bool) -> Bool[Tensor, "behaviour query_pos key_pos"]:
    """For each share, in the order of BEHAVIOURS, which keys each query is asked about."""
    n = len(encoding)
    ordinary, place = ~encoding.special, torch.arange(n)
    back = place[:, None] - place  # how many tokens the key stands before the query
    separator = encoding.special & torch.tensor([token in SEPARATORS for token in encoding.tokens])
    same = encoding.ids[:, None] == encoding.ids
    after = torch.zeros(n, n, dtype=torch.bool)
    after[:, 1:] = (same & (back > 1) & ordinary)[:, :-1]  # the key after one: not the query itself
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
    """Whether two tokens belong to two words of the same letters, upper and lower case alike."""
    spelled = torch.full((len(encoding),), -1)
    number = torch.full((len(encoding),), -1)
    seen: dict[str, int] = {}
    for i, word in enumerate(words(encoding)):
        if not word.special and has_letters(word.text):
            spelled[word.positions] = seen.setdefault(word.text.lower(), len(seen))
            number[word.positions] = i
    alike = (spelled[:, None] == spelled) & (number[:, None] != number)
    return alike & (spelled >= 0)
