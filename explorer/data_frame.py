"""Results as tables for pandas, whose columns are the dimensions that a result declares for its tensors."""

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, get_args

from explorer.errors import ExplorerError

if TYPE_CHECKING:
    from pandas import DataFrame

OF_TEXTS = ("pos", "word", "query", "key")  # the ends of dimensions that run over tokens or words


def to_frame(result: Any, field: str = "") -> "DataFrame":
    """A result as a pandas DataFrame.

    A list of results gives a row each, with their fields as columns. A single result gives a row for each
    number of its tensors: a column for each dimension, counted from 0, beside it the token or word, and then
    the numbers. Tensors of the same dimensions share a table; if there are several kinds, `field` names one
    ("attention.pattern" looks inside a field). Raises ExplorerError otherwise.

    >>> trace = explorer.load("bert").trace("It rains.")
    >>> frame = to_frame(trace, "attention.pattern")
    >>> list(frame.columns)
    ['layer', 'head', 'query_pos', 'query_pos_text', 'key_pos', 'key_pos_text', 'pattern']
    >>> len(frame) == trace.attention.pattern.numel()
    True
    """
    import pandas

    if isinstance(result, list | tuple):
        return pandas.DataFrame(list(result))
    encoding = getattr(result, "encoding", None)
    texts = [getattr(encoding, "tokens", []), getattr(result, "tokens", []), getattr(result, "words", [])]
    *path, name = field.split(".")
    for step in path:
        result = getattr(result, step, None)
    dimensions = dimensions_of(result)
    chosen = [tensor for tensor in dimensions if name in ("", tensor)]
    if len({dimensions[tensor] for tensor in chosen}) != 1:
        names = ", ".join([*dimensions, *_inner_names(result)]) or "it has none"
        what = f"{type(result).__name__} is no single table."
        raise ExplorerError(what, f"Give a list of results, or the name of a tensor: {names}.")
    axes, shape = dimensions[chosen[0]], getattr(result, chosen[0]).shape
    index = pandas.MultiIndex.from_product(map(range, shape), names=axes)
    columns: dict[str, Any] = {}
    for axis, size in zip(axes, shape):
        columns[axis] = index.get_level_values(axis)
        words = next((words for words in texts if len(words) == size), None)
        if words is not None and axis.endswith(OF_TEXTS):
            columns[f"{axis}_text"] = [words[i] for i in columns[axis]]
    return pandas.DataFrame(columns | {name: getattr(result, name).flatten().tolist() for name in chosen})


def _inner_names(result: Any) -> list[str]:
    """The names of the tensors of a result's own parts, such as “attention.pattern”."""
    parts = (
        {field.name: getattr(result, field.name) for field in fields(result)} if is_dataclass(result) else {}
    )
    return [f"{part}.{name}" for part, value in parts.items() for name in dimensions_of(value)]


def dimensions_of(result: Any) -> dict[str, tuple[str, ...]]:
    """The names of the dimensions of each tensor of a result."""
    dimensions = {}
    for field in fields(result) if is_dataclass(result) else ():
        for kind in (field.type, *get_args(field.type)):
            axes = tuple(name.lstrip("*#") for name in getattr(kind, "dim_str", "").split())
            if axes and getattr(getattr(result, field.name), "ndim", 0) == len(axes):
                dimensions[field.name] = axes
    return dimensions
