"""What comes before a layer: rows of the token, position and segment tables, and the layers below."""

from dataclasses import replace

from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.transformer.operation import operation
from explorer.analysis.transformer.operations.shapes import Vectors
from explorer.analysis.transformer.rules import layer_below, linear, sum_of, table_row, times
from explorer.locale import N_

Tokens = Float[Tensor, "d_vocab d_model"]
Positions = Float[Tensor, "position d_model"]


@operation(
    title=N_("Look up vectors"),
    formula="{summed} = {token_rows}",
    caption=N_("A token begins as its row of the token table. Its position comes in later, by a rotation."),
    figure=("summed",),
    causes={"summed": table_row("token", "ids")},
)
def token_embedding(tokens: Tokens, ids: Int[Tensor, "pos"]) -> Vectors:
    """A row of the token table; positions come in later, by a rotation."""
    summed = tokens[ids]
    return summed


unpositioned_embedding = replace(
    token_embedding,
    caption=N_("A token begins as its row of the token table. Its position comes in later, in the scores."),
)


@operation(
    title=N_("Look up vectors"),
    formula="{summed} = {token_rows} + {position_rows}",
    caption=N_("A token begins as its row of the token table, plus the row of its position."),
    figure=("token_rows", "+ position_rows", "= summed"),
    causes={
        "token_rows": table_row("token", "ids"),
        "position_rows": table_row("position"),
        "summed": sum_of("token_rows", "position_rows"),
    },
)
def token_and_position_embedding(
    tokens: Tokens, positions: Positions, ids: Int[Tensor, "pos"]
) -> tuple[Vectors, ...]:
    """The sum of a row of the token table and a row of the position table."""
    token_rows = tokens[ids]
    position_rows = positions[: len(ids)]
    summed = token_rows + position_rows
    return token_rows, position_rows, summed


@operation(
    title=N_("Look up vectors"),
    formula="{summed} = {token_rows} + {position_rows} + {segment_rows}",
    caption=N_(
        "A token begins as its row of the token table, plus the row of its position and the row of its "
        "segment."
    ),
    figure=("token_rows + position_rows", "+ segment_rows = summed"),
    one_word=("token_rows", "+ position_rows", "+ segment_rows", "= summed"),
    causes={
        "token_rows": table_row("token", "ids"),
        "position_rows": table_row("position"),
        "segment_rows": table_row("segment", "segment_ids"),
        "summed": sum_of("token_rows", "position_rows", "segment_rows"),
    },
)
def token_position_and_segment_embedding(
    tokens: Tokens,
    positions: Positions,
    segments: Float[Tensor, "segment d_model"],
    ids: Int[Tensor, "pos"],
    segment_ids: Int[Tensor, "pos"],
) -> tuple[Vectors, ...]:
    """The sum of a row of the token table, one of the position table and one of the segment table."""
    token_rows = tokens[ids]
    position_rows = positions[: len(ids)]
    segment_rows = segments[segment_ids]
    summed = token_rows + position_rows + segment_rows
    return token_rows, position_rows, segment_rows, summed


@operation(
    title=N_("Widen to {d_model}"),
    formula="{projected} = {rows} {W_0} + {b_0}",
    caption=N_("A token’s vector has {width} numbers here; a learnt matrix makes {d_model} of them."),
    figure=("rows @ W_0", "= projected"),
    causes={"projected": linear("rows", "W_0", "b_0")},
)
def embedding_projection(
    rows: Float[Tensor, "pos d_in"], W_0: Float[Tensor, "d_in d_out"], b_0: Float[Tensor, "d_out"]
) -> Float[Tensor, "pos d_out"]:
    """A token's vector, narrower than a layer, mapped to a layer's width."""
    projected = rows @ W_0 + b_0
    return projected


@operation(
    title=N_("Scale"),
    formula="{scaled} = {rows} · {number}",
    caption=N_("Every number is multiplied by {number}, which was chosen before training."),
    figure=("rows", "→ scaled"),
    causes={"scaled": times("rows", "number")},
)
def scaling(rows: Vectors, number: float) -> Vectors:
    """Vectors times a number: token vectors in Gemma, what a layer adds in Granite (Yang et al. 2022)."""
    scaled = rows * number
    return scaled


@operation(
    title=N_("From layer {below}"),
    formula="{x} = layer_{{{below}}}(…)",
    caption=N_("The layers below have changed the vectors. This layer starts from their result."),
    figure=("embedded", "→ x"),
    causes={"x": layer_below},
)
def layer_input(hidden_states: Float[Tensor, "depth pos d_model"], layer: int) -> Vectors:
    """The vectors that the layer below gave."""
    x = hidden_states[layer]
    return x
