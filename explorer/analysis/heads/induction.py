"""Induction: a head that finds an earlier copy of the token and looks at what followed it.

Olsson et al. 2022, "In-context Learning and Induction Heads".
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import TextError, at_least_one
from explorer.models.base import Model
from explorer.trace import Ability, Capture, captured

TOKENS, COPIES, SEEDS = 25, 4, 50


@dataclass(frozen=True, eq=False)
class Induction:
    """Each head's scores on repeated random tokens, 0 to 1, and the best induction head.

    `scores` are for what followed earlier copies of the token, `duplicate` for the earlier copies
    themselves, `previous` for the token before. `led` says whether a start token stood before them.
    """

    scores: Float[Tensor, "layer head"]
    duplicate: Float[Tensor, "layer head"]
    previous: Float[Tensor, "layer head"]
    texts: int
    led: bool = True

    @property
    def flat(self) -> dict[str, float]:
        """The scores of a head that looks at every token it sees alike, a start token among them."""
        lead = int(self.led)
        length = TOKENS * COPIES + lead
        seen = torch.ones(length, length).tril()
        pattern = (seen / seen.sum(-1, keepdim=True))[lead:, lead:]
        after, copy = (float(looked_back(pattern, TOKENS, COPIES, ahead)) for ahead in (1, 0))
        return {
            "scores": after,
            "duplicate": copy,
            "previous": float(pattern.diagonal(-1)[TOKENS - 1 :].mean()),
        }

    @property
    def best(self) -> tuple[int, int]:
        """Layer and head of the highest score, from zero."""
        return divmod(int(self.scores.argmax()), self.scores.shape[1])

    @property
    def score(self) -> float:
        """The highest score."""
        return float(self.scores.max())


def induction(model: Model, tokens: int = TOKENS, copies: int = COPIES, seeds: int = SEEDS) -> Induction:
    """How much each head attends to what followed the earlier copies of a token.

    25 different random tokens, four times over, after <|endoftext|> if the model has it. From every
    token of the copies 2 to 4, the attention to the token after each earlier copy of it, summed; the
    mean over these tokens and over 50 seeds. From the same tokens, the attention to the earlier copies,
    summed, and to the token before. Raises AbilityError for a model that does not read from left
    to right with attention, TextError where the copies do not fit its context or its vocabulary.
    """
    model.require(Ability.GENERATE, "continue a repeated text")
    model.require(Ability.ATTENTION, "show which earlier token it looks at")
    at_least_one(tokens=tokens, copies=copies, seeds=seeds)
    lead = 0 if model.tokenizer.start is None else 1
    if tokens * copies + lead > model.config.positions:
        raise TextError(
            f"{model.checkpoint} reads {model.config.positions} tokens: too few for {copies} copies."
        )
    total = torch.zeros(())
    for seed in range(seeds):
        ids = repeated(model, tokens, copies, seed).to(model.device)
        heads = captured(model.run(ids[None], capture=Capture.ATTENTION).heads)
        pattern = torch.stack([h.pattern[0, :, lead:, lead:] for h in heads])
        after, copy = (looked_back(pattern, tokens, copies, ahead) for ahead in (1, 0))
        before = pattern.diagonal(-1, -2, -1)[..., tokens - 1 :].mean(-1)
        total = total + torch.stack([after, copy, before])
    scores, duplicate, previous = (total / seeds).cpu()
    return Induction(scores, duplicate, previous, seeds, led=bool(lead))


def repeated(model: Model, tokens: int, copies: int, seed: int) -> Int[Tensor, "pos"]:
    """The start token, if there is one, then the same random tokens over and over."""
    known = min(model.config.d_vocab, model.tokenizer.size)  # a padded vocabulary has rows without a token
    ordinary = torch.tensor([i for i in range(known) if i not in model.tokenizer.special_ids])
    if len(ordinary) < tokens:
        raise TextError(f"{model.checkpoint} has {len(ordinary)} tokens: too few to draw {tokens} from.")
    drawn = ordinary[torch.randperm(len(ordinary), generator=torch.Generator().manual_seed(seed))[:tokens]]
    return model.tokenizer.with_start(drawn.repeat(copies))


def looked_back(
    pattern: Float[Tensor, "*heads query_pos key_pos"], tokens: int, copies: int, ahead: int = 1
) -> Float[Tensor, "*heads"]:
    """The mean attention, from copy 2 on, to what stands `ahead` tokens after earlier copies of it."""
    queries = torch.arange(tokens, tokens * copies, device=pattern.device)
    total = pattern.new_zeros(*pattern.shape[:-2], len(queries))
    for back in range(1, copies):
        keys = queries - back * tokens + ahead
        total += pattern[..., queries, keys.clamp_min(0)] * (keys >= ahead)
    return total.mean(-1)
