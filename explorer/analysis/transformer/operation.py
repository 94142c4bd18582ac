"""An operation of a Transformer layer: its code, and all that a reader is told about it, in one place."""

import ast
import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from textwrap import dedent
from typing import Any

import torch
import torch.nn.functional as F

from explorer.analysis.transformer.causes import Rule
from explorer.analysis.transformer.tensors import label
from explorer.locale import translate

MODULES = {"torch": torch, "F": F, "math": math}  # what the printed lines of a step import
ITEM = re.compile(r"/ √d|\S+")  # a sign or a tensor in a line of a figure


@dataclass(frozen=True, eq=False)
class Operation:
    """An operation with its code, title, formula, caption, figure, and the causes of its results.

    The body of `function` is what a reader sees and what is run: its parameters are the tensors that the
    operation takes, by name, and what it returns are those that it gives. `formula` and `caption` name
    them in braces, and the step puts in the layer's symbols; a formula has `_{}` and `^{}` for subscripts
    and superscripts. `figure` holds lines of tensors with signs between them, for all words at once;
    `one_word` those for one word, where they differ. In both, `k^T` is k transposed, and `top` stands for
    the most active hidden units. `causes` has a rule for each result.
    """

    function: Callable[..., Any]
    title: str
    formula: str
    caption: str
    figure: tuple[str, ...]
    causes: Mapping[str, Rule]
    one_word: tuple[str, ...] = ()

    @property
    def parameters(self) -> list[str]:
        """The names of the tensors and sizes that the function takes."""
        return list(inspect.signature(self.function).parameters)

    @property
    def results(self) -> tuple[str, ...]:
        """The names of the tensors that the function returns."""
        return _body(self.function)[1]

    @property
    def lines(self) -> str:
        """The function's lines between its docstring and its return."""
        return _body(self.function)[0]


def operation(
    title: str,
    formula: str,
    caption: str,
    figure: tuple[str, ...],
    causes: Mapping[str, Rule],
    one_word: tuple[str, ...] = (),
) -> Callable[[Callable[..., Any]], Operation]:
    """Decorator that makes a function an Operation."""
    return lambda function: Operation(function, title, formula, caption, figure, causes, one_word)


@dataclass(frozen=True, eq=False)
class Step:
    """An operation as one layer has it: what its tensors are called there, and which of them are missing.

    `name` identifies the step, also in links. `renames` maps the operation's own names to the
    layer's. `absent` are the parameters that the layer does not have, such as a bias: terms and lines with
    them are left out (of a call, its beginning is given; of a factor its sign, too: "* gain"). `text` has
    what else the formula and the caption mention, such as the number of heads.
    """

    name: str
    operation: Operation
    renames: Mapping[str, str] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    text: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The operation's title, with the layer's numbers."""
        return self._filled(translate(self.operation.title))

    @property
    def takes(self) -> list[str]:
        """The names of what goes in."""
        code = self.code
        names = [self.renamed(name) for name in self.operation.parameters]
        return [name for name in names if re.search(rf"(?<![\w.]){name}(?!\w)", code)]

    @property
    def gives(self) -> list[str]:
        """The names of what comes out."""
        return [self.renamed(name) for name in self.operation.results]

    def renamed(self, name: str) -> str:
        """The layer's name for one of the operation's tensors."""
        return self.renames.get(name, name)

    @property
    def code(self) -> str:
        """The lines of PyTorch that compute the step, with the layer's names."""
        # In one pass, or a new name would be taken for an old one; "activation(wide)" before "wide".
        names = sorted(map(re.escape, self.renames), key=len, reverse=True)
        if not names:
            return self._lines
        pattern = rf"(?<![\w.])({'|'.join(names)})(?!\w)"
        return re.sub(pattern, lambda match: self.renames[match[1]], self._lines)

    @property
    def _lines(self) -> str:
        """The operation's lines without the parameters that the layer does not have."""
        text = self.operation.lines
        if not self.absent:
            return text
        names = "|".join(map(re.escape, sorted(self.absent)))
        for factor in (name for name in self.absent if name.startswith("* ")):
            text = text.replace(f" {factor}", "")
        text = re.sub(rf"(?: [+|]|,) (?:\w+=)?(?:{names})(?!\w)(?:\[\w+\])?", "", text)
        needing = re.compile(rf"(?<![\w.])(?:{names})(?!\w)")
        return "\n".join(line for line in text.splitlines() if not needing.search(line))

    @property
    def formula(self) -> str:
        """The operation's formula in the layer's symbols, without absent terms."""
        return self._filled(
            re.sub(
                r" [+·] \{(\w+)\}",
                lambda m: "" if {m[1], f"* {m[1]}"} & self.absent else m[0],
                translate(self.operation.formula),
            )
        )

    @property
    def caption(self) -> str:
        """A sentence about the step."""
        return self._filled(translate(self.operation.caption))

    def _filled(self, template: str) -> str:
        """A template with the layer's symbols and numbers put in."""
        names = {name for _, name, _, _ in Formatter().parse(template) if name}
        return template.format_map(
            {
                name: self.text[name] if name in self.text else label(self.renamed(name)).symbol
                for name in names
            }
        )

    @property
    def figure(self) -> list[list[str]]:
        """The lines of the figure for all words at once: tensors by the layer's names, and signs."""
        return self._figure_of(self.operation.figure)

    @property
    def figure_of_one_word(self) -> list[list[str]]:
        """The lines of the figure for a single word."""
        return self._figure_of(self.operation.one_word or self.operation.figure)

    def _figure_of(self, lines: tuple[str, ...]) -> list[list[str]]:
        return [[self._renamed_item(item) for item in ITEM.findall(line)] for line in lines]

    def _renamed_item(self, item: str) -> str:
        name, transposed = item.removesuffix("^T"), item.endswith("^T")
        return self.renamed(name) + "^T" * transposed

    def run(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Run the printed lines on `values`, the tensors by name; returns what comes out, by name."""
        names = MODULES | {name: values[name] for name in self.takes}
        exec(self.code, names)
        return {name: names[name] for name in self.gives}


@cache
def _body(function: Callable[..., Any]) -> tuple[str, tuple[str, ...]]:
    """A function's lines between its docstring and its return, and the names that it returns."""
    source = dedent(inspect.getsource(function))
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.FunctionDef)
    _, *body, last = definition.body
    assert isinstance(last, ast.Return) and last.value is not None
    lines = source.splitlines()[body[0].lineno - 1 : last.lineno - 1]
    returned = last.value.elts if isinstance(last.value, ast.Tuple) else [last.value]
    return dedent("\n".join(lines)), tuple(ast.unparse(name) for name in returned)
