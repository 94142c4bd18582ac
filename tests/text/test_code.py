"""No code decides about the letters of a text by what knows no marks: isalpha, isalnum, `\\w` and `\\b`."""

import ast
import re
from pathlib import Path

import pytest

from tests.sources import parse

ROOT = Path(__file__).parents[2]
METHODS = {"isalpha", "isalnum"}
CLASSES = re.compile(r"\\[wWbB]")
# What is no person's language, or is kept as it was when something was measured with it.
ALLOWED = {
    "explorer/analysis/transformer/operation.py": "names in a program",
    "explorer/analysis/sentences/answering.py": "short answers of our own English text",
    "explorer/checkpoints/gguf/file.py": "names of parameters",
    "explorer/finetuning/scores.py": "the articles of English, as SQuAD's script takes them away",
    "explorer/model_server/client.py": "an address",
    "explorer/model_server/served.py": "a part of an address",
    "explorer/tokenizers/characters.py": "a pattern of the tokenizers library, whose \\w has marks in it",
    "explorer/views/frame/glossary.py": "our own English pages",
    "explorer/views/frame/lecture/lecture.py": "an address",
    "explorer/views/transformer/formulas.py": "TeX, whose \\begin looks like one of them",
    "explorer/views/widgets/registry.py": "JavaScript",
}


def decisions(tree: ast.Module) -> list[str]:
    """The methods and classes of characters in a Python file, those in docstrings left out."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    result = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            result.append(node.attr)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            result += CLASSES.findall(node.value)
    return result


def is_allowed(path: Path) -> bool:
    name = path.relative_to(ROOT).as_posix()
    return any(name == allowed or name.startswith(f"{allowed}/") for allowed in ALLOWED)


def test_python_asks_the_shared_functions():
    others = (path for path in sorted((ROOT / "explorer").rglob("*.py")) if not is_allowed(path))
    result = {str(path): decisions(parse(path)) for path in others}
    assert {path: some for path, some in result.items() if some} == {}


def test_javascript_names_the_properties_of_unicode():
    scripts = sorted((ROOT / "explorer").rglob("*.js"))
    assert scripts
    assert [path.name for path in scripts if CLASSES.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('"""A \\\\w here."""\nx = 1  # \\w', []),
        ("any(map(str.isalnum, text))", ["isalnum"]),
        ('re.compile(rf"[^{MARKS}\\W]")', ["\\W"]),
    ],
)
def test_what_counts_as_a_decision(program, expected):
    assert decisions(ast.parse(program)) == expected
