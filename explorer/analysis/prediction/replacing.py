"""ELECTRA's training on one text: words are replaced, and a second network says which (Clark et al. 2020).

    masking      ceil(0.15 n) of the n tokens, chosen at random, are masked
    generator    it samples a token for each blank from its distribution (temperature 1)
    detection    a discriminator gives each token of the new text the probability that it was replaced

    loss of the generator        -log p(original token),   at the blanks only, in nats
    loss of the discriminator    -log p(correct verdict),  at every token, in nats

A sample that happens to be the original token counts as original. The generator is trained by maximum
likelihood, and no gradient flows through the sampling: this is not adversarial training.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor

from explorer.errors import FormatError, TextError
from explorer.locale import _
from explorer.models import LanguageModel
from explorer.trace import Ability, Encoding

SHARE = 0.15  # of the tokens are masked for the generator


@dataclass(frozen=True)
class Replacement:
    """A generator's token for a blank: its `probability`, and that of the `original` token."""

    position: int
    id: int
    probability: float
    original: float

    @property
    def loss(self) -> float:
        """The generator's loss here, in nats."""
        return -math.log(max(self.original, 1e-45))


@dataclass(frozen=True, eq=False)
class Detection:
    """A text in which some tokens were replaced, and a discriminator's verdict on each token.

    `ids` are those it read; `replaced` is true where a token is not the original one; `probabilities` are
    those of “replaced”, and `losses` its losses in nats. Special tokens are never replaced, and their loss
    is 0.
    """

    encoding: Encoding
    ids: Int[Tensor, "pos"]
    replaced: Bool[Tensor, "pos"]
    probabilities: Float[Tensor, "pos"]
    losses: Float[Tensor, "pos"]

    @property
    def suspected(self) -> Bool[Tensor, "pos"]:
        """Where the discriminator finds “replaced” more probable than “original”, except special tokens."""
        return (self.probabilities > 0.5) & ~self.encoding.special


def hidden_places(encoding: Encoding, seed: int, share: float = SHARE) -> list[int]:
    """The positions to mask, in order: this share of the ordinary tokens, rounded up."""
    may = (~encoding.special).nonzero()[:, 0]
    order = torch.randperm(len(may), generator=torch.Generator().manual_seed(seed))
    # Rounded first: 0.15 x 20 is a little more than 3 in floating point.
    return sorted(may[order[: math.ceil(round(share * len(may), 6))]].tolist())


def fill(generator: LanguageModel, encoding: Encoding, places: Sequence[int], seed: int) -> list[Replacement]:
    """The tokens that a generator samples at these positions, all masked at once.

    Raises AbilityError for a model that does not fill blanks.
    """
    generator.require(Ability.FILL, "fill blanks")
    if not places:
        return []
    at = list(places)
    input_ids = encoding.ids.clone()
    input_ids[at] = generator.tokenizer.special_id("mask")
    last = generator.run(input_ids[None], segments=encoding.segments[None]).last[0]
    scores = generator.unembed(last[at]).float().cpu()
    ids = sample(scores, torch.Generator().manual_seed(seed))
    chances = scores.softmax(-1)
    rows = torch.arange(len(at))
    columns = zip(
        at, ids.tolist(), chances[rows, ids].tolist(), chances[rows, encoding.ids[at]].tolist(), strict=True
    )
    return [Replacement(*row) for row in columns]


def judge(discriminator: LanguageModel, encoding: Encoding, replacements: Sequence[Replacement]) -> Detection:
    """A discriminator's verdicts on a text with a generator's replacements.

    Raises AbilityError for a model without that head.
    """
    ids = encoding.ids.clone()
    for replacement in replacements:
        ids[replacement.position] = replacement.id
    return _detect(discriminator, encoding, ids, ids != encoding.ids)


def judge_words(discriminator: LanguageModel, text: str, spans: Sequence[tuple[int, int]]) -> Detection:
    """The verdicts on a text that a person changed at these (start, end) characters.

    Raises AbilityError for a model without that head, TextError for a span outside the text.
    """
    if any(not 0 <= start < end <= len(text) for start, end in spans):
        raise TextError(_("A replaced word lies outside the text."), _("Name places within the text."))
    encoding = discriminator.encode(text)
    replaced = torch.tensor(
        [
            not special and any(s < end and start < e for start, end in spans)
            for (s, e), special in zip(encoding.spans, encoding.special.tolist(), strict=True)
        ]
    )
    return _detect(discriminator, encoding, encoding.ids, replaced)


def with_words(
    text: str, places: Sequence[tuple[int, int]], put: Sequence[str]
) -> tuple[str, list[tuple[int, int]]]:
    """The text with other words at some (start, end) characters, and the spans of these words in it.

    `places` are in the order of the text and do not overlap.

    >>> with_words("The chef cooked.", [(4, 8), (9, 15)], ["train", "left"])
    ('The train left.', [(4, 9), (10, 14)])
    """
    parts, spans, at, length = [], [], 0, 0
    for (start, end), word in zip(places, put, strict=True):
        parts += [text[at:start], word]
        length += start - at
        spans.append((length, length + len(word)))
        at, length = end, length + len(word)
    return "".join([*parts, text[at:]]), spans


def check_pair(generator: LanguageModel, discriminator: LanguageModel) -> None:
    """Raises FormatError if the two do not split text into the same tokens."""
    first, second = (model.tokenizer for model in (generator, discriminator))
    sample = "The bank, by the river: unbelievably old."
    if first.size != second.size or first.encode(sample).ids.tolist() != second.encode(sample).ids.tolist():
        raise FormatError(
            f"{generator.checkpoint} and {discriminator.checkpoint} have different vocabularies.",
            "Take a generator and a discriminator that were trained together.",
        )


def _detect(model: LanguageModel, encoding: Encoding, ids: Tensor, replaced: Tensor) -> Detection:
    model.require(Ability.DETECT, "judge which tokens were replaced")
    last = model.run(ids[None], segments=encoding.segments[None]).last[0]
    scores = model.detect(last).float().cpu()
    losses = F.binary_cross_entropy_with_logits(scores, replaced.float(), reduction="none")
    return Detection(encoding, ids, replaced, scores.sigmoid(), losses.masked_fill(encoding.special, 0.0))


def sample(scores: Float[Tensor, "word d_vocab"], generator: Generator) -> Int[Tensor, "word"]:
    """A token for each row, sampled from the softmax of its scores (temperature 1).

    It looks up one random number for each row in the cumulative probabilities: the Gumbel trick would need
    one for each token of the vocabulary, which takes longer than all the rest.

    >>> sample(torch.tensor([[0.0, 40.0, 0.0]]), Generator().manual_seed(0))
    tensor([1])
    """
    cumulative = scores.float().softmax(-1).cumsum(-1)
    chance = torch.rand(len(scores), 1, generator=generator, device=scores.device)
    ids = torch.searchsorted(cumulative, chance * cumulative[:, -1:], right=True)
    return ids[:, 0].clamp(max=scores.shape[1] - 1)
