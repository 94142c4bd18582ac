"""What each part is for: every run's scores as measured, a mean and its spread, beside the whole training."""

import json
from functools import partial

import pytest

from explorer.analysis import ablations
from explorer.errors import ExplorerError
from explorer.views.about import parts, parts_chart
from tests.views import opening

opened = partial(opening.opened, "models", model="bert-mini", view="parts")


@pytest.fixture(scope="module")
def page():
    return opened()


@pytest.fixture(scope="module")
def chart(page) -> dict:
    return json.loads(page.get("plotly_chart")[0].proto.spec)


def test_each_run_has_its_draws_and_their_mean_on_each_task(chart):
    rows = ablations.stored().rows
    assert {*rows} == {*parts_chart.NAMES} and all(
        {*row.heads} == {*ablations.HEADS} for row in rows.values()
    )
    scores = [row.heads[task] for task in parts_chart.TASKS for row in (rows[k] for k in parts_chart.NAMES)]
    dots, means = chart["data"][0::2], chart["data"][1::2]
    assert [trace["x"] for trace in dots] == scores
    for trace, some in zip(means, scores, strict=True):
        assert trace["x"] == [pytest.approx(sum(some) / len(some))]
        middle = sum(some) / len(some)
        deviation = (sum((one - middle) ** 2 for one in some) / (len(some) - 1)) ** 0.5
        assert trace["error_x"]["array"] == [pytest.approx(deviation)]


def test_a_dotted_line_marks_the_whole_training_in_each_task(chart):
    whole = ablations.stored().rows[ablations.WHOLE]
    lines = [shape["x0"] for shape in chart["layout"]["shapes"]]
    assert lines == [pytest.approx(ablations.spread(whole.heads[task])[0]) for task in parts_chart.TASKS]


def test_a_run_says_what_it_was_asked_and_no_more(page):
    rows = ablations.stored().rows
    measures = {kind: {*row.pretraining} for kind, row in rows.items()}
    assert measures[ablations.WHOLE] == measures[ablations.ALWAYS_MASK] == {"masked_top1", "next_sentence"}
    assert measures[ablations.WITHOUT_NEXT] == {"masked_top1"} and measures[ablations.RANDOM] == set()
    assert measures[ablations.LEFT_TO_RIGHT] == {"next_word_top1"}
    text = opening.said(page)
    for row in rows.values():
        for share in row.pretraining.values():
            assert f"{share:.1%}" in text
    assert "not asked" in text


def test_the_file_has_a_line_for_each_score():
    results = ablations.stored()
    lines = parts.scores_csv(results).splitlines()
    count = sum(len(row.pretraining) + sum(map(len, row.heads.values())) for row in results.rows.values())
    assert len(lines) == 1 + count
    assert lines[0] == "trained,measure,draw,score"


def test_only_the_model_whose_parts_were_left_out_has_it():
    assert parts.VIEW.label not in opening.said(opening.opened("models", model="bert"))


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"tokens": 1, "learnt": 1, "test": 1, "rows": {"as it is": 3}}']
)
def test_a_damaged_file_is_named(tmp_path, monkeypatch, content):
    (tmp_path / "ablations.json").write_text(content)
    monkeypatch.setattr(ablations, "FILE", tmp_path / "ablations.json")
    with pytest.raises(ExplorerError, match=r"ablations\.json is missing or damaged"):
        ablations.stored()
