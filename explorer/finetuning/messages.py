"""What a training's process and the one who asked for it tell each other: lines of JSON.

Nothing is pickled. Vectors travel as float16 in base64.
"""

import base64
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from explorer.errors import ExplorerError
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged, check
from explorer.finetuning.features import Features
from explorer.finetuning.progress import How, Progress
from explorer.finetuning.tasks import Task, task_in

NAMES: dict[str, type[Example]] = {
    "labelled": Labelled,
    "pair": LabelledPair,
    "tagged": Tagged,
    "question": Question,
}


@dataclass(frozen=True)
class Request:
    """A training that somebody asks for; the fields are those of `explorer.finetuning.fit`.

    `checkpoint` is the model's name; `random` draws its weights anew first (the body that knows nothing).
    """

    checkpoint: str
    task: Task
    examples: tuple[Example, ...]
    how: How = "frozen"
    held_out: tuple[Example, ...] | float = 0.2
    features: Features | None = None
    epochs: int | None = None
    seed: int = 0
    batch: int | None = None
    rate: float | None = None
    rank: int = 8
    limit: int | None = None
    threads: int = 2
    random: bool = False
    title: str = field(default="", compare=False)

    @property
    def heavy(self) -> bool:
        """Whether a whole body learns in it."""
        return self.how != "frozen"

    def check(self) -> None:
        """Raises ExplorerError for examples that cannot be learnt from."""
        check(self.task, self.examples)


def request_out(request: Request) -> dict[str, Any]:
    """A request as JSON holds it."""
    raw = {name: getattr(request, name) for name in request.__dataclass_fields__}
    raw["task"] = asdict(request.task)
    raw["features"] = None if request.features is None else asdict(request.features)
    raw["examples"] = [example_out(example) for example in request.examples]
    if not isinstance(request.held_out, int | float):
        raw["held_out"] = [example_out(example) for example in request.held_out]
    return raw


def request_in(raw: dict[str, Any]) -> Request:
    """The request that JSON holds."""
    task, held = raw["task"], raw["held_out"]
    return Request(
        **raw
        | {
            "task": task_in(task),
            "features": None if raw["features"] is None else Features(**raw["features"]),
            "examples": tuple(map(example_in, raw["examples"])),
            "held_out": tuple(map(example_in, held)) if isinstance(held, list) else held,
        }
    )


def progress_out(progress: Progress) -> dict[str, Any]:
    """A moment as JSON holds it; its head goes another way."""
    raw = {name: getattr(progress, name) for name in progress.__dataclass_fields__ if name != "head"}
    raw["vectors"] = None if progress.vectors is None else _tensor_out(progress.vectors)
    return raw


def progress_in(raw: dict[str, Any]) -> Progress:
    """The moment that JSON holds."""
    progress = Progress(**raw)
    return progress if raw["vectors"] is None else replace(progress, vectors=_tensor_in(raw["vectors"]))


def error_out(error: BaseException) -> dict[str, str]:
    """What went wrong, in words for the page."""
    if isinstance(error, ExplorerError):
        return {"message": error.message, "hint": error.hint}
    return {"message": f"The training broke off: {type(error).__name__}.", "hint": "Try again."}


def example_out(example: Example) -> list[Any]:
    """An example as JSON holds it."""
    name = next(name for name, kind in NAMES.items() if isinstance(example, kind))
    return [name, asdict(example)]


def example_in(raw: Sequence[Any]) -> Example:
    """The example that JSON holds."""
    name, fields = raw
    lists_to_tuples = {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
    kind: Any = NAMES[name]
    example: Example = kind(**lists_to_tuples)
    return example


def _tensor_out(tensor: Tensor) -> list[Any]:
    data = base64.b64encode(tensor.half().contiguous().numpy().tobytes()).decode()
    return [list(tensor.shape), data]


def _tensor_in(raw: Sequence[Any]) -> Tensor:
    shape, data = raw
    numbers = np.frombuffer(base64.b64decode(data), np.float16).astype(np.float32)
    return torch.from_numpy(numbers).view(shape)
