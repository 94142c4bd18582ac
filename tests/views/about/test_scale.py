"""GPT's scale: the figures stand in one file with their sources, and our models come from their own files."""

import json
from functools import partial

import pytest

from explorer.errors import ExplorerError
from explorer.views.about import families, record
from explorer.views.frame.sizes import sizes
from tests.views import opening

opened = partial(opening.opened, "models", model="gpt", view="scale")


def spec(at) -> dict:
    return json.loads(at.get("plotly_chart")[0].proto.spec)


def test_every_published_model_is_a_mark_at_its_size_and_score():
    traces = {trace["name"]: trace for trace in spec(opened())["data"]}
    for family in families.published():
        trace = traces[family.name]
        marks = dict(zip(trace["x"], trace["y"], strict=True))
        for one in family.members:
            assert (marks[one.parameters] == one.lambada) if one.lambada else (marks[one.parameters] < 0)


def test_our_models_are_dots_without_a_score_at_the_size_of_their_weights():
    (ours,) = (trace for trace in spec(opened())["data"] if trace["name"] == "ours")
    names = [point[0] for point in ours["customdata"]]
    assert {"GPT", "BERT", "ELMo"} <= set(names)
    assert sizes(record.folder("gpt")).parameters in ours["x"]
    assert all(score < 0 for score in ours["y"])


def test_each_family_says_where_its_figures_are_written():
    text = opening.said(opened())
    for family in families.published():
        for source in (family.text_from, family.sizes_from, family.scores_from):
            assert source.split(",")[0].split(":")[0] in {*families.papers(), "none"}
            assert source in text
    for paper in families.papers().values():
        assert paper in text


def test_larger_models_of_a_family_score_higher():
    for family in families.published():
        scores = [one.lambada for one in family.members if one.lambada is not None]
        assert scores == sorted(scores)
        assert [one.parameters for one in family.members] == sorted(one.parameters for one in family.members)


def test_the_tokens_that_ours_read_are_those_of_the_record():
    (mine,) = (one for one in families.own() if one.name == "GPT")
    assert mine.tokens == record.read("gpt").last.tokens
    assert f"{record.count(mine.tokens)} tokens" in opening.said(opened())


def test_the_file_has_a_line_for_each_model():
    lines = families.scale_csv().splitlines()
    models = sum(len(family.members) for family in families.published()) + len(families.own())
    assert len(lines) == 1 + models


def test_a_damaged_file_is_said(tmp_path):
    path = tmp_path / "scale.json"
    path.write_text('{"families": [{"name": "GPT"}]}')
    with pytest.raises(ExplorerError, match="damaged"):
        families.published(path)
