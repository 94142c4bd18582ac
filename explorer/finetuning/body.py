"""The network below a head: read in batches, copied for training, and what training has changed in it.

A difference is what a tuned body adds to the bundled one. It names parameters of the network:

    blocks.5.mlp.up.weight              a whole matrix or vector to add
    blocks.5.mlp.up.weight.a, .b        b @ a to add, of low rank (Hu et al. 2021)
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.errors import AbilityError
from explorer.finetuning.features import Features, chosen
from explorer.finetuning.reading import Read, rows
from explorer.models.base import Model, weights_here
from explorer.models.language_model import LanguageModel
from explorer.models.padding import batches
from explorer.trace import Ability, Capture, captured

BATCH_TOKENS = 1024
BLOCKS = "blocks."  # what is trained: everything else, the embeddings first of all, stays as it is
Difference = dict[str, Tensor]


def states(model: Model, items: Sequence[Read]) -> Iterator[tuple[int, Float[Tensor, "depth pos d_model"]]]:
    """The hidden states of each example, batch by batch and so not in order: (its number, the states).

    The last entry is after the network's final norm, where it has one (GPT): what its own heads read.
    """
    if not model.abilities & Ability.CONTEXT:
        raise AbilityError(
            f"{model.checkpoint} has no state for each token of a text.", "Choose a BERT, a GPT or an ELMo."
        )
    encodings = [item.encoding for item in items]
    for group in batches(encodings, BATCH_TOKENS):
        for i, trace in zip(group, model.trace_encodings([encodings[i] for i in group], Capture.HIDDEN)):
            hidden = captured(trace.hidden_states)
            yield i, torch.cat([hidden[:-1], model.final_norm(hidden[-1:])])


def vectors(
    model: Model, items: Sequence[Read], whole_text: bool, features: Features
) -> Iterator[tuple[int, Float[Tensor, "kept row d"]]]:
    """The rows that a head reads of each example, batch by batch: (its number, the rows)."""
    for i, hidden in states(model, items):
        yield i, rows(chosen(hidden, features.layers), items[i], whole_text, features).clone()


def trainable(model: Model) -> LanguageModel:
    """The model itself, where its layers can be trained here. Raises AbilityError."""
    weights_here(model, "its layers cannot be trained", "Train a head on its frozen features.")
    parameters = model.network.named_parameters() if isinstance(model, LanguageModel) else ()
    if not isinstance(model, LanguageModel) or not any(name.startswith(BLOCKS) for name, _ in parameters):
        raise AbilityError(
            f"{model.checkpoint} has no Transformer blocks to train.",
            "Train a head on its frozen features, or choose BERT or GPT.",
        )
    return model


def copied(network: nn.Module) -> nn.Module:
    """A copy whose blocks can be trained. The tables are shared with the original, and cannot change."""
    shared = {
        id(parameter): nn.Parameter(parameter.data, requires_grad=False)
        for name, parameter in network.named_parameters()
        if not name.startswith(BLOCKS)
    }
    twin = copy.deepcopy(network, shared)
    for name, parameter in twin.named_parameters():
        parameter.requires_grad_(name.startswith(BLOCKS))
    return twin


def difference(before: nn.Module, after: nn.Module) -> Difference:
    """What training has added to each parameter of the blocks."""
    old = dict(before.named_parameters())
    with torch.no_grad():
        return {
            name: parameter.detach() - old[name]
            for name, parameter in after.named_parameters()
            if name.startswith(BLOCKS) and name in old
        }


def adapted(model: Model, added: Difference) -> Model:
    """The model with a difference added to a copy of its network; the model itself without one."""
    if not added:
        return model
    base = trainable(model)
    network = copied(base.network)
    parameters = dict(network.named_parameters())
    with torch.no_grad():
        for name, tensor in added.items():
            if name.endswith(".a"):
                plain = name.removesuffix(".a")
                parameters[plain].add_(added[f"{plain}.b"].float() @ tensor.float())
            elif not name.endswith(".b"):
                parameters[name].add_(tensor.float())
    network.eval().requires_grad_(False)
    return replace(base, network=network)


def compressed(added: Difference, rank: int) -> Difference:
    """The nearest difference whose matrices have at most this rank (Eckart and Young 1936)."""
    small: Difference = {}
    for name, tensor in added.items():
        if tensor.ndim < 2 or name.endswith((".a", ".b")):
            small[name] = tensor
            continue
        u, s, v = torch.linalg.svd(tensor.float(), full_matrices=False)
        root = s[:rank].sqrt()
        small[f"{name}.b"], small[f"{name}.a"] = u[:, :rank] * root, root[:, None] * v[:rank]
    return small
