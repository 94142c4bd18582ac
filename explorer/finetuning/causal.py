"""What GPT's way and ULMFiT share: a causal network to train, and the loss of the next token."""

from collections.abc import Sequence

import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.errors import AbilityError
from explorer.finetuning.base_model import copy_network, trainable
from explorer.models.base import Model
from explorer.models.language_model import LanguageModel
from explorer.models.transformer import Transformer

PADDING = -1  # an id that no token has


def causal_copy(model: Model) -> tuple[LanguageModel, Transformer]:
    """The model, and a copy of its network whose blocks can be trained. Raises AbilityError."""
    base = trainable(model)
    network = copy_network(base.network)
    if not isinstance(network, Transformer) or not network.causal:
        raise AbilityError(f"{model.checkpoint} is no GPT.", "Choose gpt: it reads from left to right.")
    return base, network


def pad(sequences: Sequence[Int[Tensor, "pos"]]) -> Int[Tensor, "batch pos"]:
    """The sequences as rows of one tensor, filled up with `PADDING`."""
    padded: Tensor = nn.utils.rnn.pad_sequence(list(sequences), batch_first=True, padding_value=PADDING)
    return padded


def next_token_loss(
    network: Transformer,
    states: Float[Tensor, "batch pos d_model"],
    ids: Int[Tensor, "batch pos"],
    predicted: Bool[Tensor, "batch next_pos"],
) -> Float[Tensor, ""]:
    """Mean cross-entropy of the next token, in nats, from states after the final norm.

    `predicted` is True where the next token counts: one column fewer than `ids`. Without any it is 0.
    """
    before = states[:, :-1][predicted]
    if not len(before):
        return before.sum()
    return F.cross_entropy(F.linear(before, network.output_matrix), ids[:, 1:][predicted])
