"""Step by step: the data of the picture, why a clicked number is what it is, and what there is to save."""

import json
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer import analysis
from explorer.analysis.transformer.tensors import LABELS, label
from explorer.locale import _, format_number, format_with, ngettext
from explorer.views import kit
from explorer.views.transformer.settings import CELLS, NUMBER
from explorer.views.transformer.written import decoder_tokens
from explorer.views.types import Cause, Cell, Origin, Tensor, Walk
from explorer.views.widgets.layer_names import layer_and_head
from explorer.views.widgets.numbers import short
from explorer.views.widgets.quoted import isolated
from explorer.views.widgets.token_text import token_labels

if TYPE_CHECKING:
    from explorer.analysis.transformer.operation import Step


def program(walk: "Walk") -> str:
    """The code of all steps as one text, with its inputs named at the top."""
    results = {name for step in walk.steps for name in step.gives}
    inputs = dict.fromkeys(name for step in walk.steps for name in step.takes if name not in results)
    imports = "import math\n\nimport torch\nimport torch.nn.functional as F"
    parts = [imports, f"# {_('Given: {names}', names=', '.join(inputs))}"]
    return "\n\n".join([*parts, *(f"# {step.title}\n{step.code}" for step in walk.steps)]) + "\n"


def table_of(walk: "Walk", step: "analysis.transformer.operation.Step") -> str:
    """The results of a step as a table, with a line for each row."""
    own, source = ([token["name"] for token in some] for some in tokens_of(walk))
    rows = [
        [name, token, *row]
        for name in step.gives
        for token, row in zip(source if of_source(name) else own, walk.value(name).tolist())
    ]
    widest = max(len(row) for row in rows) - 2
    return kit.table(["tensor", "token", *map(str, range(1, widest + 1))], rows)


def of_source(name: str) -> bool:
    """Whether a tensor's rows are tokens of the encoder's text."""
    return name in LABELS and LABELS[name].rows == "source"  # a link may name anything


class Names(NamedTuple):
    """The names of the tokens: of the layer's own text, and of the source that a decoder reads."""

    own: Sequence[str]
    source: Sequence[str] = ()

    def row(self, cell: "Cell") -> str:
        """The token whose row a number is in."""
        return isolated((self.source if LABELS[cell.name].rows == "source" else self.own)[cell.row])

    def column(self, cell: "Cell") -> str:
        """The token that a score or a weight refers to."""
        return isolated((self.source if LABELS[cell.name].columns == "source" else self.own)[cell.column])


def why(walk: "Walk", names: Names, cell: list[Any]) -> dict[str, Any]:
    """One number and its parts. Raises ExplorerError where the walk has no such number."""
    source = analysis.transformer.origin(walk, *cell[:3])
    count, total = source.omitted, number(source.omitted_sum)
    rest = ngettext(
        "{count} smaller product: {total}", "{count} smaller products: {total}", count, total=total
    )
    if source.kind == "softmax":
        rest = ngettext("{count} other score: {total}", "{count} other scores: {total}", count, total=total)
    return {
        "cell": [source.cell.name, source.cell.row, source.cell.column],
        "title": spoken(names, source.cell),
        "value": number(source.value),
        "how": _(source.sentence, **{name: number(value) for name, value in source.details.items()}),
        "parts": [_part(names, source, cause) for cause in source.causes if cause.cell is not None],
        "rest": rest if count else "",
    }


def spoken(names: Names, cell: "Cell") -> str:
    """A number's name in words.

    >>> from explorer.analysis.transformer import Cell
    >>> names = Names(["the", "bank"], ["la", "banque"])
    >>> spoken(names, Cell("q", 1, 6)), spoken(names, Cell("cross_weights", 1, 0))
    ('Q of bank, number 7', 'Cross A: bank reads la')
    """
    symbol, token = _symbol(cell.name), names.row(cell)
    if LABELS[cell.name].columns != "numbers":
        return _("{symbol}: {reader} reads {read}", symbol=symbol, reader=token, read=names.column(cell))
    if LABELS[cell.name].role == "hidden":
        return _("{symbol} of {token}, unit {n}", symbol=symbol, token=token, n=cell.column + 1)
    return _("{symbol} of {token}, number {n}", symbol=symbol, token=token, n=cell.column + 1)


def _symbol(name: str) -> str:
    """A tensor's symbol in plain text, without subscripts."""
    symbol = label(name).symbol.replace("_{0}", "₀").replace("_{G}", "G")
    if symbol.endswith("_{φ}"):
        return _("{symbol} rotated", symbol=symbol.removesuffix("_{φ}"))
    return _("Cross {symbol}", symbol=symbol.removesuffix("_{c}")) if symbol.endswith("_{c}") else symbol


def _brief(names: Names, source: "Origin", cell: "Cell") -> str:
    """A part's name: only its place, if all parts are of one tensor and one token."""
    if source.kind == "scores":
        return f"Q {cell.column + 1}:"
    if LABELS[cell.name].columns != "numbers":
        return f"{names.column(cell)}:"
    return f"{_symbol(cell.name)} {format_number(cell.column + 1)}:"


def number(value: float) -> str:
    """A number as the picture writes it: four significant digits, a true minus."""
    if value == float("-inf"):
        return "−∞"
    return format_with(value, ".4g")


def _part(names: Names, source: "Origin", cause: "Cause") -> dict[str, Any]:
    """One of the numbers, for a button that follows it back, with its factor if it has one."""
    assert cause.cell is not None
    text = f"{_brief(names, source, cause.cell)} {number(cause.number)}"
    times = ""
    if cause.factor is not None:
        divided = source.kind == "scores" and "divisor" in source.details
        times = f"× {number(cause.factor)} {'÷ √d ' if divided else ''}= {number(cause.share)}"
    elif source.kind == "softmax":
        times = f"→ {short(cause.share)}"
    cell = [cause.cell.name, cause.cell.row, cause.cell.column, cause.cell.layer, cause.cell.head]
    cell += ["encoder"] if cause.cell.encoder else []
    other = cause.factor_cell
    return {
        "text": text,
        "times": times,
        "cell": cell,
        "other": other and [other.name, other.row, other.column, None, None],
    }


UNITS = 24  # the most active hidden units, drawn separately
STAGES = {  # the parts of the flow, by the first step of each
    "input": "vectors",
    "norm": "attention",
    "project": "attention",
    "cross-project": "cross",
    "mlp-norm": "forward",
    "up-projection": "forward",
}
BLOCKS = (24, 96)  # the most rows and columns of a drawn matrix


def tokens_of(walk: "Walk") -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The tokens of the walk as the picture names them, and those of the source that a decoder reads."""
    if walk.source is None:
        return token_labels(walk.encoding), []
    return decoder_tokens(walk.encoding), token_labels(walk.source)


def packed(
    walk: "Walk",
    settings: dict[str, Any],
    side: str = "",
    layers: int = 0,
    guesses: dict[str, Any] | None = None,
) -> bytes:
    """The walk as bytes for the component, with the `settings` for step, way, word, number and cells.

    `side` names the network, for a model with two; it has this many `layers`. `guesses` is what the model
    guesses at the end, from `step_guess.guesses`.
    """
    tokens, source = tokens_of(walk)
    names = Names(*([token["name"] for token in some] for some in (tokens, source)))
    arrays, chunks, at = {}, [], 0
    for name, tensor in _tensors(walk).items():
        tensor_label, (rows, columns) = label(name), tensor.shape
        arrays[name] = {
            "symbol": tensor_label.symbol,
            "what": tensor_label.meaning,
            "role": tensor_label.role,
            "rows": rows,
            "columns": columns,
            "shape": " × ".join(format_number(size) for size in _of_head(walk, name).shape),
            "at": at,
            "most": _most(tensor),
            "square": tensor_label.columns != "numbers",
            "ofSource": tensor_label.rows == "source",
            "toSource": tensor_label.columns == "source",
        }
        at += rows * columns
        chunks.append(tensor.float().contiguous().numpy().tobytes())
    header = {
        "tokens": tokens,
        "source": source,
        "where": _where(walk, side),
        "above": _layers_above(walk.layer, layers),
        "width": walk.result.shape[1],
        "guesses": guesses or {"title": "", "rows": []},
        "steps": [figure(step) | {"stage": stage} for step, stage in zip(walk.steps, stages(walk))],
        "residual": residual(walk),
        "arrays": arrays,
        "units": most_active(walk).tolist(),
        "head": walk.head,
        "heads": walk.values["heads"],
        "kvHeads": walk.values["kv_heads"],
        "rotation": rotation(walk),
        "why": [why(walk, names, cell) for cell in settings[CELLS][-1:]],
        "trail": len(settings[CELLS]),
        **{name: settings[name] for name in ("step", "way", "word", str(NUMBER))},
    }
    words = json.dumps(header, ensure_ascii=False).encode()
    words += b" " * (-len(words) % 4)  # the numbers begin at a multiple of four bytes
    return struct.pack("<I", len(words)) + words + b"".join(chunks)


def stages(walk: "Walk") -> list[str]:
    """The part of the flow that each step belongs to."""
    names, stage = [], ""
    for step in walk.steps:
        stage = STAGES.get(step.name, stage)
        names.append(stage)
    return names


def _where(walk: "Walk", side: str) -> str:
    """The layer and head in words, after the network’s name where there are two."""
    place = layer_and_head(walk.layer, walk.head)
    return f"{side}, {place}" if side else place.capitalize()


def _layers_above(layer: int, layers: int) -> str:
    """The layers after this one, which lead to the guess."""
    above = [str(one + 1) for one in range(layer + 1, layers)]
    if len(above) < 2:
        return _("Layer {n}", n=above[0]) if above else ""
    ends = {"first": above[0], "last": above[-1]}
    return (
        _("Layers {first} and {last}", **ends) if len(above) == 2 else _("Layers {first} to {last}", **ends)
    )


def figure(step: "Step") -> dict[str, Any]:
    """A step's texts, code and figures; `gives` are those of its tensors that are drawn."""
    in_figure = {name for line in step.figure for name in line}
    return {
        "name": step.name,
        "title": step.title,
        "caption": step.caption,
        "formula": step.formula,
        "code": step.code,
        "all": step.figure,
        "one": step.figure_of_one_word,
        "gives": [name for name in step.gives if name in in_figure],
    }


def most_active(walk: "Walk") -> "Tensor":
    """The hidden units that are most active for any of the words, the most active first."""
    return walk.value("hidden").abs().amax(0).topk(min(UNITS, walk.value("hidden").shape[1])).indices


def rotation(walk: "Walk") -> dict[str, Any] | None:
    """The tensors before and after the rotation, and the radians per position; None without a rotation."""
    if "q_rot" not in walk.values:
        return None
    before = walk.step_giving("q_rot").takes[:2]
    turned = [[name, f"{name[0]}_rot"] for name in before]
    return {"turned": turned, "frequencies": walk.value("frequencies").tolist()}


def residual(walk: "Walk") -> list[list[int]]:
    """The residual connections: from the step that gives the vectors to the one that adds to them."""
    order: list[Step] = list(walk.steps)
    return [
        [order.index(walk.step_giving(step.takes[0])), order.index(step)]
        for step in order
        if step.name.startswith("add")
    ]


def _tensors(walk: "Walk") -> "dict[str, Tensor]":
    """All tensors that a figure draws: those of the steps, and the learnt matrices in blocks."""
    tensors = {name: walk.value(name) for step in walk.steps for name in figure(step)["gives"]}
    matrices = [name for name in walk.values if name.startswith("W_")]
    return tensors | {name: _blocks(_of_head(walk, name)) for name in matrices}


def _of_head(walk: "Walk", name: str) -> "Tensor":
    matrix = walk.value(name)
    parts = {"Q": "part", "K": "kv_part", "V": "kv_part"}
    return matrix[:, walk.values[parts[name[-1]]]] if name[-1] in parts else matrix


def _blocks(matrix: "Tensor") -> "Tensor":
    """For each block of a large matrix, the number farthest from 0, with its sign."""
    import torch.nn.functional as F

    rows, columns = (min(size, most) for size, most in zip(matrix.shape, BLOCKS))
    large, small = (F.adaptive_max_pool2d(m[None], (rows, columns))[0] for m in (matrix, -matrix))
    return large.where(large >= small, -small)


def _most(tensor: "Tensor") -> float:
    """The size that gets full colour: trained vectors have a few numbers much larger than all others."""
    sizes = tensor[tensor.isfinite()].abs()
    return float(sizes.quantile(0.99).clamp_min(1e-9)) if len(sizes) else 1.0
