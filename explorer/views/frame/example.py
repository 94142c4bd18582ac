"""“Show the code”: the source of one of our functions, and the call that computes what is drawn.

    Example(guesses, model=Load("bert"), text="A [MASK] text.", top=5).printed()

The code is not copied into a string: a visitor reads the source of a function that can be imported, and
tests run it as it is printed.
"""

import ast
import inspect
from collections.abc import Callable
from textwrap import dedent
from typing import Any

from explorer.assets import read_once
from explorer.locale import N_

LINK = N_("The address of this page is a link to exactly this view.")


class Load(str):
    """A checkpoint's name that is printed as the loaded model: `explorer.load("bert")`."""

    def __repr__(self) -> str:
        return f"explorer.load({str(self)!r})"


class Example:
    """A function and its arguments; `link` says what the page's address carries."""

    def __init__(self, function: Callable[..., Any], link: str = LINK, **arguments: Any) -> None:
        self.function, self.link, self.arguments = function, link, arguments

    def printed(self) -> str:
        """The program: imports, the function with its docstring, the call with its values."""
        source, names_package = _source(self.function)
        name = self.function.__name__
        values = ", ".join(f"{key}={value!r}" for key, value in self.arguments.items())
        call = f"{name}({values})"
        loads = any(isinstance(value, Load) for value in _leaves(self.arguments.values()))
        imports = "import explorer\n\n\n" if loads or names_package else ""
        lines = [f"{imports}{source}", "", ""]
        if len(call) > 100:
            arguments = "".join(f"    {key}={value!r},\n" for key, value in self.arguments.items())
            call = f"{name}(\n{arguments})"
        return "\n".join([*lines, f"result = {call}", "print(result)"])


def _leaves(values: Any) -> list[Any]:
    """All values, also those inside lists and tuples."""
    leaves = []
    for value in values:
        leaves += _leaves(value) if isinstance(value, list | tuple) else [value]
    return leaves


@read_once  # `getsource` tokenizes the whole file, and a page asks at every rerun
def _source(function: Callable[..., Any]) -> tuple[str, bool]:
    """A function's source, and whether it names the package outside of its imports."""
    source = dedent(inspect.getsource(function)).rstrip()
    return source, "explorer." in _without_imports(source)


def _without_imports(source: str) -> str:
    tree = ast.parse(source)
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            lines[node.lineno - 1] = ""
    return "\n".join(lines)
