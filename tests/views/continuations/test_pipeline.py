"""The rows and the line of one step, from logits to choice."""

from itertools import pairwise

import pytest

from explorer.analysis.generation.steps import Sampling
from explorer.views.continuations import pipeline
from tests.views.continuations.growing import rival, write


def test_there_are_as_many_rows_and_the_taken_and_the_drawn_are_among_them(run):
    run.sampling = Sampling(temperature=2.0, max_new_tokens=20, seed=3)
    for at, step in enumerate(write(run).generation.steps):
        stages = pipeline.pipeline_of(run, at)
        ids = pipeline.listed(stages, step.id)
        assert len(ids) == len(set(ids)) == pipeline.ROWS and {step.id, stages.id} <= set(ids)
        logits = [float(stages.logits[id]) for id in ids]
        assert logits == sorted(logits, reverse=True)


def test_the_draw_falls_on_the_token_that_was_taken(run):
    for at, step in enumerate(write(run).generation.steps):
        stages = pipeline.pipeline_of(run, at)
        parts = pipeline.ruler(stages, str)
        hit = next(part for part in parts if part["hit"])
        assert hit["id"] == step.id and hit["from"] <= stages.draw <= hit["to"]
        ends = [(part["from"], part["to"]) for part in parts]
        assert all(b <= c + 1e-9 for (_, b), (c, _) in pairwise(ends))


def test_rows_and_the_rest_share_all_chances(run):
    write(run)
    for sampling in (
        Sampling(),
        Sampling(top_k=3),
        Sampling(top_p=0.3, temperature=0.5),
        Sampling(temperature=0),
    ):
        run.sampling = sampling
        stages, chosen_id = pipeline.pipeline_of(run, 2), run.generation.steps[2].id
        ids = pipeline.listed(stages, chosen_id)
        rows = pipeline.rows(stages, ids, chosen_id, sampling.takes_the_best, {}, str, set())
        rest = pipeline.rest(stages, ids)
        assert sum(row["chance"] for row in rows) + rest["chance"] == pytest.approx(1, abs=1e-5)
        assert sum(row["after_temperature"] for row in rows) + rest["after_temperature"] == pytest.approx(
            1, abs=1e-5
        )
        assert all((row["chance"] == 0) == bool(row["cut"]) for row in rows)


def test_the_bars_of_logits_say_how_far_a_token_is_behind_the_best(run):
    write(run)
    for sampling, stretch in (
        (Sampling(), 1),
        (Sampling(temperature=2.0), 0.5),
        (Sampling(temperature=0.5), 2),
    ):
        run.sampling = sampling
        stages = pipeline.pipeline_of(run, 1)
        ids = pipeline.listed(stages, run.generation.steps[1].id)
        rows = pipeline.rows(stages, ids, ids[0], False, {}, str, set())
        assert rows[0]["logit"]["bar"] == rows[0]["scaled"]["bar"] == 1
        for row in rows:
            gap = (1 - row["logit"]["bar"]) * stretch
            assert row["scaled"]["bar"] == pytest.approx(max(1 - gap, 0), abs=1e-5) or not row["logit"]["bar"]


def test_it_says_who_chose_the_token(run):
    write(run)
    chosen_id, other = run.generation.steps[2].id, rival(run, 2)
    assert not pipeline.by_hand(run, 2)
    assert list(pipeline.forks(run, 2)) == [chosen_id]
    run.pick(2, other)
    assert pipeline.by_hand(run, 2) and not pipeline.by_hand(run, 1)
    assert set(pipeline.forks(run, 2)) == {chosen_id, other}
    says = pipeline.says(run, pipeline.pipeline_of(run, 2), 2, str)
    assert says.startswith("chosen by hand; ") and says.endswith(f"would land on “{chosen_id}”")
