"""The README keeps its word: its Python runs, its pictures and files exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_python_runs():
    (block,) = re.findall(r"```python\n(.*?)```", README, flags=re.S)
    names: dict = {}
    exec(compile(block, "README.md", "exec"), names)
    assert names["trace"].tokens[:2] == ["[CLS]", "she"]


def test_its_pictures_are_there_and_three_come_before_the_command():
    pictures = re.findall(r"!\[.+?\]\((assets.+?)\)", README)
    assert len(re.findall(r"!\[", README.partition("```")[0])) == 3
    assert all((ROOT / path).exists() for path in pictures)


def test_a_page_is_told_in_fifteen_words():
    (table,) = re.findall(r"## What there is\n\n(.*?)\n\n", README, flags=re.S)
    assert all(len(cell.split()) <= 15 for line in table.splitlines() for cell in line.split("|"))


def test_each_command_stands_in_one_line():
    lines = README.splitlines()
    for end in (".venv/bin/streamlit run app.py", ".venv/bin/python -m pytest -n 2 --dist loadgroup"):
        assert sum(line.startswith("python3 -m venv .venv && ") and line.endswith(end) for line in lines) == 1


def test_every_page_is_listed():
    from explorer.views.frame.navigation import pages

    for page in pages():
        assert page.name == "home" or f"**{page.title}**" in README
