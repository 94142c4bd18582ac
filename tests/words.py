"""Names and phrases that this project does not use, each with its reason.

    python -m tests.words explorer/model_server          every name and phrase that is out, by file and line

A name says what it holds: `matches`, not `found`; `request`, not `asked`. The field's own terms stand for the
field's things: `softmax`, not a word of ours. Locals are listed as well as functions, classes and parameters.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.command import parser

ROOT = Path(__file__).parents[1]
BARE = "a bare participle: name the thing that it holds, or the verb with its object"
PARTICIPLES = frozenset(
    "asked built counted done drawn fitted found framed given gone had heard held kept known laid looked_at "
    "made meant named offered parted said seen sent shown spelt stated taken told tried typed wanted "
    "worked".split()
)
# A word as a part of any name -> why it is out, with the term to use.
JARGON = {
    "anew": "again",
    "bench": "the fine-tuning page's state",
    "bend": "activation",
    "fate": "outcome",
    "gram": "ngram",
    "hand_on": "output_projection",
    "kin": "similar models, a family, or word forms",
    "lesson": "a training job or its log",
    "narrow": "ffn_down, down_projection",
    "soften": "softmax",
    "speaker": "the classifier that answers",
    "thrifty": "memory_efficient",
    "whither": "target",
    "widen": "ffn_up, up_projection",
}
CLASSES = {
    "Bench": "the fine-tuning page's state",
    "Case": "TaskSpec: a description of a task",
    "Course": "Curriculum",
    "Gram": "NGram",
    "Moment": "a training step or snapshot",
    "Part": "say of what",
    "Worked": "say what was computed",
    "Written": "Generation",
}
PHRASES = {
    r"\b(?:which|that|who|what) (?:is|are) none\b": "there is no such …",
    r"\bfor what is none\b": "if it is not …",
    r"\banew\b": "again, new",
    r"(?<!set )(?<!put )\baside\b": "held out; ignoring …; except …",
    r"\bof which\b": "whose, of these",
    r"\bso (?:many|much) \w+ on\b": "at a fixed offset",
    r"\bgone on (?:from|with)\b": "continued, resumed",
    r"\bfor who\b": "for those who",
    r"\bis had\b|\bare had\b|\bto be had\b": "is available",
    r"\bthe like of\b": "similar",
}


class Finding(NamedTuple):
    """A name or a phrase that is out: where, what, and why."""

    path: Path
    line: int
    text: str
    reason: str
    public: bool  # a function, a class or a parameter, rather than a local or a phrase

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.text} ({self.reason})"


def names(tree: ast.Module) -> Iterator[tuple[str, int, bool]]:
    """Every name that a file defines, its line, and whether it is a function, a class or a parameter."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node.lineno, True
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno, True
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno, False
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno, False


def reason_against(name: str) -> str:
    """Why a name is out; empty for one that may be used.

    >>> reason_against("_found")
    'a bare participle: name the thing that it holds, or the verb with its object'
    >>> reason_against("soften_scores")
    'softmax'
    >>> reason_against("found_heads")
    ''
    """
    bare = name.strip("_")
    if bare in PARTICIPLES:
        return BARE
    if bare in CLASSES:
        return CLASSES[bare]
    snake = "_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", bare).lower() + "_"
    return next((reason for word, reason in JARGON.items() if f"_{word}_" in snake), "")


def prose(source: str, tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Comments and docstrings of a file, with the line at which each begins."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string, token.start[0]
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, documented) and (text := ast.get_docstring(node, clean=False)):
            yield text, node.body[0].lineno


def findings(path: Path) -> Iterator[Finding]:
    """What is out in one Python file."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    for name, line, public in names(tree):
        if reason := reason_against(name):
            yield Finding(path, line, name, reason, public)
    for text, start in prose(source, tree):
        for pattern, reason in PHRASES.items():
            for match in re.finditer(pattern, text, re.I):
                line = start + text.count("\n", 0, match.start())
                yield Finding(path, line, match.group(), f"write: {reason}", False)


def python_files(where: Path) -> list[Path]:
    """The Python files of a folder, or the file itself."""
    return [where] if where.is_file() else sorted(where.rglob("*.py"))


if __name__ == "__main__":
    total, p = 0, parser("tests.words", __doc__)
    p.add_argument("places", nargs="*", default=["explorer"], metavar="PLACE", help="a file or a folder")
    for argument in p.parse_args().places:
        for file in python_files(ROOT / argument):
            for finding in findings(file):
                print(finding)
                total += 1
    print(total, "in all")
