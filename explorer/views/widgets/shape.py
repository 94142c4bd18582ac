"""Whether a value that a browser has sent has the shape that its reader expects: it may send anything."""

from typing import Any


def fits(value: Any, shape: Any) -> bool:
    """Whether a value, as JSON, has a shape.

    A shape is a type; a range, for a whole number in it; a list of shapes, for a value that has one of them;
    a tuple of shapes, for a list with as many items; a dictionary with a shape for each name, for one that
    has these names and perhaps others; a function that says whether it takes the value, such as
    `Setting.takes`; or else a value that must be equal. A switch is not a number.
    """
    if isinstance(shape, type):
        return type(value) is shape
    if isinstance(shape, range):
        return type(value) is int and value in shape
    if isinstance(shape, list):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, tuple):
        return isinstance(value, list) and len(value) == len(shape) and all(map(fits, value, shape))
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            name in value and fits(value[name], part) for name, part in shape.items()
        )
    if callable(shape):
        return bool(shape(value))
    return type(value) is type(shape) and value == shape
