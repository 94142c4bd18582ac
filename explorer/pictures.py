"""Results that a notebook shows as the app draws them: the pictures are in `explorer.notebook`."""

from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, TypeVar

from torch import Tensor

Item = TypeVar("Item")
LONGEST = 60  # characters of a value in the short form


class WithPicture:
    """A result with a picture, for which notebooks ask by `_repr_html_`; its text is a line."""

    def _repr_html_(self) -> str | None:
        return picture_of(self)

    def __repr__(self) -> str:
        return short(self)


class ListWithPicture(list[Item]):
    """A list with a picture of all its items."""

    def _repr_html_(self) -> str | None:
        return picture_of(self)


def picture_of(result: Any) -> str | None:
    """A result's picture as HTML; None for one that has nothing to draw."""
    html: str | None = import_module("explorer.notebook").html(result)
    return html


def short(result: Any) -> str:
    """A result in a line: its class with its fields, and tensors by their shapes.

    >>> import torch
    >>> from explorer.trace import Attention
    >>> short(Attention(*(torch.zeros(2, 3) for _ in range(4))))
    'Attention(queries=[2, 3], keys=[2, 3], values=[2, 3], pattern=[2, 3], causal=False)'
    """
    if not is_dataclass(result):
        return type(result).__name__
    values = [f"{field.name}={_value(getattr(result, field.name))}" for field in fields(result) if field.repr]
    return f"{type(result).__name__}({', '.join(values)})"


def _value(value: Any) -> str:
    if isinstance(value, Tensor):
        return str(list(value.shape))
    if is_dataclass(value):
        return f"{type(value).__name__}(…)"
    text = repr(value) if isinstance(value, str | int | float | bool | None) or not value else ""
    text = text or (f"{len(value)} items" if isinstance(value, list | tuple | dict) else type(value).__name__)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
