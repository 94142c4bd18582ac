"""Which steps a layer has, and in which order: the normalisation before each part, or after it.

pre-norm   x' = x + attention(norm(x))       x'' = x' + mlp(norm(x'))         GPT-2, Llama
parallel   x' = x + attention(norm(x))       x'' = x' + mlp(norm(x))          Pythia
post-norm  x' = norm(x + attention(x))       x'' = norm(x' + mlp(x'))         BERT, Vaswani et al. 2017

A decoder that reads an encoder (Vaswani et al. 2017) has a third part between the two, and so x''':
x'' = norm(x' + attention(x', what the encoder gave)).
"""

import ast
import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from textwrap import dedent
from typing import Any

import torch
import torch.nn.functional as F

from explorer.analysis.transformer.operations import (
    add,
    add_and_normalise,
    add_three_rows,
    add_two_rows,
    all_heads,
    all_heads_across,
    compare,
    compare_undivided,
    down_projection,
    enter,
    gated_up_projection,
    hide_distant,
    hide_later,
    hide_outside_window,
    hide_padding,
    look_up_rows,
    normalise,
    normalise_head,
    output_projection,
    project,
    project_across,
    project_rows,
    rms_normalise,
    rotate,
    softmax,
    up_projection,
    weighted_sum,
)
from explorer.models.parameters import Affine, InputParameters, LayerParameters, Norm
from explorer.models.rotary import Rotary

# How an activation is written; the names are those of `explorer.models.layers.ACTIVATIONS`.
WRITTEN = {
    "gelu": "F.gelu({})",
    "gelu_new": 'F.gelu({}, approximate="tanh")',
    "gelu_pytorch_tanh": 'F.gelu({}, approximate="tanh")',
    "relu": "F.relu({})",
    "silu": "F.silu({})",
    "swish": "F.silu({})",
    "tanh": "torch.tanh({})",
}
MODULES = {"torch": torch, "F": F, "math": math}  # what the printed lines of a step import
ACROSS = ("q", "k", "v", "scores", "weights", "out", "z")  # what cross-attention has under names of its own
# By what a residual connection gives, as a formula writes it: what comes in, what goes on, what is added.
SUMS = {
    "x1": ("x", "x′", "a"),
    "x2": ("x′", "x″", "f"),
    "x_cross": ("x′", "x″", "c"),
    "x3": ("x″", "x‴", "f"),
}
SPOKEN = {"relu": "ReLU", "silu": "SiLU", "swish": "SiLU", "tanh": "tanh"}  # the others are forms of GELU


@dataclass(frozen=True)
class Step:
    """One step: an operation, and what its tensors are called in this layer.

    `renames` leads from the operation's own names to the layer's; `absent` are those of its tensors that
    the layer has not: what would be added of them, and lines that need them, are left out (a call, by its
    beginning). `formula` has `_{}` and `^{}` for what is set lower and higher.
    """

    name: str
    title: str
    formula: str
    operation: Callable[..., Any]
    renames: Mapping[str, str] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()

    @property
    def takes(self) -> list[str]:
        """The names of what goes in."""
        code = self.code
        names = [self.renamed(name) for name in inspect.signature(self.operation).parameters]
        return [name for name in names if re.search(rf"(?<![\w.]){name}(?!\w)", code)]

    @property
    def gives(self) -> list[str]:
        """The names of what comes out."""
        return [self.renamed(name) for name in _parts(self.operation)[1]]

    def renamed(self, name: str) -> str:
        """An operation's own name for a tensor, as the layer has it."""
        return self.renames.get(name, name)

    @property
    def code(self) -> str:
        """The lines of PyTorch, as they compute the step from tensors of these names."""
        # In one pass, or a new name would be taken for an old one; "activation(wide)" before "wide".
        names = sorted(map(re.escape, self.renames), key=len, reverse=True)
        if not names:
            return self._lines
        return re.sub(
            rf"(?<![\w.])({'|'.join(names)})(?!\w)", lambda found: self.renames[found[1]], self._lines
        )

    @property
    def _lines(self) -> str:
        """The operation's lines, without what this layer has not."""
        text, _ = _parts(self.operation)
        if not self.absent:
            return text
        names = "|".join(map(re.escape, sorted(self.absent)))
        text = re.sub(rf"(?: [+|]|,) (?:\w+=)?(?:{names})(?!\w)(?:\[\w+\])?", "", text)
        needing = re.compile(rf"(?<![\w.])(?:{names})(?!\w)")
        return "\n".join(line for line in text.splitlines() if not needing.search(line))

    def run(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """What comes out, by name, for what the names of `takes` stand for: the printed lines are run."""
        names = MODULES | {name: values[name] for name in self.takes}
        exec(self.code, names)
        return {name: names[name] for name in self.gives}


def steps_of(
    start: InputParameters, layer: LayerParameters, index: int, padded: bool = False
) -> tuple[Step, ...]:
    """The steps of layer `index`, from a token's rows to the vectors that leave it."""
    return (*_input(start, index), *_attention(layer, padded), *_cross(layer), *_mlp(layer))


def _input(start: InputParameters, index: int) -> list[Step]:
    entering = "embedded" if index else "x"
    normed = "small" if start.embedding_projection else entering
    summed = "summed" if start.norm else normed
    rows: Callable[..., Any] = add_three_rows
    formula = "token + position + segment"
    if start.positions is None:
        rows, formula = look_up_rows, "token"
    elif start.segments is None:
        rows, formula = add_two_rows, "token + position"
    steps = [Step("input", "Input", f"x_{{0}} = {formula}", rows, {"summed": summed})]
    if start.norm is not None:
        left = "e =" if start.embedding_projection else "x_{0} ←"
        steps.append(_norm("input-norm", start.norm, left, "x_{0}", summed, normed, "0"))
    if start.embedding_projection is not None:
        names = {"rows": normed, "projected": entering}
        steps.append(Step("input-widen", "To full width", "x_{0} = e W_{0} + b_{0}", project_rows, names))
    if index:
        steps.append(Step("enter", "Into the layer", f"x = layer_{{{index - 1}}}(…)", enter))
    return steps


def _norm(name: str, norm: Norm, left: str, symbol: str, x: str, normed: str, number: str) -> Step:
    """A normalisation, with the gain and the shift of this number."""
    names = {"x": x, "normed": normed, "gain": f"gain_{number}", "shift": f"shift_{number}"}
    if norm.rms:
        formula = f"{left} {symbol} / √mean({symbol}²) · g"
        return Step(name, "RMS norm", formula, rms_normalise, names)
    shift, absent = (" + b", frozenset[str]()) if norm.shift is not None else ("", frozenset({"shift"}))
    return Step(name, "Normalise", f"{left} ({symbol} − μ) / σ · g{shift}", normalise, names, absent)


def _biases(maps: Mapping[str, Affine | None]) -> frozenset[str]:
    """The names of the biases that these maps, by the names of their matrices, have not."""
    return frozenset(f"b_{name}" for name, map_ in maps.items() if map_ is None or map_.bias is None)


def _plus(name: str, map_: Affine) -> str:
    """A bias as a formula writes it; nothing where there is none."""
    return "" if map_.bias is None else f" + b_{{{name}}}"


def _attention(layer: LayerParameters, padded: bool) -> list[Step]:
    read, steps = "x", []
    if layer.attention_norm is not None and layer.norm_first:
        read = "y"
        steps.append(_norm("norm", layer.attention_norm, "y =", "x", "x", "y", "1"))
    maps = {"Q": layer.query, "K": layer.key, "V": layer.value}
    projected = "\n".join(f"{n} = {read} W_{{{n}}}{_plus(n, map_)}" for n, map_ in maps.items())
    shared = {} if layer.kv_heads < layer.heads else {"kv_part": "part"}
    steps.append(
        Step("project", "Query, key, value", projected, project, {"x": read} | shared, _biases(maps))
    )
    compared = {"q": "q", "k": "k"}
    if layer.query_norm is not None:
        formula = "Q ← Q / √mean(Q²) · g_{Q}\nK ← K / √mean(K²) · g_{K}"
        steps.append(Step("head-norm", "Norm of Q and K", formula, normalise_head))
        compared = {"q": "q_normed", "k": "k_normed"}
    if layer.rotary is not None:
        steps.append(_rotation(layer, layer.rotary, compared))
        compared = {"q": "q_rot", "k": "k_rot"}
    product = "Q K^{T}" if layer.rotary is None else "Q_{φ} K_{φ}^{T}"
    divided = layer.query_factor == 1.0
    root = " / √d_{head}" if divided else ""
    compare_ = compare if divided else compare_undivided
    steps.append(Step("scores", "Scores", f"S = {product}{root}", compare_, compared))
    masks = _mask(layer, padded)
    scores = "masked" if masks else "scores"
    weighted = f"O = A V = softmax({product}{root}) V"
    return [
        *steps,
        *masks,
        Step("softmax", "Softmax", "A = softmax(S), row by row", softmax, {"scores": scores}),
        Step("mix", "Weighted sum", weighted, weighted_sum),
        _all_heads(layer, read),
        Step(
            "output",
            "Output matrix",
            f"a = Z W_{{O}}{_plus('O', layer.output)}",
            output_projection,
            absent=_biases({"O": layer.output}),
        ),
        _residual(layer, "x", "attended", "x1", "1"),
    ]


def _rotation(layer: LayerParameters, rotary: Rotary, compared: Mapping[str, str]) -> Step:
    half, names = rotary.dims // 2, dict(compared)
    absent = frozenset({"ones", "zeros"})
    if rotary.dims < layer.d_head:
        absent = frozenset()
        names |= {f"{own}.roll(d_head // 2, 1)": f"{name}[:, partner]" for own, name in compared.items()}
    frequency = f"{rotary.base:,.0f}^{{−2i/{rotary.dims}}}" if rotary.scaling is None else "θ_{i}"
    i, j = "q_{i}", f"q_{{i+{half}}}"
    formula = f"{i} ← {i} cos φ − {j} sin φ\n{j} ← {i} sin φ + {j} cos φ\nφ = position · {frequency}"
    return Step("rotate", "Rotation", formula, rotate, names, absent)


def _mask(layer: LayerParameters, padded: bool) -> list[Step]:
    """What is not read: later positions, those outside a window, padding."""
    window = layer.window
    if layer.causal and window is not None:
        formula = f"S_{{ij}} = −∞ for j > i or j ≤ i − {window:,}"
        return [Step("mask", "Mask", formula, hide_outside_window)]
    if layer.causal:
        return [Step("mask", "Mask", "S_{ij} = −∞ for j > i", hide_later)]
    if window is not None:
        formula = f"S_{{ij}} = −∞ for |i − j| > {window:,}" + (" or padding j" if padded else "")
        absent = frozenset[str]() if padded else frozenset({"padding"})
        return [Step("mask", "Mask", formula, hide_distant, absent=absent)]
    return [Step("mask", "Mask", "S_{ij} = −∞ for padding j", hide_padding)] if padded else []


def _all_heads(layer: LayerParameters, read: str) -> Step:
    names, absent = {"x": read}, set(_biases({"Q": layer.query, "K": layer.key, "V": layer.value}))
    if layer.query_norm is None:
        absent.add("F.rms_norm(Q")
    if layer.rotary is None:
        absent.add("cos")
    elif layer.rotary.dims < layer.d_head:
        names["r.roll(d_head // 2, 2)"] = "r[..., partner]"
    if layer.kv_heads < layer.heads:
        names["enable_gqa=grouped"] = "enable_gqa=True"
    else:
        absent.add("grouped")
    if layer.query_factor != 1.0:
        names["scale=factor"] = "scale=1.0"
    else:
        absent.add("factor")
    formula = f"Z = [O_{{0}} … O_{{{layer.heads - 1}}}]"
    return Step("heads", "Heads joined", formula, all_heads, names, frozenset(absent))


def _cross(layer: LayerParameters) -> list[Step]:
    """Attention to the encoder's vectors, where the layer has it; post-norm, as all such models here."""
    if layer.cross is None:
        return []
    own = {name: f"cross_{name}" for name in ACROSS}
    learnt = {f"{kind}_{name}": f"{kind}_C{name}" for kind in "Wb" for name in "QKVO"}
    projected = "Q_{c} = x′ W_{CQ} + b_{CQ}\nK_{c} = M W_{CK} + b_{CK}\nV_{c} = M W_{CV} + b_{CV}"
    steps: list[tuple[str, str, str, Callable[..., Any], dict[str, str]]] = [
        ("project", "Query, key, value", projected, project_across, {"x": "x1"}),
        ("scores", "Scores", "S_{c} = Q_{c} K_{c}^{T} / √d_{head}", compare, {}),
        ("softmax", "Softmax", "A_{c} = softmax(S_{c}), row by row", softmax, {}),
        ("mix", "Weighted sum", "O_{c} = A_{c} V_{c}", weighted_sum, {}),
        ("heads", "Heads joined", "Z_{c} = [O_{c0}  O_{c1}  …]", all_heads_across, {"x": "x1"}),
        (
            "output",
            "Output matrix",
            "c = Z_{c} W_{CO} + b_{CO}",
            output_projection,
            {"attended": "crossed"},
        ),
    ]
    return [
        *(
            Step(f"cross-{name}", f"Cross: {title[0].lower()}{title[1:]}", formula, run, own | learnt | more)
            for name, title, formula, run, more in steps
        ),
        _residual(layer, "x1", "crossed", "x_cross", "cross"),
    ]


def _mlp(layer: LayerParameters) -> list[Step]:
    before, after, symbol = ("x_cross", "x3", "x″") if layer.cross else ("x1", "x2", "x′")
    read, steps = before, []
    if layer.norm_first:
        whole, symbol = ("x", "x") if layer.parallel else ("x1", "x′")
        steps.append(_norm("mlp-norm", layer.mlp_norm, "y′ =", symbol, whole, "y1", "2"))
        read, symbol = "y1", "y′"
    spoken = SPOKEN.get(layer.activation, "GELU")
    inside = "wide" if layer.gate is None else "gate_input"
    names = {"x": read, f"activation({inside})": WRITTEN[layer.activation].format(inside)}
    up = f"{symbol} W_{{1}}{_plus('1', layer.up)}"
    if layer.gate is None:
        absent = _biases({"1": layer.up})
        step = Step("widen", "Up-projection", f"h = {spoken}({up})", up_projection, names, absent)
    else:
        gate = f"G = {spoken}({symbol} W_{{G}}{_plus('G', layer.gate)})"
        absent = _biases({"1": layer.up, "G": layer.gate})
        title, formula = "Gate", f"{gate}\nu = {up}\nh = G ⊙ u"
        step = Step("widen", title, formula, gated_up_projection, names, absent)
    down = f"f = h W_{{2}}{_plus('2', layer.down)}"
    return [
        *steps,
        step,
        Step("narrow", "Down-projection", down, down_projection, absent=_biases({"2": layer.down})),
        _residual(layer, before, "fed", after, "2"),
    ]


def _residual(layer: LayerParameters, x: str, update: str, result: str, part: str) -> Step:
    """A sub-layer's output added to its input; in post-norm, normalised as well."""
    before, after, given = SUMS[result]
    name = f"add-{part}"
    if layer.norm_first:
        names = {"x": x, "update": update, "added": result}
        return Step(name, "Add", f"{after} = {before} + {given}", add, names)
    names = {
        "x": x,
        "update": update,
        "added": f"added{part}" if part.isdigit() else f"added_{part}",
        "normed": result,
        "gain": f"gain_{part}",
        "shift": f"shift_{part}",
    }
    return Step(name, "Add and norm", f"{after} = norm({before} + {given})", add_and_normalise, names)


@cache
def _parts(operation: Callable[..., Any]) -> tuple[str, tuple[str, ...]]:
    """An operation's lines between its docstring and its return, and the names that it returns."""
    source = dedent(inspect.getsource(operation))
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    _, *body, last = function.body
    assert isinstance(last, ast.Return) and last.value is not None
    lines = source.splitlines()[body[0].lineno - 1 : last.lineno - 1]
    returned = last.value.elts if isinstance(last.value, ast.Tuple) else [last.value]
    return dedent("\n".join(lines)), tuple(ast.unparse(name) for name in returned)
