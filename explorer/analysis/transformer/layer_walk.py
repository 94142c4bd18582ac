"""One layer on one text, step by step, with every number in between."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from explorer.analysis.transformer.layer_steps import steps_of
from explorer.analysis.transformer.operation import Step
from explorer.errors import ExplorerError
from explorer.models import LanguageModel
from explorer.models.parameters import InputParameters, LayerParameters
from explorer.trace import Capture, Encoding


@dataclass(frozen=True, eq=False)
class Walk:
    """The steps of a layer, and the value of every name in them.

    `values` has what was given (tables, matrices, ids) and what each step gave, on the CPU:
    the printed lines of a step run on them unchanged. `padding` counts the positions at the end that
    hold no word of the text. `source` is the text that a decoder reads across to; None without an encoder.
    """

    encoding: Encoding
    layer: int
    head: int
    steps: tuple[Step, ...]
    values: Mapping[str, Any]
    padding: int = 0
    source: Encoding | None = None

    def value(self, name: str) -> Tensor:
        """A tensor of the walk."""
        value = self.values[name]
        assert isinstance(value, Tensor)
        return value

    def step_giving(self, name: str) -> Step:
        """The step that gives a tensor. Raises KeyError for a name that no step gives."""
        for step in self.steps:
            if name in step.gives:
                return step
        raise KeyError(name)

    @property
    def result(self) -> Tensor:
        """The vectors that leave the layer, [pos d_model]."""
        return self.value(self.steps[-1].gives[-1])


def walk(
    model: LanguageModel,
    text: str,
    pair: str | None = None,
    layer: int = 0,
    head: int = 0,
    limit: int | None = None,
    pad_to: int = 0,
) -> Walk:
    """Walk through one layer, with one of its heads in full.

    The text is cut at `limit` tokens. With `pad_to`, a shorter text is filled up to that many positions
    with padding, which no word reads. Raises AbilityError for a model that is not a Transformer,
    ExplorerError for a layer or a head that it does not have.

    >>> layer = walk(explorer.load("bert"), "The river bank", layer=2, head=9)
    >>> [step.title for step in layer.steps][3:6]
    ['Query, key, value', 'Scores', 'Softmax']
    >>> layer.value("weights").shape, layer.result.shape
    (torch.Size([5, 5]), torch.Size([5, 384]))
    """
    start, config = model.input_parameters(), model.config
    check_place(str(model.checkpoint), layer, config.layers, head, config.heads)
    encoding = model.encode(text, pair, limit)
    length = len(encoding)
    encoding = _padded(model, encoding, min(pad_to, config.positions))
    padding = len(encoding) - length
    real = torch.arange(len(encoding)) < length
    mask = real[None].to(model.device) if padding else None
    states = model.run(encoding.ids[None], encoding.segments[None], mask, Capture.HIDDEN).hidden_states
    assert states is not None
    parameters = model.layer_parameters(layer)
    stacked = torch.stack([state[0] for state in states])
    values = given_values(encoding, stacked, start, parameters, layer, head)
    values |= {"padding": ~real, **_allowed(parameters, real, head)}
    steps = steps_of(start, parameters, layer, head, bool(padding))
    return Walk(encoding, layer, head, steps, run_steps(steps, values), padding)


def check_place(name: str, layer: int, layers: int, head: int, heads: int) -> None:
    """Raises ExplorerError for a layer or a head that a model does not have."""
    for kind, number, count in (("layer", layer, layers), ("head", head, heads)):
        if not 0 <= number < count:
            raise ExplorerError(f"{name} has no {kind} {number}.", f"Give a {kind} from 0 to {count - 1}.")


def given_values(
    encoding: Encoding, states: Tensor, start: InputParameters, layer: LayerParameters, number: int, head: int
) -> dict[str, Any]:
    """What a walk's steps start from: states [layer+1 pos d_model], ids, sizes and all parameters."""
    d_model = states.shape[-1]
    return {
        "hidden_states": states.cpu(),
        "ids": encoding.ids,
        "segment_ids": encoding.segments,
        "layer": number,
        **_sizes(len(encoding), d_model, layer, head),
        **_parameters(start, layer),
    }


def run_steps(steps: tuple[Step, ...], values: dict[str, Any]) -> dict[str, Any]:
    """The given values, and what each step gives."""
    with torch.no_grad():
        for step in steps:
            values = values | step.run(values)
    return values


def _padded(model: LanguageModel, encoding: Encoding, size: int) -> Encoding:
    """An encoding filled up at its end."""
    more = size - len(encoding)
    if more <= 0 or model.layer_parameters(0).causal:
        return encoding
    token = model.tokenizer.padding
    return replace(
        encoding,
        tokens=[*encoding.tokens, *[model.tokenizer.token(token)] * more],
        ids=F.pad(encoding.ids, (0, more), value=token),
        spans=[*encoding.spans, *[(0, 0)] * more],
        special=F.pad(encoding.special, (0, more), value=True),
        segments=F.pad(encoding.segments, (0, more)),
        sides=None if encoding.sides is None else F.pad(encoding.sides, (0, more), value=1),
    )


def _sizes(length: int, d_model: int, layer: LayerParameters, head: int) -> dict[str, Any]:
    d_head, kv_head = layer.d_head, head // (layer.heads // layer.kv_heads)
    sizes: dict[str, Any] = {
        "n": length,
        "heads": layer.heads,
        "kv_heads": layer.kv_heads,
        "d_head": d_head,
        "d_model": d_model,
        "part": slice(head * d_head, (head + 1) * d_head),
        "kv_part": slice(kv_head * d_head, (kv_head + 1) * d_head),
        "window": layer.window,
        "group": layer.heads // layer.kv_heads,
        "factor": layer.query_factor * d_head**-0.5,
        "cap": layer.scoring.cap,
        "slope": layer.scoring.slopes and layer.scoring.slopes[head],
        "residual_scale": layer.residual_scale,
    }
    if layer.rotary is not None:
        dims = layer.rotary.dims
        sizes |= {
            "frequencies": layer.rotary.frequencies(),
            "stretch": layer.rotary.stretch,
            "partner": [*range(dims // 2, dims), *range(dims // 2), *range(dims, d_head)],
            "ones": torch.ones(length, d_head - dims),
            "zeros": torch.zeros(length, d_head - dims),
        }
    return sizes


def _parameters(start: InputParameters, layer: LayerParameters) -> dict[str, Any]:
    """All parameters by the names that the steps have for them."""
    affine = {
        "Q": layer.query,
        "K": layer.key,
        "V": layer.value,
        "O": layer.output,
        "1": layer.up,
        "2": layer.down,
        "G": layer.gate,
        "0": start.embedding_projection,
    }
    norms = {
        "0": start.norm,
        "1": layer.attention_norm,
        "2": layer.mlp_norm,
        "A": layer.attention_after,
        "F": layer.mlp_after,
        "Q": layer.query_norm,
        "K": layer.key_norm,
    }
    if layer.cross is not None:
        across = layer.cross
        affine |= {"CQ": across.query, "CK": across.key, "CV": across.value, "CO": across.output}
        norms["cross"] = across.norm
    learnt: dict[str, Any] = {
        "tokens": start.tokens if start.tokens.dtype == torch.float32 else Float32Rows(start.tokens),
        "positions": start.positions,
        "segments": start.segments,
        "embedding_scale": start.scale,
    }
    for name, linear in affine.items():
        if linear is not None:
            learnt |= {f"W_{name}": linear.weight, f"b_{name}": linear.bias}
    for name, norm in norms.items():
        if norm is not None:
            learnt |= {f"gain_{name}": norm.gain, f"shift_{name}": norm.shift, "eps": norm.eps}
    tensors = {
        name: value.detach().float().cpu() for name, value in learnt.items() if isinstance(value, Tensor)
    }
    return {name: tensors.get(name, value) for name, value in learnt.items() if value is not None}


class Float32Rows:
    """A table whose rows become float32 when they are read: the whole of it would take gigabytes."""

    def __init__(self, table: Tensor) -> None:
        self.table = table

    def __getitem__(self, ids: Tensor) -> Tensor:
        return self.table[ids].detach().float().cpu()


def _allowed(layer: LayerParameters, real: Tensor, head: int) -> dict[str, Tensor | None]:
    """Which positions each position may read, in all heads; None where it may read everything.

    Where the distance counts, `bias` is what is added to the scores: minus infinity where nothing is read;
    `by_distance` is that of one head without these.
    """
    readable, window = torch.ones(len(real), len(real)).bool(), layer.window
    if layer.causal:
        readable = readable.tril() if window is None else readable.tril().triu(1 - window)
    else:
        readable = (readable if window is None else readable.tril(window).triu(-window)) & real
    bias = layer.scoring.bias(len(real), len(real), torch.ones(1))
    if bias is not None:
        masked = bias.masked_fill(~readable, -torch.inf)
        return {"allowed": readable, "bias": masked, "by_distance": bias[head]}
    return {"allowed": None if bool(readable.all()) and layer.scoring.cap is None else readable}
