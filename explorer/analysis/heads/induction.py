"""Induction heads: they find an earlier copy of the token and attend to what followed it.

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

    `scores` are the attention to what followed earlier copies of the token, `duplicate` to the earlier
    copies themselves, `previous` to the token before. `led` says whether a start token came first.
    """

    scores: Float[Tensor, "layer head"]
    duplicate: Float[Tensor, "layer head"]
    previous: Float[Tensor, "layer head"]
    texts: int
    led: bool = True

    @property
    def flat(self) -> dict[str, float]:
        """The scores of a head that attends equally to all tokens that it may read: the baseline."""
        start_tokens = int(self.led)
        length = TOKENS * COPIES + start_tokens
        readable = torch.ones(length, length).tril()
        pattern = (readable / readable.sum(-1, keepdim=True))[start_tokens:, start_tokens:]
        after, duplicate = (float(looked_back(pattern, TOKENS, COPIES, ahead)) for ahead in (1, 0))
        return {
            "scores": after,
            "duplicate": duplicate,
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

    The text is 25 different random tokens, four times in a row, after `<|endoftext|>` if the model has it.
    The score is the summed attention from a token of copies 2 to 4 to the tokens after each of its earlier
    copies; the mean over these tokens and over 50 seeds. `duplicate` sums the attention to the earlier
    copies, `previous` takes that to the token before. Raises AbilityError for a model that does not read
    from left to right with attention, TextError if the copies do not fit its context or its vocabulary.
    """
    model.require(Ability.GENERATE, "continue a repeated text")
    model.require(Ability.ATTENTION, "show which earlier token it looks at")
    at_least_one(tokens=tokens, copies=copies, seeds=seeds)
    start_tokens = 0 if model.tokenizer.start is None else 1
    if tokens * copies + start_tokens > model.config.positions:
        raise TextError(
            f"{model.checkpoint} reads {model.config.positions} tokens: too few for {copies} copies."
        )
    total = torch.zeros(())
    for seed in range(seeds):
        ids = repeated(model, tokens, copies, seed).to(model.device)
        heads = captured(model.run(ids[None], capture=Capture.ATTENTION).heads)
        pattern = torch.stack([h.pattern[0, :, start_tokens:, start_tokens:] for h in heads])
        after, copy = (looked_back(pattern, tokens, copies, ahead) for ahead in (1, 0))
        before = pattern.diagonal(-1, -2, -1)[..., tokens - 1 :].mean(-1)
        total = total + torch.stack([after, copy, before])
    scores, duplicate, previous = (total / seeds).cpu()
    return Induction(scores, duplicate, previous, seeds, led=bool(start_tokens))


def repeated(model: Model, tokens: int, copies: int, seed: int) -> Int[Tensor, "pos"]:
    """The ids of the start token, if there is one, and of random tokens that repeat `copies` times."""
    size = min(model.config.d_vocab, model.tokenizer.size)  # a padded vocabulary has rows without a token
    ordinary = torch.tensor([i for i in range(size) if i not in model.tokenizer.special_ids])
    if len(ordinary) < tokens:
        raise TextError(f"{model.checkpoint} has {len(ordinary)} tokens: too few to draw {tokens} from.")
    sample = ordinary[torch.randperm(len(ordinary), generator=torch.Generator().manual_seed(seed))[:tokens]]
    return model.tokenizer.with_start(sample.repeat(copies))


def looked_back(
    pattern: Float[Tensor, "*heads query_pos key_pos"], tokens: int, copies: int, ahead: int = 1
) -> Float[Tensor, "*heads"]:
    """The mean attention, from copy 2 on, to the tokens that are `ahead` after earlier copies of a token."""
    queries = torch.arange(tokens, tokens * copies, device=pattern.device)
    total = pattern.new_zeros(*pattern.shape[:-2], len(queries))
    for back in range(1, copies):
        keys = queries - back * tokens + ahead
        total += pattern[..., queries, keys.clamp_min(0)] * (keys >= ahead)
    return total.mean(-1)
