"""Normalisation of vectors (Ba, Kiros, Hinton 2016; Zhang, Sennrich 2019), and the residual connections."""

from dataclasses import replace

import torch
import torch.nn.functional as F

from explorer.analysis.transformer.operation import operation
from explorer.analysis.transformer.operations.shapes import Vector, Vectors
from explorer.analysis.transformer.rules import layer_norm_of, rms_norm_of, sum_of
from explorer.locale import N_


@operation(
    title=N_("Normalise (LayerNorm)"),
    formula="{normed} = ({x} − μ) / σ · {gain} + {shift}",
    caption=N_("Each vector is rescaled to mean 0 and variance 1, then by a learnt gain and shift."),
    figure=("x", "→ normed"),
    causes={"normed": layer_norm_of("x")},
)
def layer_norm(x: Vectors, gain: Vector, shift: Vector, eps: float) -> Vectors:
    """Layer normalisation: every vector gets mean 0 and variance 1, then a learnt gain and shift."""
    mean = x.mean(-1, keepdim=True)
    variance = x.var(-1, correction=0, keepdim=True)
    normed = (x - mean) / torch.sqrt(variance + eps) * gain + shift
    return normed


norm_before_attention = replace(
    layer_norm, caption=N_("This model normalises first (pre-norm): attention reads y, and x itself is kept.")
)
norm_before_mlp = replace(layer_norm, caption=N_("Again a normalised copy is read, and x′ itself is kept."))
norm_after = replace(
    layer_norm,
    caption=N_("What is added is normalised first, to keep training stable (Gemma 2 and OLMo 2, 2024)."),
)
norm_beside_attention = replace(
    layer_norm,
    caption=N_("The feed-forward network reads x as well: it runs beside attention, not after it."),
)


@operation(
    title=N_("Normalise (RMSNorm)"),
    formula="{normed} = {x} / √mean({x}²) · g",
    caption=N_(
        "Each vector is divided by the root of its mean square. Unlike LayerNorm, no mean is subtracted."
    ),
    figure=("x", "→ normed"),
    causes={"normed": rms_norm_of("x", "gain")},
)
def rms_norm(x: Vectors, gain: Vector, eps: float) -> Vectors:
    """RMS normalisation: every vector is divided by the root of its mean square; no mean is subtracted."""
    mean_square = x.square().mean(-1, keepdim=True)
    normed = x / torch.sqrt(mean_square + eps) * gain
    return normed


rms_norm_after = replace(rms_norm, caption=norm_after.caption)


@operation(
    title=N_("Add"),
    formula="{added} = {x} + {update}",
    caption=N_("The sum goes on as it is (pre-norm)."),
    figure=("x", "+ update", "= added"),
    causes={"added": sum_of("x", "update")},
)
def residual(x: Vectors, update: Vectors) -> Vectors:
    """The residual connection: the layer adds to the vectors and does not replace them."""
    added = x + update
    return added


@operation(
    title=N_("Add and normalise"),
    formula="{normed} = norm({x} + {update})",
    caption=N_("The sum is normalised (post-norm)."),
    figure=("x", "+ update", "= normed"),
    causes={"added": sum_of("x", "update"), "normed": layer_norm_of("added")},
)
def residual_and_norm(
    x: Vectors, update: Vectors, gain: Vector, shift: Vector, eps: float, d_model: int
) -> tuple[Vectors, Vectors]:
    """The residual connection, and layer normalisation of the sum."""
    added = x + update
    normed = F.layer_norm(added, [d_model], gain, shift, eps)
    return added, normed
