"""Results in a line of text: tensors by their shapes, since printed numbers would fill the screen."""

from dataclasses import fields, is_dataclass
from typing import Any

LONGEST = 60  # characters of a value in the short form


class WithShortText:
    """A result whose text is one line."""

    def __repr__(self) -> str:
        return short(self)


def short(result: Any) -> str:
    """A result in a line: its class with its fields, and tensors by their shapes.

    >>> from explorer.analysis.prediction.logit_lens import Lens
    >>> short(Lens(3, torch.zeros(7, 100), before="A cup of "))
    "Lens(position=3, probabilities=[7, 100], before='A cup of ', after='')"
    """
    if not is_dataclass(result):
        return type(result).__name__
    values = [f"{field.name}={_value(getattr(result, field.name))}" for field in fields(result) if field.repr]
    return f"{type(result).__name__}({', '.join(values)})"


def _value(value: Any) -> str:
    if hasattr(value, "untyped_storage"):  # a tensor: the pages' first words do without torch
        return str(list(value.shape))
    if is_dataclass(value):
        return f"{type(value).__name__}(…)"
    text = repr(value) if isinstance(value, str | int | float | bool | None) or not value else ""
    text = text or (f"{len(value)} items" if isinstance(value, list | tuple | dict) else type(value).__name__)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
