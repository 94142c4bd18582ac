"""The feed-forward network: up to the hidden units, an activation, and down again."""

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.transformer.operation import operation
from explorer.analysis.transformer.operations.shapes import Matrix, Vector, Vectors
from explorer.analysis.transformer.rules import activation_of, gate_times_value, linear
from explorer.locale import N_

Units = Float[Tensor, "pos d_mlp"]


@operation(
    title=N_("Feed-forward: {units} units"),
    formula="{hidden} = {activation}({x} {W_1} + {b_1})",
    caption=N_("Now each word on its own: {units} hidden units, of which only the active ones pass."),
    figure=("x @ W_1", "→ hidden", "top"),
    causes={"wide": linear("x", "W_1", "b_1"), "hidden": activation_of("wide")},
)
def up_projection(
    x: Vectors, W_1: Matrix, b_1: Vector, activation: Callable[[Tensor], Tensor]
) -> tuple[Units, Units]:
    """The hidden units of the feed-forward network, before and after the activation."""
    wide = x @ W_1 + b_1
    hidden = activation(wide)
    return wide, hidden


@operation(
    title=N_("Gate: {units} units"),
    formula="{gate} = {activation}({x} {W_G} + {b_G})\n{wide} = {x} {W_1} + {b_1}\n"
    "{hidden} = {gate} ⊙ {wide}",
    caption=N_("{units} hidden units, each with a gate. What is multiplied by 0 does not pass."),
    figure=("gate ⊙ wide", "= hidden", "top"),
    one_word=("gate ⊙ wide = hidden", "top"),
    causes={
        "gate_input": linear("x", "W_G", "b_G"),
        "gate": activation_of("gate_input"),
        "wide": linear("x", "W_1", "b_1"),
        "hidden": gate_times_value,
    },
)
def gated_up_projection(
    x: Vectors, W_G: Matrix, b_G: Vector, W_1: Matrix, b_1: Vector, activation: Callable[[Tensor], Tensor]
) -> tuple[Units, Units, Units, Units]:
    """The hidden units of a gated network (Shazeer 2020): each is multiplied by its gate."""
    gate_input = x @ W_G + b_G
    gate = activation(gate_input)
    wide = x @ W_1 + b_1
    hidden = gate * wide
    return gate_input, gate, wide, hidden


@operation(
    title=N_("Back to {d_model}"),
    formula="{fed} = {hidden} {W_2} + {b_2}",
    caption=N_("Each active unit adds its own learnt row, in proportion to its activity."),
    figure=("hidden @ W_2", "= fed"),
    causes={"fed": linear("hidden", "W_2", "b_2")},
)
def down_projection(hidden: Units, W_2: Matrix, b_2: Vector) -> Vectors:
    """The sum of the matrix's rows, each multiplied by how active its hidden unit is."""
    fed = hidden @ W_2 + b_2
    return fed
