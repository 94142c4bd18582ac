"""What a training process and the server tell each other, as JSON: nothing is pickled."""

import base64
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np
import torch

from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from explorer.finetuning.progress import Progress

EXAMPLES: dict[str, type[Example]] = {
    example.__name__: example for example in (Labelled, LabelledPair, Tagged, Question)
}


def example_to_json(example: Example) -> list[Any]:
    """An example as its class's name and its fields."""
    return [type(example).__name__, asdict(example)]


def example_from_json(raw: Sequence[Any]) -> Example:
    """The example that JSON describes."""
    name, values = raw
    kind: Any = EXAMPLES[name]
    example: Example = kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
    return example


def progress_to_json(progress: Progress) -> dict[str, Any]:
    """A report without its head; vectors as shape and float16 numbers in base64."""
    raw = {field.name: getattr(progress, field.name) for field in fields(progress) if field.name != "head"}
    if progress.vectors is not None:
        numbers = progress.vectors.half().contiguous().numpy().tobytes()
        raw["vectors"] = [list(progress.vectors.shape), base64.b64encode(numbers).decode()]
    return raw


def progress_from_json(raw: dict[str, Any]) -> Progress:
    """The report that JSON describes."""
    if raw["vectors"] is None:
        return Progress(**raw)
    shape, data = raw["vectors"]
    numbers = np.frombuffer(base64.b64decode(data), np.float16).astype(np.float32)
    return Progress(**raw | {"vectors": torch.from_numpy(numbers).view(shape)})
