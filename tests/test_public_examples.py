"""What docs/api shows has examples, which the doctests run, and docs/api shows every front.

The fronts are those listed here, each package of `explorer.analysis` (each module of it, where it names
nothing in `__all__`), and each module beside them. A class that functions return has its example in theirs.
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
    "explorer", "explorer.errors", "explorer.trace", "explorer.tokenizers", "explorer.models",
    "explorer.checkpoints", "explorer.finetuning", "explorer.finetuning.library", "explorer.files.encoding",
    "explorer.files.kinds", "explorer.files.lines", "explorer.files.tables", *analyses(),
)  # fmt: skip


@pytest.mark.parametrize("front", FRONTS)
def test_every_front_has_an_example(front):
    module = importlib.import_module(front)
    values = [getattr(module, name) for name in getattr(module, "__all__", [])] or vars(module).values()
    documented = [module, *(value for value in values if getattr(value, "__module__", "").startswith(front))]
    assert any(">>> " in (inspect.getdoc(value) or "") for value in documented)


def test_every_front_is_in_the_documentation():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "api").glob("*.md"))
    names = re.findall(r"^::: (\S+)$", pages, flags=re.M)
    assert not [front for front in FRONTS[1:] if front not in names]  # of the first, its two functions
    assert {"explorer.load", "explorer.available"} <= set(names)
