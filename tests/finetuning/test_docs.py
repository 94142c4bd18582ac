"""The Python of docs/finetuning.md runs as it is printed."""

import re

import pytest

from explorer.assets import ROOT

TEXT = (ROOT / "docs" / "finetuning.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"## ([^\n]+)\n.*?```python\n(.*?)```", TEXT, flags=re.S)


@pytest.mark.slow
@pytest.mark.parametrize(("title", "block"), BLOCKS, ids=[title for title, _ in BLOCKS])
def test_a_snippet_runs(title, block, capsys, shared_models):
    exec(compile(block, f"docs/finetuning.md, {title}", "exec"), {})
    assert capsys.readouterr().out.strip()
