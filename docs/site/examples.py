"""Docstrings as Markdown: their examples and their tables of names become blocks of code."""

import re

import griffe

ROW = re.compile(r"^\S+(?: \S+)* {2,}\S|^\s")  # a row of a table, or what goes on with one


class Examples(griffe.Extension):
    """Called for every object whose source is read."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Fence what a docstring sets in columns."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """A docstring in which each doctest and each table is a block of code.

    >>> print(fenced("One.\\n\\n>>> 1\\n1"))
    One.
    <BLANKLINE>
    ```pycon
    >>> 1
    1
    ```
    """
    return "\n\n".join(_fenced(paragraph) for paragraph in re.split(r"\n\s*\n", text))


def _fenced(paragraph: str) -> str:
    lines = paragraph.splitlines()
    if lines[0].startswith(">>> "):
        return f"```pycon\n{paragraph}\n```"
    rows = [bool(ROW.match(line)) for line in lines]
    if len(rows) > 1 and rows[0] and 2 * sum(rows) >= len(rows) and not lines[0].startswith(" "):
        return f"```text\n{paragraph}\n```"
    return paragraph
