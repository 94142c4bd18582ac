"""Which steps a layer has, and in which order: the normalisation before each part, or after it.

pre-norm   x' = x + attention(norm(x))       x'' = x' + mlp(norm(x'))         GPT-2
post-norm  x' = norm(x + attention(x))       x'' = norm(x' + mlp(x'))         BERT, Vaswani et al. 2017

A decoder that reads an encoder (Vaswani et al. 2017) has a third part between the two, and so x''':
x'' = norm(x' + attention(x', what the encoder gave)).
"""

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from textwrap import dedent
from typing import Any

from explorer.analysis.transformer.operations import (
    add,
    add_and_normalise,
    add_three_rows,
    add_two_rows,
    all_heads,
    all_heads_across,
    compare,
    enter,
    hand_on,
    hide_later,
    hide_padding,
    mix,
    narrow,
    normalise,
    project,
    project_across,
    soften,
    widen,
    widen_rows,
)
from explorer.models.parameters import InputParameters, LayerParameters

# How an activation is written; the names are those of `explorer.models.layers.ACTIVATIONS`.
WRITTEN = {
    "gelu": "F.gelu(wide)",
    "gelu_new": 'F.gelu(wide, approximate="tanh")',
    "gelu_pytorch_tanh": 'F.gelu(wide, approximate="tanh")',
    "relu": "F.relu(wide)",
    "silu": "F.silu(wide)",
    "swish": "F.silu(wide)",
    "tanh": "torch.tanh(wide)",
}
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

    `renames` leads from the operation's own names to the layer's. `formula` has `_{}` and `^{}` for what
    is set lower and higher.
    """

    name: str
    title: str
    formula: str
    operation: Callable[..., Any]
    renames: Mapping[str, str] = field(default_factory=dict)

    @property
    def takes(self) -> list[str]:
        """The names of what goes in."""
        return [self.renamed(name) for name in inspect.signature(self.operation).parameters]

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
        text = _parts(self.operation)[0]
        # In one pass, or a new name would be taken for an old one; "activation(wide)" before "wide".
        names = sorted(map(re.escape, self.renames), key=len, reverse=True)
        if not names:
            return text
        return re.sub(rf"(?<![\w.])({'|'.join(names)})(?!\w)", lambda found: self.renames[found[1]], text)

    def run(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """What comes out, by name, for what the names of `takes` stand for."""
        own = inspect.signature(self.operation).parameters
        result = self.operation(**{name: values[self.renamed(name)] for name in own})
        gives = self.gives
        return dict(zip(gives, result if len(gives) > 1 else [result], strict=True))


def steps_of(
    start: InputParameters, layer: LayerParameters, index: int, padded: bool = False
) -> tuple[Step, ...]:
    """The steps of layer `index`, from a token's rows to the vectors that leave it."""
    return (*_input(start, index), *_attention(layer, padded), *_cross(layer), *_mlp(layer))


def _input(start: InputParameters, index: int) -> list[Step]:
    entering = "embedded" if index else "x"
    normed = "small" if start.widen else entering
    summed = "summed" if start.norm else normed
    rows = add_two_rows if start.segments is None else add_three_rows
    formula = "token + position" if start.segments is None else "token + position + segment"
    steps = [Step("input", "Input", f"x_{{0}} = {formula}", rows, {"summed": summed})]
    if start.norm is not None:
        names = {"x": summed, "normed": normed, "gain": "gain_0", "shift": "shift_0"}
        written = "e = " if start.widen else "x_{0} ← "
        normal = f"{written}(x_{{0}} − μ) / σ · g + b"
        steps.append(Step("input-norm", "Normalise", normal, normalise, names))
    if start.widen is not None:
        names = {"rows": normed, "widened": entering}
        steps.append(Step("input-widen", "To full width", "x_{0} = e W_{0} + b_{0}", widen_rows, names))
    if index:
        steps.append(Step("enter", "Into the layer", f"x = layer_{{{index - 1}}}(…)", enter))
    return steps


def _attention(layer: LayerParameters, padded: bool) -> list[Step]:
    read = "y" if layer.norm_first else "x"
    masked = layer.causal or padded
    scores = "masked" if masked else "scores"
    steps = []
    if layer.norm_first:
        names = {"normed": "y", "gain": "gain_1", "shift": "shift_1"}
        steps.append(Step("norm", "Normalise", "y = (x − μ) / σ · g + b", normalise, names))
    projected = "\n".join(f"{name} = {read} W_{{{name.upper()}}} + b_{{{name.upper()}}}" for name in "qkv")
    steps += [
        Step("project", "Query, key, value", projected, project, {"x": read}),
        Step("scores", "Scores", "S = Q K^{T} / √d_{head}", compare),
    ]
    if layer.causal:
        steps.append(Step("mask", "Mask", "S_{ij} = −∞ for j > i", hide_later))
    elif padded:
        steps.append(Step("mask", "Mask", "S_{ij} = −∞ for padding j", hide_padding))
    return [
        *steps,
        Step("softmax", "Softmax", "A = softmax(S), row by row", soften, {"scores": scores}),
        Step("mix", "Weighted sum", "O = A V = softmax(Q K^{T} / √d_{head}) V", mix),
        Step("heads", "Heads joined", "Z = [O_{0}  O_{1}  …  O_{h−1}]", all_heads, {"x": read}),
        Step("output", "Output matrix", "a = Z W_{O} + b_{O}", hand_on),
        _residual(layer, "x", "attended", "x1", "1"),
    ]


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
        ("softmax", "Softmax", "A_{c} = softmax(S_{c}), row by row", soften, {}),
        ("mix", "Weighted sum", "O_{c} = A_{c} V_{c}", mix, {}),
        ("heads", "Heads joined", "Z_{c} = [O_{c0}  O_{c1}  …]", all_heads_across, {"x": "x1"}),
        ("output", "Output matrix", "c = Z_{c} W_{CO} + b_{CO}", hand_on, {"attended": "crossed"}),
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
        read, symbol = "y1", "y′"
        names = {"x": "x1", "normed": "y1", "gain": "gain_2", "shift": "shift_2"}
        steps.append(Step("mlp-norm", "Normalise", "y′ = (x′ − μ) / σ · g + b", normalise, names))
    spoken = SPOKEN.get(layer.activation, "GELU")
    written = {"x": read, "activation(wide)": WRITTEN[layer.activation]}
    return [
        *steps,
        Step("widen", "Feed-forward", f"h = {spoken}({symbol} W_{{1}} + b_{{1}})", widen, written),
        Step("narrow", "And back", "f = h W_{2} + b_{2}", narrow),
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
