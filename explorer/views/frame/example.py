"""“Show the code”: a function of ours as it stands in its file, and the call that gives what is drawn.

    Example(guesses, model=Load("bert"), text="A [MASK] text.", top=5).printed()

There is no second copy of the code in a string: what a visitor reads and pastes is the source of a
function that can be imported, and tests run it as it is printed.
"""

import ast
import inspect
from collections.abc import Callable
from functools import cache
from textwrap import dedent
from typing import Any

LINK = "The address of this page is a link to exactly this view."


class Load(str):
    """A checkpoint's name that stands for the loaded model: `explorer.load("bert")`."""

    def __repr__(self) -> str:
        return f"explorer.load({str(self)!r})"


class Example:
    """A function and what it is called with; `link` says what the page's address carries."""

    def __init__(self, function: Callable[..., Any], link: str = LINK, **arguments: Any) -> None:
        self.function, self.link, self.arguments = function, link, arguments

    def printed(self) -> str:
        """The program: imports, the function with its docstring, the call with its values."""
        source, names_package = _source(self.function)
        name = self.function.__name__
        values = ", ".join(f"{key}={value!r}" for key, value in self.arguments.items())
        call = f"{name}({values})"
        loads = any(isinstance(value, Load) for value in _leaves(self.arguments.values()))
        wanted = "import explorer\n\n\n" if loads or names_package else ""
        lines = [f"{wanted}{source}", "", ""]
        if len(call) > 100:
            arguments = "".join(f"    {key}={value!r},\n" for key, value in self.arguments.items())
            call = f"{name}(\n{arguments})"
        return "\n".join([*lines, f"result = {call}", "print(result)"])


def _leaves(values: Any) -> list[Any]:
    """All values, those inside lists and tuples too."""
    found = []
    for value in values:
        found += _leaves(value) if isinstance(value, list | tuple) else [value]
    return found


@cache  # a page asks at every rerun, and to find a function's lines its file is read by token
def _source(function: Callable[..., Any]) -> tuple[str, bool]:
    """A function's lines, and whether they name the package outside of their imports."""
    source = dedent(inspect.getsource(function)).rstrip()
    return source, "explorer." in _without_imports(source)


def _without_imports(source: str) -> str:
    tree = ast.parse(source)
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            lines[node.lineno - 1] = ""
    return "\n".join(lines)
