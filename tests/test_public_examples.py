"""Every function that a package's front offers has an example, which the doctests run.

A class of results needs none of its own: the function that makes it shows it.
"""

import importlib
import inspect

import pytest

FRONTS = (
    "explorer",
    "explorer.tokenizers",
    "explorer.checkpoints",
    "explorer.finetuning",
    "explorer.finetuning.library",
    *(f"explorer.analysis.{room}" for room in "attention heads prediction projection senses vectors".split()),
)


def offered(front):
    """What the front names in `__all__`, or else defines itself, that is a function."""
    module = importlib.import_module(front)
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == front]
    names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    return {name: value for name in names if inspect.isfunction(value := getattr(module, name))}


@pytest.mark.parametrize("front", FRONTS)
def test_everything_offered_has_an_example(front):
    found = offered(front)
    assert found
    without = [name for name, value in found.items() if ">>> " not in (inspect.getdoc(value) or "")]
    assert not without, f"{front}: no example in the docstring of {', '.join(without)}"
