"""Step by step: what the picture is given. A header in JSON, and the numbers of every tensor behind it."""

import json
import struct
from typing import TYPE_CHECKING, Any

from explorer.views.transformer.step_figures import MATRICES, NAMES, figure, symbol
from explorer.views.transformer.step_why import why
from explorer.views.widgets.token_names import named

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.transformer import Walk
    from explorer.analysis.transformer.program import Step

UNITS = 24  # the most active hidden units, drawn by themselves
BLOCKS = (24, 96)  # the most rows and columns that a learnt matrix is drawn with


def packed(walk: "Walk", settings: dict[str, Any]) -> bytes:
    """The walk for the component: `settings` are the step, the way, the word and the cells."""
    tokens = named(walk.encoding)
    names = [token["name"] for token in tokens]
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
        }
        at += rows * columns
        chunks.append(tensor.float().contiguous().numpy().tobytes())
    header = {
        "tokens": tokens,
        "steps": [figure(step, walk) for step in walk.steps],
        "residual": residual(walk),
        "arrays": arrays,
        "units": most_active(walk).tolist(),
        "layer": walk.layer,
        "head": walk.head,
        "heads": walk.values["heads"],
        "why": [why(walk, names, cell) for cell in settings["cells"][-1:]],
        "trail": len(settings["cells"]),
        **{name: settings[name] for name in ("step", "way", "word")},
    }
    words = json.dumps(header, ensure_ascii=False).encode()
    words += b" " * (-len(words) % 4)  # the numbers begin on an address that four divides
    return struct.pack("<I", len(words)) + words + b"".join(chunks)


def most_active(walk: "Walk") -> "Tensor":
    """The hidden units that are most active for any of the words, the most active first."""
    return walk.value("hidden").amax(0).topk(min(UNITS, walk.value("hidden").shape[1])).indices


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
    return found | {name: _blocks(_of_head(walk, name)) for name in MATRICES if name in walk.values}


def _of_head(walk: "Walk", name: str) -> "Tensor":
    matrix = walk.value(name)
    return matrix[:, walk.values["part"]] if name in ("W_Q", "W_K", "W_V") else matrix


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
