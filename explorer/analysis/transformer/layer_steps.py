"""Which steps a layer has, and in which order: the normalisation before each part, or after it.

pre-norm   x' = x + attention(norm(x))       x'' = x' + mlp(norm(x'))         GPT-2, Llama
parallel   x' = x + attention(norm(x))       x'' = x' + mlp(norm(x))          Pythia, GPT-J
both       x' = x + norm(attention(norm(x))) x'' = x' + norm(mlp(norm(x')))   Gemma 2
after      x' = x + norm(attention(x))       x'' = x' + norm(mlp(x'))         OLMo 2
post-norm  x' = norm(x + attention(x))       x'' = norm(x' + mlp(x'))         BERT, Vaswani et al. 2017

A decoder that reads an encoder (Vaswani et al. 2017) has a third part between the two, and so x''':
x'' = norm(x' + attention(x', encoder states)).
"""

from collections.abc import Mapping
from dataclasses import replace

from explorer.analysis.transformer.operation import Operation, Step
from explorer.analysis.transformer.operations import (
    attention,
    cross_attention,
    feed_forward,
    inputs,
    masks,
    norms,
)
from explorer.locale import N_, _, format_number
from explorer.models.parameters import Affine, InputParameters, LayerParameters, Norm
from explorer.models.rotary import Rotary

ACTIVATION_NAMES = {"relu": "ReLU", "silu": "SiLU", "swish": "SiLU", "tanh": "tanh"}  # the others are GELU

# How an activation is written; the names are those of `explorer.models.layers.ACTIVATIONS`.
ACTIVATION_CODE = {
    "gelu": "F.gelu({})",
    "gelu_new": 'F.gelu({}, approximate="tanh")',
    "gelu_pytorch_tanh": 'F.gelu({}, approximate="tanh")',
    "relu": "F.relu({})",
    "silu": "F.silu({})",
    "swish": "F.silu({})",
    "tanh": "torch.tanh({})",
}
CROSS_TENSORS = ("q", "k", "v", "scores", "weights", "out", "z")  # these begin with cross_ in cross-attention
# What a residual connection adds, by the step's name: the first sentence of its caption.
UPDATES = {
    "add-1": N_("Attention adds to what came in and does not replace it."),
    "add-cross": N_("What was read of the source is added."),
    "add-2": N_("This is added too; the next layer starts from the result."),
}


def steps_of(
    start: InputParameters, layer: LayerParameters, index: int, head: int = 0, padded: bool = False
) -> tuple[Step, ...]:
    """The steps of layer `index`, from a token's rows to the vectors that leave it, with one head in full."""
    text = text_of(start, layer, index, head)
    attended = _attention(layer, padded, start.positions is None)
    steps = [*_input(start, layer, index), *attended, *_cross(layer), *_feed_forward(layer)]
    return tuple(replace(step, text={**text, **step.text}) for step in steps)


def _input(start: InputParameters, layer: LayerParameters, index: int) -> list[Step]:
    entering = "embedded" if index else "x"
    normed = "small" if start.embedding_projection else entering
    summed = "summed" if start.norm else normed
    rows = inputs.token_position_and_segment_embedding
    if layer.scoring.slopes is not None:
        rows = inputs.unpositioned_embedding
    elif start.positions is None:
        rows = inputs.token_embedding
    elif start.segments is None:
        rows = inputs.token_and_position_embedding
    steps = [Step("input", rows, {"summed": summed})]
    if start.scale != 1.0:
        steps = [Step("input", rows, {"summed": "unscaled"})]
        steps.append(_scale("scale", "unscaled", summed, "embedding_scale", start.scale))
    if start.norm is not None:
        steps.append(_norm("input-norm", start.norm, summed, normed, "0"))
    if start.embedding_projection is not None:
        names = {"rows": normed, "projected": entering}
        steps.append(Step("input-projection", inputs.embedding_projection, names))
    if index:
        steps.append(Step("enter", inputs.layer_input))
    return steps


def _norm(
    name: str, norm: Norm, x: str, normed: str, number: str, operation: Operation = norms.layer_norm
) -> Step:
    """A normalisation, with the gain and the shift of this number."""
    names = {"x": x, "normed": normed, "gain": f"gain_{number}", "shift": f"shift_{number}"}
    if norm.rms:
        return Step(name, norms.rms_norm_after if operation is norms.norm_after else norms.rms_norm, names)
    absent = {"* gain"} if norm.gain is None else set[str]()
    absent |= {"shift"} if norm.shift is None else set()
    return Step(name, operation, names, frozenset(absent))


def _absent_biases(maps: Mapping[str, Affine | None]) -> frozenset[str]:
    """The names of the biases that are missing, for maps by the names of their matrices."""
    return frozenset(f"b_{name}" for name, affine in maps.items() if affine is None or affine.bias is None)


def _attention(layer: LayerParameters, padded: bool, no_table: bool) -> list[Step]:
    read, steps = "x", []
    if layer.attention_norm is not None and layer.norm_first:
        read = "y"
        steps.append(_norm("norm", layer.attention_norm, "x", "y", "1", norms.norm_before_attention))
    operation, names = attention.query_key_value, {"x": read, "kv_part": "part"}
    if layer.kv_heads < layer.heads:
        operation, names = attention.grouped_query_key_value, {"x": read}
    biases = _absent_biases({"Q": layer.query, "K": layer.key, "V": layer.value})
    steps.append(Step("project", operation, names, biases))
    compared = {"q": "q", "k": "k"}
    if layer.query_norm is not None:
        wide = Step("head-norm", attention.wide_query_key_norm, {"x": read}, biases)
        steps.append(wide if layer.wide_norm else Step("head-norm", attention.query_key_norm))
        compared = {"q": "q_normed", "k": "k_normed"}
    if layer.rotary is not None:
        steps.append(_rotation(layer, layer.rotary, compared))
        compared = {"q": "q_rot", "k": "k_rot"}
    factor = f"{layer.query_factor * layer.d_head**-0.5:.3g}"
    scores = Step("scores", _scores(layer, no_table), compared, text={"factor": factor})
    changes, last = _score_changes(layer, padded)
    return [
        *steps,
        scores,
        *changes,
        Step("softmax", attention.softmax, {"scores": last}),
        _weighted_sum("weighted-sum", attention.weighted_sum, scores),
        _all_heads(layer, read, biases),
        Step("output", attention.output_projection, absent=_absent_biases({"O": layer.output})),
        *_added(layer, layer.attention_after, "1", "x", "attended", "x1"),
    ]


def _scores(layer: LayerParameters, no_table: bool) -> Operation:
    """The product of queries and keys: what multiplies it, and what it knows of positions."""
    if layer.query_factor != 1.0:
        undivided = abs(layer.query_factor - layer.d_head**0.5) < 1e-6
        return attention.undivided_scores if undivided else attention.scaled_scores
    if layer.rotary is not None:
        return attention.rotary_scores
    distant = no_table and layer.scoring.slopes is None
    return attention.positionless_scores if distant else attention.attention_scores


def _score_changes(layer: LayerParameters, padded: bool) -> tuple[list[Step], str]:
    """What is done to scores before the softmax, and the name of what comes out."""
    steps, last = [], "scores"
    if layer.scoring.cap is not None:
        steps, last = [Step("cap", attention.score_cap)], "capped"
    if layer.scoring.slopes is not None:
        steps, last = [*steps, Step("distance", attention.distance_bias, {"scores": last})], "biased"
    if layer.scoring.table is not None:
        steps, last = [*steps, Step("distance", attention.learnt_distance_bias, {"scores": last})], "biased"
    if mask := _mask(layer, padded):
        steps, last = [*steps, replace(mask[0], renames={"scores": last})], "masked"
    return steps, last


def _added(
    layer: LayerParameters, norm: Norm | None, part: str, x: str, update: str, result: str
) -> list[Step]:
    """A sub-layer's output, normalised where the layer does that, and added."""
    steps, added = [], update
    if norm is not None:
        number, added = "A" if part == "1" else "F", f"{update}_normed"
        steps = [_norm(f"norm-after-{part}", norm, update, added, number, norms.norm_after)]
    if (factor := layer.residual_scale) != 1.0:
        steps.append(_scale(f"scale-{part}", added, f"{update}_scaled", "residual_scale", factor))
        added = f"{update}_scaled"
    return [*steps, _residual(layer, f"add-{part}", x, added, result)]


def _scale(name: str, rows: str, scaled: str, number: str, value: float) -> Step:
    """A multiplication by a number, which has this name and value."""
    names = {"rows": rows, "scaled": scaled, "number": number}
    return Step(name, inputs.scaling, names, text={"number": f"{value:.4g}"})


def _weighted_sum(
    name: str, operation: Operation, scores: Step, names: Mapping[str, str] | None = None
) -> Step:
    """The weighted sum, whose formula repeats the product of the scores."""
    return Step(name, operation, names or {}, text={"product": scores.formula.partition(" = ")[2]})


def _rotation(layer: LayerParameters, rotary: Rotary, compared: Mapping[str, str]) -> Step:
    names, absent = dict(compared), {"* stretch"} if rotary.stretch == 1.0 else set[str]()
    if rotary.dims == layer.d_head:
        absent |= {"ones", "zeros"}
    else:
        names |= {f"{own}.roll(d_head // 2, 1)": f"{name}[:, partner]" for own, name in compared.items()}
    return Step("rotate", attention.rotary_embedding, names, frozenset(absent))


def _mask(layer: LayerParameters, padded: bool) -> list[Step]:
    """The mask of later positions, of those outside a window, or of padding; empty where all is read."""
    if layer.causal:
        return [Step("mask", masks.causal_mask if layer.window is None else masks.causal_window_mask)]
    if layer.window is None:
        return [Step("mask", masks.padding_mask)] if padded else []
    if padded:
        return [Step("mask", masks.padded_window_mask)]
    return [Step("mask", masks.window_mask, absent=frozenset({"padding"}))]


def _all_heads(layer: LayerParameters, read: str, biases: frozenset[str]) -> Step:
    operation, names, absent = attention.all_heads, {"x": read}, set(biases)
    if layer.query_norm is None or layer.wide_norm:
        absent.add("F.rms_norm(Q")
    if layer.query_norm is None or not layer.wide_norm:
        absent.add("F.rms_norm(r")
    absent.add("S" if layer.scoring.cap is None else "F.scaled_dot_product_attention(Q")
    if layer.scoring.slopes is not None or layer.scoring.table is not None:
        names |= {"allowed": "bias", ".masked_fill(~allowed, -math.inf)": " + bias"}
    if layer.rotary is None:
        absent.add("cos")
    elif layer.rotary.dims < layer.d_head:
        names["r.roll(d_head // 2, 2)"] = "r[..., partner]"
    if layer.kv_heads < layer.heads:
        operation = attention.all_grouped_heads
        names["enable_gqa=grouped"] = "enable_gqa=True"
    else:
        absent.add("grouped")
    if _scores(layer, False) is attention.undivided_scores:
        names["scale=factor"] = "scale=1.0"
    elif layer.query_factor == 1.0 and layer.scoring.cap is None:
        absent.add("factor")
    return Step("heads", operation, names, frozenset(absent))


def _cross(layer: LayerParameters) -> list[Step]:
    """Attention to the encoder's vectors, where the layer has it; all such models here are post-norm."""
    if layer.cross is None:
        return []
    names = {name: f"cross_{name}" for name in CROSS_TENSORS}
    names |= {f"{kind}_{name}": f"{kind}_C{name}" for kind in "Wb" for name in "QKVO"}
    names |= {"x": "x1", "attended": "crossed"}
    scores = Step("cross-scores", cross_attention.cross_scores, names)
    return [
        Step("cross-project", cross_attention.cross_query_key_value, names),
        scores,
        Step("cross-softmax", cross_attention.cross_softmax, names),
        _weighted_sum("cross-weighted-sum", cross_attention.cross_weighted_sum, scores, names),
        Step("cross-heads", cross_attention.all_cross_heads, names),
        Step("cross-output", cross_attention.cross_output_projection, names),
        _residual(layer, "add-cross", "x1", "crossed", "x_cross"),
    ]


def _feed_forward(layer: LayerParameters) -> list[Step]:
    before, after = ("x_cross", "x3") if layer.cross else ("x1", "x2")
    read, steps = before, []
    if layer.shared_norm:
        read = "y"
    elif layer.norm_first and layer.mlp_norm is not None:
        whole, operation = "x1", norms.norm_before_mlp
        if layer.parallel:
            whole, operation = "x", norms.norm_beside_attention
        steps.append(_norm("mlp-norm", layer.mlp_norm, whole, "y1", "2", operation))
        read = "y1"
    operation, activated, maps = feed_forward.up_projection, "wide", {"1": layer.up}
    if layer.gate is not None:
        operation, activated = feed_forward.gated_up_projection, "gate_input"
        maps["G"] = layer.gate
    names = {"x": read, f"activation({activated})": ACTIVATION_CODE[layer.activation].format(activated)}
    return [
        *steps,
        Step("up-projection", operation, names, _absent_biases(maps)),
        Step("down-projection", feed_forward.down_projection, absent=_absent_biases({"2": layer.down})),
        *_added(layer, layer.mlp_after, "2", before, "fed", after),
    ]


def _residual(layer: LayerParameters, name: str, x: str, update: str, result: str) -> Step:
    """A sub-layer's output added to its input; in post-norm, normalised as well."""
    operation = norms.residual if layer.norm_first else norms.residual_and_norm
    operation = replace(operation, caption=f"{_(UPDATES[name])} {_(operation.caption)}")
    if layer.norm_first:
        return Step(name, operation, {"x": x, "update": update, "added": result})
    part = name.removeprefix("add-")
    names = {
        "x": x,
        "update": update,
        "added": f"added{part}" if part.isdigit() else f"added_{part}",
        "normed": result,
        "gain": f"gain_{part}",
        "shift": f"shift_{part}",
    }
    return Step(name, operation, names)


def text_of(start: InputParameters, layer: LayerParameters, index: int, head: int) -> dict[str, str]:
    """The numbers and names that formulas and captions mention."""
    width, d_model = start.tokens.shape[1], layer.query.weight.shape[0]
    group, rotary = layer.heads // layer.kv_heads, layer.rotary
    first = head // group * group
    text = {
        "width": format_number(width),
        "d_model": format_number(d_model),
        "d_head": str(layer.d_head),
        "units": format_number(layer.up.weight.shape[1]),
        "activation": ACTIVATION_NAMES.get(layer.activation, "GELU"),
        "heads": str(layer.heads),
        "kv_heads": str(layer.kv_heads),
        "below": str(index),  # layers are counted from 1
        "window": format_number(layer.window or 0),
        "cap": f"{layer.scoring.cap or 0:g}",
        "slope": f"{layer.scoring.slopes[head] if layer.scoring.slopes else 0:.3g}",
    }
    if group > 1:
        text["sharing"] = head_list(range(first, first + group))
    if rotary is not None:
        text["half"] = str(rotary.dims // 2)
        power = f"{rotary.base:,.0f}^{{−2i/{rotary.dims}}}"
        text["frequency"] = power if rotary.scaling is None else "θ_{i}"
    return text


def head_list(heads: range) -> str:
    """Numbers of heads in words, counted from 1.

    >>> head_list(range(3, 6)), head_list(range(2)), head_list(range(8))
    ('heads 4, 5 and 6', 'heads 1 and 2', 'heads 1 to 8')
    """
    names = [str(head + 1) for head in heads]
    if len(names) > 4:
        return _("heads {first} to {last}", first=names[0], last=names[-1])
    return _("heads {others} and {last}", others=", ".join(names[:-1]), last=names[-1])
