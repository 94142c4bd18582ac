"""Measured: each stored figure is drawn as it is, with its draws, its source and its test examples."""

import csv
import io
import json
from functools import partial
from statistics import mean, stdev

import pytest

from explorer.analysis import ablations
from explorer.errors import ExplorerError
from explorer.finetuning import library
from explorer.views.about import families, record
from explorer.views.about.measured import COMPARISONS, MEASURES, RUNS, SETS, TASKS, scores_csv
from explorer.views.frame.sizes import sizes
from tests.views import opening

opened = partial(opening.opened, "models", view="measured")


def spec(at) -> dict:
    return json.loads(at.get("plotly_chart")[0].proto.spec)


@pytest.mark.parametrize("name", list(COMPARISONS))
def test_the_code_gives_the_stored_scores_and_the_file_has_them(name):
    comparison, at = COMPARISONS[name], opened(measured=name)
    stored = comparison.read()
    assert opening.printed_result(at) == stored
    rows = list(csv.reader(io.StringIO(scores_csv(comparison, stored).removeprefix("\ufeff"))))
    assert rows[0] == [comparison.compared, comparison.where, "draw", "score"]
    values = [score for places in stored.values() for draws in places.values() for score in draws]
    assert [float(row[3]) for row in rows[1:]] == pytest.approx(values)
    assert all(0 <= value <= 1 for value in values)


def test_an_unknown_choice_in_a_link_opens_the_first():
    assert opened(measured="nonsense").session_state["models.measured"] == "scale"


def test_every_published_model_is_a_mark_at_its_size_and_score():
    traces = {trace["name"]: trace for trace in spec(opened())["data"]}
    for family in families.published():
        trace = traces[family.name]
        marks = dict(zip(trace["x"], trace["y"], strict=True))
        for one in family.members:
            y = marks[one.parameters]
            assert y == pytest.approx(one.lambada / 100) if one.lambada else y < 0


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


def test_the_tokens_that_ours_read_are_those_of_the_record():
    (mine,) = (one for one in families.own() if one.name == "GPT")
    assert mine.tokens == record.read("gpt").last.tokens
    assert f"{record.count(mine.tokens)} tokens" in opening.said(opened())


def test_the_file_of_sizes_has_a_line_for_each_model():
    lines = families.scale_csv().splitlines()
    models = sum(len(family.members) for family in families.published()) + len(families.own())
    assert len(lines) == 1 + models


def test_a_damaged_file_of_sizes_is_said(tmp_path):
    path = tmp_path / "scale.json"
    path.write_text('{"families": [{"name": "GPT"}]}')
    with pytest.raises(ExplorerError, match="damaged"):
        families.published(path)


def test_each_run_has_its_draws_and_their_mean_on_each_task():
    rows, chart = ablations.stored().rows, spec(opened(measured="parts"))
    assert {*rows} == {*RUNS} and all({*row.heads} == {*ablations.HEADS} for row in rows.values())
    scores = [rows[run].heads[task] for task in TASKS for run in RUNS]
    dots, means = chart["data"][0::2], chart["data"][1::2]
    assert [trace["x"] for trace in dots] == scores
    for trace, some in zip(means, scores, strict=True):
        assert trace["x"] == [pytest.approx(mean(some))]
        assert trace["error_x"]["array"] == [pytest.approx(stdev(some))]
    lines = [shape["x0"] for shape in chart["layout"]["shapes"]]
    assert lines == [pytest.approx(mean(rows[ablations.WHOLE].heads[task])) for task in TASKS]


def test_a_run_says_what_it_was_asked_and_no_more():
    rows = ablations.stored().rows
    measures = {kind: {*row.pretraining} for kind, row in rows.items()}
    assert measures[ablations.WHOLE] == measures[ablations.ALWAYS_MASK] == {"masked_top1", "next_sentence"}
    assert measures[ablations.WITHOUT_NEXT] == {"masked_top1"} and measures[ablations.RANDOM] == set()
    assert measures[ablations.LEFT_TO_RIGHT] == {"next_word_top1"}
    text = opening.said(opened(measured="parts"))
    for row in rows.values():
        for share in row.pretraining.values():
            assert f"<td>{share:.1%}</td>" in text
    assert "not asked" in text


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"tokens": 1, "learnt": 1, "test": 1, "rows": {"as it is": 3}}']
)
def test_a_damaged_file_of_parts_is_named(tmp_path, monkeypatch, content):
    (tmp_path / "ablations.json").write_text(content)
    monkeypatch.setattr(ablations, "FILE", tmp_path / "ablations.json")
    with pytest.raises(ExplorerError, match=r"ablations\.json is missing or damaged"):
        ablations.stored()


def test_every_test_set_is_a_row_with_a_mark_for_each_way_and_its_size():
    at = opened(measured="scores")
    assert {place.partition(",")[0] for place in MEASURES} == {*library.heads()}
    for y, place in enumerate(MEASURES):
        name, _, measure = place.partition(", ")
        stored = library.measured(name)
        marks = {trace["name"]: trace["x"] for trace in spec(at)["data"] if trace["y"] == [y]}
        assert len(marks) == 4 and marks["fine-tuned"] == [stored["scores"]["tuned"][measure]]
        assert f"<td>{stored['test']:,}</td>" in opening.said(at)


def test_a_learning_curve_is_the_mean_of_its_draws_in_a_band_from_worst_to_best():
    assert {*SETS} == {*library.curves()}
    at, cells = opened(measured="sst2"), library.curve("sst2")["cells"]
    traces = spec(at)["data"]
    bands, curves = traces[0::2], traces[1::2]
    for band, curve, by_size in zip(bands, curves, cells.values(), strict=True):
        assert curve["y"] == [pytest.approx(mean(draws)) for draws in by_size.values()]
        assert band["y"] == [*map(max, by_size.values()), *reversed([*map(min, by_size.values())])]
    assert "measured on 300 test examples" in opening.told(at)
