"""Every function and every class that a package's front offers has an example, which the doctests run."""

import importlib
import inspect

import pytest

FRONTS = (
    "explorer",
    "explorer.tokenizers",
    "explorer.checkpoints",
    "explorer.finetuning",
    "explorer.finetuning.library",
    *(
        f"explorer.analysis.{room}"
        for room in "attention heads prediction probing projection senses vectors".split()
    ),
)


def offered(front):
    """What the front names in `__all__`, or else defines itself, that is a function or a class."""
    module = importlib.import_module(front)
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == front]
    names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    values = {name: getattr(module, name) for name in names}
    return {
        name: value for name, value in values.items() if inspect.isfunction(value) or inspect.isclass(value)
    }


@pytest.mark.parametrize("front", FRONTS)
def test_everything_offered_has_an_example(front):
    found = offered(front)
    assert found
    without = [name for name, value in found.items() if ">>> " not in (inspect.getdoc(value) or "")]
    assert not without, f"{front}: no example in the docstring of {', '.join(without)}"
