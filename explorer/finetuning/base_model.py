"""The model below a task head: read in batches, copied for training, and what training changed in it.

A weight difference names parameters of the network and says what training added to them:

    blocks.5.mlp.up.weight              a whole matrix or vector
    blocks.5.mlp.up.weight.a, .b        b @ a, a matrix of low rank (Hu et al. 2021)
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.errors import AbilityError
from explorer.finetuning.encoding import EncodedExample, feature_rows
from explorer.finetuning.features import Features, select_layers
from explorer.locale import _
from explorer.models.base import Model, weights_here
from explorer.models.language_model import LanguageModel
from explorer.models.padding import batches
from explorer.trace import Ability, Capture, captured

BATCH_TOKENS = 1024
BLOCKS = "blocks."  # prefix of the parameters that are trained; the embeddings stay as they are
Difference = dict[str, Tensor]


def hidden_states(
    model: Model, items: Sequence[EncodedExample]
) -> Iterator[tuple[int, Float[Tensor, "depth pos d_model"]]]:
    """(example number, its hidden states), batch by batch and so not in order.

    The last entry is after the network's final norm, where it has one (GPT). Raises AbilityError.
    """
    if not model.abilities & Ability.CONTEXT:
        raise AbilityError(
            _("{model} has no state for each token of a text.", model=model.checkpoint),
            _("Choose a BERT, a GPT or an ELMo."),
        )
    encodings = [item.encoding for item in items]
    for group in batches(encodings, BATCH_TOKENS):
        for i, trace in zip(group, model.trace_encodings([encodings[i] for i in group], Capture.HIDDEN)):
            hidden = captured(trace.hidden_states)
            yield i, torch.cat([hidden[:-1], model.final_norm(hidden[-1:])])


def feature_vectors(
    model: Model, items: Sequence[EncodedExample], whole_text: bool, features: Features
) -> Iterator[tuple[int, Float[Tensor, "depth row d"]]]:
    """(example number, the rows that a task head reads of it), batch by batch and so not in order."""
    for i, hidden in hidden_states(model, items):
        yield i, feature_rows(select_layers(hidden, features.layers), items[i], whole_text).clone()


def trainable(model: Model) -> LanguageModel:
    """The model itself, if its layers can be trained here. Raises AbilityError."""
    weights_here(model, "its layers cannot be trained", "Train a head on its frozen features.")
    parameters = model.network.named_parameters() if isinstance(model, LanguageModel) else ()
    if not isinstance(model, LanguageModel) or not any(name.startswith(BLOCKS) for name, __ in parameters):
        raise AbilityError(
            _("{model} has no Transformer blocks to train.", model=model.checkpoint),
            _("Train a head on its frozen features, or choose BERT or GPT."),
        )
    return model


def copy_network(network: nn.Module) -> nn.Module:
    """A copy whose blocks can be trained. The embeddings are shared with the original and cannot change."""
    shared = {
        id(parameter): nn.Parameter(parameter.data, requires_grad=False)
        for name, parameter in network.named_parameters()
        if not name.startswith(BLOCKS)
    }
    network_copy = copy.deepcopy(network, shared)
    for name, parameter in network_copy.named_parameters():
        parameter.requires_grad_(name.startswith(BLOCKS))
    return network_copy


def weight_difference(before: nn.Module, after: nn.Module) -> Difference:
    """What training has added to each parameter of the blocks."""
    old = dict(before.named_parameters())
    with torch.no_grad():
        return {
            name: parameter.detach() - old[name]
            for name, parameter in after.named_parameters()
            if name.startswith(BLOCKS) and name in old
        }


def apply_difference(model: Model, difference: Difference) -> Model:
    """The model with a difference added to a copy of its network; the model itself without one."""
    if not difference:
        return model
    base = trainable(model)
    network = copy_network(base.network)
    parameters = dict(network.named_parameters())
    with torch.no_grad():
        for name, tensor in difference.items():
            if name.endswith(".a"):
                matrix = name.removesuffix(".a")
                product = difference[f"{matrix}.b"].float() @ tensor.float()
                parameters[matrix].add_(product.to(parameters[matrix]))
            elif not name.endswith(".b"):
                parameters[name].add_(tensor.to(parameters[name]))
    network.eval().requires_grad_(False)
    return replace(base, network=network)
