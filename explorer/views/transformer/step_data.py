"""Step by step: what the picture is given. A header in JSON, and the numbers of every tensor behind it."""

import json
import struct
from typing import TYPE_CHECKING, Any

from explorer.views.transformer.settings import CELLS
from explorer.views.transformer.step_figures import (
    MATRICES,
    NAMES,
    OF_SOURCE,
    SQUARE,
    TO_SOURCE,
    figure,
    symbol,
)
from explorer.views.transformer.step_why import Names, why
from explorer.views.transformer.written import written
from explorer.views.widgets.token_names import named

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.transformer import Walk
    from explorer.analysis.transformer.program import Step

UNITS = 24  # the most active hidden units, drawn by themselves
BLOCKS = (24, 96)  # the most rows and columns that a learnt matrix is drawn with


def tokens_of(walk: "Walk") -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The tokens of the walk as the picture names them, and those of the source that a decoder reads."""
    if walk.source is None:
        return named(walk.encoding), []
    return written(walk.encoding), named(walk.source)


def packed(walk: "Walk", settings: dict[str, Any], side: str = "") -> bytes:
    """The walk for the component: `settings` are the step, the way, the word and the cells.

    `side` says which network of a model with two is walked through.
    """
    tokens, source = tokens_of(walk)
    names = Names(*([token["name"] for token in some] for some in (tokens, source)))
    arrays, chunks, at = {}, [], 0
    for name, tensor in _tensors(walk).items():
        role = "learnt" if name in MATRICES else NAMES[name].role
        rows, columns = tensor.shape
        whole = _of_head(walk, name).shape if name in MATRICES else tensor.shape
        arrays[name] = {
            "symbol": symbol(name),
            "what": "" if name in MATRICES else NAMES[name].what,
            "role": role,
            "rows": rows,
            "columns": columns,
            "shape": " × ".join(f"{size:,}" for size in whole),
            "at": at,
            "most": _most(tensor),
            "square": name in SQUARE,
            "ofSource": name in OF_SOURCE,
            "toSource": name in TO_SOURCE,
        }
        at += rows * columns
        chunks.append(tensor.float().contiguous().numpy().tobytes())
    header = {
        "tokens": tokens,
        "source": source,
        "side": side,
        "steps": [figure(step, walk) for step in walk.steps],
        "residual": residual(walk),
        "arrays": arrays,
        "units": most_active(walk).tolist(),
        "layer": walk.layer,
        "head": walk.head,
        "heads": walk.values["heads"],
        "kvHeads": walk.values["kv_heads"],
        "rotation": rotation(walk),
        "why": [why(walk, names, cell) for cell in settings[CELLS][-1:]],
        "trail": len(settings[CELLS]),
        **{name: settings[name] for name in ("step", "way", "word")},
    }
    words = json.dumps(header, ensure_ascii=False).encode()
    words += b" " * (-len(words) % 4)  # the numbers begin on an address that four divides
    return struct.pack("<I", len(words)) + words + b"".join(chunks)


def most_active(walk: "Walk") -> "Tensor":
    """The hidden units that are most active for any of the words, the most active first."""
    return walk.value("hidden").abs().amax(0).topk(min(UNITS, walk.value("hidden").shape[1])).indices


def rotation(walk: "Walk") -> dict[str, Any] | None:
    """What is turned into what, and by how many radians a position; None where nothing is turned."""
    if "q_rot" not in walk.values:
        return None
    before = walk.maker("q_rot").takes[:2]
    turned = [[name, f"{name[0]}_rot"] for name in before]
    return {"turned": turned, "frequencies": walk.value("frequencies").tolist()}


def residual(walk: "Walk") -> list[list[int]]:
    """The residual connections: from the step that gives the vectors to the one that adds to them."""
    order: list[Step] = list(walk.steps)
    return [
        [order.index(walk.maker(step.takes[0])), order.index(step)]
        for step in order
        if step.name.startswith("add")
    ]


def _tensors(walk: "Walk") -> "dict[str, Tensor]":
    """All that some figure draws: every step's tensors, the top units, and the learnt matrices in blocks."""
    drawn = {name for step in walk.steps for line in [*figure(step, walk)["all"]] for name in line}
    found = {name: walk.value(name) for step in walk.steps for name in step.gives if name in drawn}
    learnt = [name for name in MATRICES if name in walk.values]
    return found | {name: _blocks(_of_head(walk, name)) for name in learnt}


def _of_head(walk: "Walk", name: str) -> "Tensor":
    matrix = walk.value(name)
    parts = {"Q": "part", "K": "kv_part", "V": "kv_part"}
    return matrix[:, walk.values[parts[name[-1]]]] if name[-1] in parts else matrix


def _blocks(matrix: "Tensor") -> "Tensor":
    """Of each block of a large matrix the number that is farthest from 0, with its sign."""
    import torch.nn.functional as F

    rows, columns = (min(size, most) for size, most in zip(matrix.shape, BLOCKS))
    large, small = (F.adaptive_max_pool2d(m[None], (rows, columns))[0] for m in (matrix, -matrix))
    return large.where(large >= small, -small)


def _most(tensor: "Tensor") -> float:
    """What is drawn in full colour: trained vectors have a few numbers that dwarf all others."""
    sizes = tensor[tensor.isfinite()].abs()
    return float(sizes.quantile(0.99).clamp_min(1e-9)) if len(sizes) else 1.0
