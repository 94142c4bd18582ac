"""Other ways: the stored figures and their pictures; what is drawn of the mix and of own curves."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

import explorer
from explorer.finetuning import library
from explorer.finetuning.training_specs import LayerMixSpec
from explorer.finetuning.ulmfit import layer_rates
from explorer.views.finetuning import layer_mix, other_ways, trainings, ulmfit, which_layers
from explorer.views.finetuning.settings import TEXTS
from explorer.views.finetuning.train_row import progress_note
from explorer.views.finetuning.trainings import Training, threads
from tests.views.opening import opened, printed_result, sent, told

THREADS = threads()
FILMS, SLOTS = (library.examples(name) for name in ("films", "slots"))
RECORDS = [{"step": step, "of": 2} for step in range(3)]


def over(records, **changes) -> Training:
    """A training that has ended, with all its records drawn."""
    job = {"records": records, "state": "done", "over": True, "place": 0, "error": None} | changes
    return Training(SimpleNamespace(**job), len(records))


def waiting(**job) -> Training:
    """A training without a record."""
    return over([], over=False, **job)


def with_trainings(view: str, past: dict, **link):
    """A view of a visitor who has trained before."""
    at = opened("finetuning", view=view, **link)
    at.session_state[trainings.TRAININGS] = past
    at.run()
    assert not at.exception
    return at


def test_a_kind_of_task_that_is_not_learnt_says_so():
    at = opened("finetuning", view="other", gpt_kind="similarity")
    values = library.compared("ways")["kinds"]["similarity"]
    assert f"{sum(values) / len(values):.0%} of the held-out ones" in told(at)
    (drawn,) = sent(at, "sequences")
    texts = [[part["text"] for part in row] for row in drawn["rows"]]
    assert texts == [[text for text, _ in row] for row in printed_result(at)]
    assert texts[0][1] == texts[1][3] and texts[0][3] == texts[1][1], "both orders"


def test_ulmfits_picture_has_the_rate_of_every_layer_and_step():
    at = opened("finetuning", view="other", way="ulmfit")
    language, classifier = layer_rates(ulmfit.LAYERS, ulmfit.EPOCH)
    rates = torch.cat([language, classifier], 1)
    triangle, rows = json.loads(at.get("plotly_chart")[0].proto.spec)["data"]
    assert triangle["y"][: language.shape[1]] == pytest.approx(language[-1].tolist())
    assert rows["text"] == [[f"{rate:.1%}" for rate in row] for row in rates.tolist()]
    waits = [[number is None for number in row] for row in rows["z"]]
    assert torch.equal(torch.tensor(waits), rates == 0)
    assert [list(one) for one in printed_result(at)] == [
        [float(row.amax()), int((row > 0).sum())] for row in classifier
    ]


def test_the_picture_is_of_our_gpt_and_of_the_trainings_in_the_table():
    assert explorer.load("gpt").config.layers == ulmfit.LAYERS
    assert math.ceil(library.compared("ways")["train"] / 8) == ulmfit.EPOCH


def test_the_weights_of_elmos_layers_are_drawn_with_each_layer_alone():
    learnt = {"stage": "training", "step": 9, "of": 60, "loss": 0.2, "weights": [0.2, 0.3, 0.5], "gamma": 1.0}
    records = [learnt | {"score": 0.4}, {"stage": "compared", "step": 3, "of": 4, "layer": 1, "score": 0.6}]
    past = {LayerMixSpec("elmo", SLOTS, 0, THREADS): over(records)}
    at = with_trainings("layers", past)
    (tower,) = sent(at, "tower")
    assert [(row["name"], row["number"]) for row in tower["rows"]] == [
        ("layer 2", "0.50"), ("layer 1", "0.30"), ("letters", "0.20"),
    ]  # fmt: skip
    assert tower["rows"][1]["note"] == "alone: F1 60%" and not tower["rows"][0]["note"]
    (before,) = sent(opened("finetuning", view="layers"), "tower")
    assert {row["number"] for row in before["rows"]} == {"0.33"}


def test_the_code_of_the_mix_gives_its_weights(tiny_bert):
    for weights in (
        layer_mix.layer_weights(tiny_bert, "classes", "films", "", 0),
        layer_mix.layer_weights(tiny_bert, "tags", "", TEXTS["words_own"], 0),
    ):
        assert sum(weights) == pytest.approx(1, abs=1e-5)


@pytest.mark.long
@pytest.mark.slow
def test_the_code_of_the_mix_runs_as_it_is_printed():
    over_now = over([{"stage": "reading", "step": 1, "of": 1}])
    weights = printed_result(with_trainings("layers", {LayerMixSpec("elmo", SLOTS, 0, THREADS): over_now}))
    assert len(weights) == 3 and sum(weights) == pytest.approx(1, abs=1e-5)


def test_the_choices_of_layers_are_the_stored_ones_beside_the_papers():
    at = opened("finetuning", view="layers")
    result = printed_result(at)
    (table,) = sent(at, "layer_choices")
    assert min(result, key=lambda one: result[one][0]) == "embeddings", "as the line under it says"
    assert {one: here for one, (here, _) in result.items()} == library.compared("choices")["scores"]
    for row, (here, paper) in zip(table["rows"], result.values(), strict=True):
        ours, theirs = row["bars"]
        assert ours["share"] == here and (theirs or {}).get("share") == paper
    for column in (0, 1):
        assert sum(row["bars"][column]["best"] for row in table["rows"] if row["bars"][column]) == 1
    assert which_layers.DEPTH == 7


@pytest.mark.parametrize(
    ("training", "says"),
    [
        (None, "ten of them"),
        (over(RECORDS), "Done, 2 of 2 steps"),
        (waiting(place=2, state="waiting"), "you are second in line"),
        (waiting(place=0, state="running"), "Getting ready"),
        (replace(over(RECORDS, state="running"), taken_over=2), "step 1 of 2"),
        (over(RECORDS, state="stopped"), "Stopped at step 2"),
    ],
)
def test_how_far_it_is_in_words(training, says):
    assert says in progress_note(training, "ten of them")


@pytest.mark.parametrize(
    ("plain", "says"),
    [([0.5, 0.6], "No gain over plain"), ([0.2, 0.25], "is 35% better"), ([0.9, 0.95], "is 35% worse")],
)
def test_what_a_way_gains_is_said_as_it_is(plain, says):
    scores = {"lambda 0.5": [0.5, 0.65], "ulmfit": [0.5, 0.65], "plain": plain}
    losses = {"lambda 0": [5.6], "lambda 0.5": [4.4]}
    assert says in other_ways.in_words({"scores": scores, "language": losses})


def test_the_table_of_ways_has_the_stored_figures():
    page, figures = told(opened("finetuning", view="other")), library.compared("ways")
    for values in figures["scores"].values():
        assert f"{sum(values) / len(values):.0%}" in page


@pytest.mark.parametrize(
    ("mix", "says"), [(0.5, "No difference"), (0.6, "the mix is better"), (0.4, "one layer alone is better")]
)
def test_the_mix_is_compared_with_the_best_layer(monkeypatch, mix, says):
    scores = {None: mix, 0: 0.2, 1: 0.5, 2: 0.4}
    records = [{"stage": "compared", "layer": layer, "score": score} for layer, score in scores.items()]
    past = {LayerMixSpec("elmo", SLOTS, 0, THREADS): over([r | {"step": 4, "of": 4} for r in records])}
    page = told(with_trainings("layers", past))
    assert says in page and "layer 1, <b>50%</b>" in page
