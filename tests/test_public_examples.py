"""Every function and every class that is public has an example, which the doctests run.

Public is what a front offers: what a package names in `__all__`, or else every function and class that is
defined there and has no leading underscore. The fronts are those listed here, each package of
`explorer.analysis` (each module of it, where it names nothing in `__all__`), and each module beside them.
"""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

from explorer import analysis

ROOT = Path(__file__).parents[1]


def analyses():
    """The fronts of `explorer.analysis`, as they are found in it."""
    for found in pkgutil.iter_modules(analysis.__path__, f"{analysis.__name__}."):
        module = importlib.import_module(found.name)
        if found.ispkg and not hasattr(module, "__all__"):
            for inner in pkgutil.iter_modules(module.__path__, f"{found.name}."):
                yield inner.name
        else:
            yield found.name


FRONTS = (
    "explorer",
    "explorer.errors",
    "explorer.trace",
    "explorer.tokenizers",
    "explorer.models",
    "explorer.checkpoints",
    "explorer.finetuning",
    "explorer.finetuning.library",
    "explorer.files.encoding",
    "explorer.files.kinds",
    "explorer.files.lines",
    "explorer.files.tables",
    *analyses(),
)


def offered(front):
    """What the front names in `__all__`, or else defines itself, that is a function or a class."""
    module = importlib.import_module(front)
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == front]
    names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    values = {name: getattr(module, name) for name in names}
    return {
        name: value
        for name, value in values.items()
        if inspect.isfunction(inspect.unwrap(value)) or inspect.isclass(value)  # one with a cache too
    }


@pytest.mark.parametrize("front", FRONTS)
def test_everything_offered_has_an_example(front):
    found = offered(front)
    assert found
    without = [name for name, value in found.items() if ">>> " not in (inspect.getdoc(value) or "")]
    assert not without, f"{front}: no example in the docstring of {', '.join(without)}"


def test_every_front_is_in_the_documentation():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "api").glob("*.md"))
    names = re.findall(r"^::: (\S+)$", pages, flags=re.M)
    assert not [front for front in FRONTS[1:] if front not in names]  # of the first, its two functions
    assert {"explorer.load", "explorer.available"} <= set(names)
