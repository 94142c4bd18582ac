"""Typed lists of words, what is drawn of a table, and what two random words have in common."""

import pytest
import torch

from explorer.analysis.vectors import Neighbour, Vectors
from explorer.views.look import blocklist
from explorer.views.vectors import word_table
from explorer.views.vectors.one_hot import columns
from explorer.views.vectors.word_table import group_words, groups, split_words

KNOWN = Vectors(["a", "the", "king", "queen", "rain", "42"], torch.eye(6) + 0.1)


def test_a_typed_list():
    assert split_words(" king, queen;rain\nking ") == ["king", "queen", "rain"]
    assert groups("food: bread, cheese\n\nrain snow Bread\n: x\nfood: tea\n  \nnone:") == {
        "food": ["bread", "cheese", "tea"],
        "group 2": ["rain", "snow"],
        "group 3": ["x"],
    }
    assert groups("") == {}


def test_a_word_stands_in_the_first_group_that_names_it():
    words, member, names, missing = group_words(KNOWN, "one: King rocket\ntwo: rain king", 500)
    assert (words, member, names, missing) == (["king", "rain"], [0, 1], ["one", "two"], ["rocket"])


def test_a_covered_word_is_dots_and_cannot_be_clicked():
    bad = next(iter(sorted(blocklist.listed())))
    row = Neighbour(bad, 0, 0.5, 1)
    on, typed, off = blocklist.over("bert"), blocklist.over("bert", bad), blocklist.over("folder:x")
    assert word_table.rows([row], on)[0]["covered"] and word_table.display(bad, on) == blocklist.DOTS
    for blocked in (typed, off):
        assert not word_table.rows([row], blocked)[0]["covered"] and word_table.display(bad, blocked) == bad


def test_two_random_words(monkeypatch):
    same = Vectors([f"w{i}" for i in range(50)], torch.ones(50, 3) * torch.arange(1, 51)[:, None])
    monkeypatch.setattr(word_table, "table", lambda model: same)
    assert word_table.random_cosine.__wrapped__("any") == pytest.approx(1, abs=1e-5)
    apart = Vectors([f"w{i}" for i in range(50)], torch.eye(50))
    monkeypatch.setattr(word_table, "table", lambda model: apart)
    assert word_table.random_cosine.__wrapped__("any") == 0, "a word and itself is no pair"


def test_columns_take_several_cells_a_row_where_there_are_many():
    wide = Vectors(["x", "y"], torch.randn(2, 130, generator=torch.Generator().manual_seed(0)))
    data = columns(wide, [1, 0])
    assert data["dense"]["per"] == 3 and data["words"] == ["y", "x"]
    assert [row["word"] for row in data["sparse"]["rows"]] == ["x", "y"], "in the vocabulary's order"
    assert sum(v * v for v in data["dense"]["columns"][0]) == pytest.approx(1, abs=1e-2)
