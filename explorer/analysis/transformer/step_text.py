"""The numbers and names of a layer that formulas and captions of its steps mention."""

from explorer.models.parameters import InputParameters, LayerParameters

ACTIVATION_NAMES = {"relu": "ReLU", "silu": "SiLU", "swish": "SiLU", "tanh": "tanh"}  # the others are GELU


def text_of(start: InputParameters, layer: LayerParameters, index: int, head: int) -> dict[str, str]:
    """The numbers and names that formulas and captions mention."""
    width, d_model = start.tokens.shape[1], layer.query.weight.shape[0]
    group, rotary = layer.heads // layer.kv_heads, layer.rotary
    first = head // group * group
    text = {
        "width": f"{width:,}",
        "d_model": f"{d_model:,}",
        "d_head": str(layer.d_head),
        "units": f"{layer.up.weight.shape[1]:,}",
        "activation": ACTIVATION_NAMES.get(layer.activation, "GELU"),
        "heads": str(layer.heads),
        "kv_heads": str(layer.kv_heads),
        "below": str(index),  # layers are counted from 1
        "window": f"{layer.window or 0:,}",
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
        return f"heads {names[0]} to {names[-1]}"
    return f"heads {', '.join(names[:-1])} and {names[-1]}"
