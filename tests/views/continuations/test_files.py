"""What the page saves."""

import json

import pytest

from explorer.analysis.generation.steps import Sampling
from explorer.analysis.prediction import surprisal
from explorer.views.continuations import files, page
from explorer.views.continuations.session import begin
from tests.views.opening import defaults, rows

DEFAULTS = defaults(page.PAGE)


@pytest.fixture
def run(tiny_gpt):
    run = begin((), tiny_gpt, "the bank", Sampling(max_new_tokens=5))
    while run.going:
        run.grow()
    return run


def test_the_tokens_and_the_step_in_view(run):
    content = rows(files.steps_csv(run))
    assert [row["token"] for row in content] == [step.token for step in run.generation.steps]
    run.shown_step, run.sampling = 2, Sampling(top_k=3)
    step = rows(files.pipeline_csv(run))
    assert len(step) == run.generation.model.tokenizer.size
    assert sum(float(row["chance"]) for row in step) == pytest.approx(1, abs=1e-4)
    assert [row["in top-k"] for row in step[:4]] == ["1", "1", "1", "0"]


def test_the_tree(run):
    other = next(c.id for c in run.generation.steps[1].candidates if c.id != run.generation.steps[1].id)
    run.pick(1, other)
    run.name(1, "an other")
    content = json.loads(files.tree_json(run))
    assert content["prompt"] == "the bank" and [branch["after"] for branch in content["branches"]] == [0, 1]
    assert content["branches"][1]["name"] == "an other" and content["branches"][1]["tokens"][0]["id"] == other
    assert len(content["branches"][0]["tokens"]) == 5


def test_the_words_of_a_text(tiny_gpt):
    reading = surprisal.read(tiny_gpt, "we saw the bank")
    content = rows(files.words_csv(reading, ["a", "b"], [[1.5, None, 2.0, 3.0]]))
    assert [row["word"] for row in content] == ["we", "saw", "the", "bank"]
    assert [row["bits, b"] for row in content] == ["1.5", "", "2", "3"]
    tokens = rows(files.tokens_csv(reading))
    assert sum(float(row["bits"]) for row in tokens) == pytest.approx(float(reading.bits.sum()), rel=1e-5)
