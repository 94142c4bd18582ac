"""Results as tables: the lines of docs/notebook.md run, and say what the results hold."""

import re

import pandas
import pytest
import torch

import explorer
from explorer.analysis.heads.loss import HeadLoss
from explorer.analysis.vectors.words import Neighbour, Neighbours
from explorer.assets import ROOT
from explorer.errors import ExplorerError

TEXT = (ROOT / "docs" / "notebook.md").read_text(encoding="utf-8")
START, LINES = re.findall(
    r"## Results in pandas\n.*?```python\n(.*?)\n\n((?:explorer|pandas)\..*?)```", TEXT, re.S
)[0]


def test_the_documented_lines_give_tables():
    exec(compile(START, "docs/notebook.md", "exec"), names := {})
    for line in LINES.splitlines():
        table = eval(line.partition("  #")[0], names)
        assert isinstance(table, pandas.DataFrame) and len(table) > 3, line


def test_a_tensor_has_a_row_for_each_number(tiny_bert):
    trace = tiny_bert.trace("the bank by the river")
    table = explorer.to_frame(trace, "attention.pattern")
    assert len(table) == trace.attention.pattern.numel()
    row = table[(table["layer"] == 1) & (table["head"] == 2) & (table.query_pos == 3) & (table.key_pos == 5)]
    assert row["pattern"].item() == float(trace.attention.pattern[1, 2, 3, 5])
    assert [row["query_pos_text"].item(), row["key_pos_text"].item()] == [trace.tokens[3], trace.tokens[5]]


def test_what_shares_a_table():
    table = explorer.to_frame(HeadLoss("zero", 3.0, torch.ones(2, 3), torch.zeros(2, 3), 5))
    assert table.columns.tolist() == ["layer", "head", "change", "error"] and len(table) == 6
    table = explorer.to_frame(Neighbours([Neighbour("lake", 4, 0.25, 2, False)]))
    assert table["word"].tolist() == ["lake"] and table["cosine"].tolist() == [0.25]


@pytest.mark.parametrize("field", ["", "attention", "attention.spam", "spam.pattern"])
def test_what_is_no_table_names_the_tensors(tiny_bert, field):
    with pytest.raises(ExplorerError, match="no single table"):
        explorer.to_frame(tiny_bert.trace("the bank"), field)


def test_the_tensors_of_its_parts_are_named_too(tiny_bert):
    with pytest.raises(ExplorerError, match=r"hidden_states.*attention\.pattern"):
        explorer.to_frame(tiny_bert.trace("It rains."))
