"""Results as tables for pandas: a row for each item of a list, or for each number of a tensor.

The columns of a tensor are its dimensions, which every result names where it declares the tensor:
`Float[Tensor, "layer head query_pos key_pos"]`.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, get_args

from torch import Tensor

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

    >>> import explorer
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
    every = list(_tensors(result))
    kinds: dict[tuple[str, ...], dict[str, Tensor]] = defaultdict(dict)
    for own, dimensions, tensor in every:
        if name in ("", own):
            kinds[dimensions][own] = tensor
    if len(kinds) != 1:
        names = ", ".join(own for own, _, _ in every) or "it has none"
        what = f"{type(result).__name__} is no single table."
        raise ExplorerError(what, f"Give a list of results, or the name of a tensor: {names}.")
    ((dimensions, tensors),) = kinds.items()
    shape = next(iter(tensors.values())).shape
    index = pandas.MultiIndex.from_product([range(size) for size in shape], names=dimensions)
    columns: dict[str, Any] = {}
    for dimension, size in zip(dimensions, shape):
        columns[dimension] = index.get_level_values(dimension)
        words = next((words for words in texts if len(words) == size), None)
        if words is not None and dimension.endswith(OF_TEXTS):
            columns[f"{dimension}_text"] = [words[i] for i in columns[dimension]]
    return pandas.DataFrame(columns | {own: tensor.flatten().tolist() for own, tensor in tensors.items()})


def _tensors(result: Any) -> Iterator[tuple[str, tuple[str, ...], Tensor]]:
    """The tensors of a result, each with its name and its dimensions."""
    for field in fields(result) if is_dataclass(result) else ():
        tensor = getattr(result, field.name)
        for kind in (field.type, *get_args(field.type)):
            dimensions = tuple(name.lstrip("*#") for name in getattr(kind, "dim_str", "").split())
            if isinstance(tensor, Tensor) and len(dimensions) == tensor.ndim > 0:
                yield field.name, dimensions, tensor
