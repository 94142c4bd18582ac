"""The Python of docs/attributions.md runs as it is printed."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs" / "attributions.md"


def test_its_python_runs(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), flags=re.S)
    exec(compile(block, DOCS.name, "exec"), {})
    assert "completeness error" in capsys.readouterr().out
