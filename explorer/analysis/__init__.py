# mypy: implicit-reexport
# ruff: noqa: F401
"""Traces to small, frozen results, one idea per file.

Nothing here draws. A notebook asks `explorer.notebook` for a result's picture.
"""

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.analysis import (
        bleu,
        characters,
        generation,
        heads,
        patching,
        pieces,
        prediction,
        probing,
        projection,
        senses,
        sentences,
        transformer,
        translation,
        vectors,
        words,
    )
else:
    _NAMES = frozenset(module.name for module in pkgutil.iter_modules(__path__))

    def __getattr__(name: str) -> ModuleType:
        """Import an analysis when it is first asked for; a type checker knows those above alone."""
        if name in _NAMES:
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
