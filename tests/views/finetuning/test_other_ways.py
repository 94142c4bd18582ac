"""Other ways, trained on the page: what is drawn of their records, beside earlier ones, and their code."""

import csv
import io
from dataclasses import replace
from types import SimpleNamespace

import pytest

from explorer.finetuning import library
from explorer.finetuning.training_specs import GptSpec, LayerMixSpec, UlmfitSpec
from explorer.views.finetuning import (
    gpt_losses,
    layer_mix,
    other_ways,
    presets,
    trainings,
    ulmfit,
    which_layers,
)
from explorer.views.finetuning.train_row import progress_note
from explorer.views.finetuning.trainings import Training, threads
from tests.views.opening import opened, printed_result, sent, told

THREADS = threads()
FILMS, SLOTS, SPAM = (library.examples(name) for name in ("films", "slots", "spam"))
LOSSES = [
    {"step": 0, "of": 2, "task": 0.7, "language": 4.6, "right": 0.5},
    {"step": 1, "of": 2},
    {"step": 2, "of": 2, "task": 0.6, "language": 4.9, "right": 0.6},
]


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


def gpt(lambda_: float) -> GptSpec:
    return GptSpec("gpt", SPAM, 0, THREADS, lambda_=lambda_)


def test_both_losses_stand_beside_those_of_another_lambda():
    other = [record | {"language": 5.2} if "task" in record else record for record in LOSSES]
    past = {gpt(0.0): over(other), gpt(0.5): over(LOSSES)}
    at = with_trainings("other", past, gpt_kind="classification", gpt_lambda=0.5)
    (row,) = sent(at, "train_row")
    task, language, right = row["curves"]
    assert task["points"] == [[0, 0.7], [2, 0.6]] and right["percent"]
    assert language["name"] == "λ 0.5" and language["least"] == 4.5 and language["most"] == 5.5
    assert language["others"] == [{"name": "λ 0", "points": [[0, 5.2], [2, 5.2]]}]
    assert row["button"] == "Train again" and row["note"] == "Done, 2 of 2 steps"
    assert "both_losses(" in at.code[0].value and "lambda_=0.5" in at.code[0].value


def test_a_kind_of_task_that_is_not_learnt_says_so_and_offers_no_training():
    at = opened("finetuning", view="other", gpt_kind="similarity")
    values = library.compared("ways")["kinds"]["similarity"]
    assert not sent(at, "train_row") and f"{sum(values) / len(values):.0%} of the held-out ones" in told(at)


@pytest.mark.long
@pytest.mark.slow
def test_the_code_of_both_losses_gives_the_records_of_the_page(tiny_gpt):
    records = gpt_losses.both_losses(tiny_gpt, "pairs", "entailment", 0.5, 0)
    spec = GptSpec("tiny", library.examples("pairs"), kind="entailment")
    assert records == [record for record in spec.records(tiny_gpt) if "task" in record]


def test_layers_that_learn_are_lit():
    record = {"step": 1, "of": 2, "stage": "classifier", "loss": 0.7, "rate": 3e-4, "learning": [4, 5]}
    past = {UlmfitSpec("gpt", SPAM, 0, THREADS): over([record])}
    (tower,) = sent(with_trainings("other", past, way="ulmfit"), "tower")
    assert [row["name"] for row in tower["rows"] if row["lit"]] == ["Layer 6", "Layer 5"]
    assert [row["number"] for row in tower["rows"][:3]] == ["100.0%", "38.5%", "waits"]
    assert [head["lit"] for head in tower["heads"]] == [False, True]


def test_what_is_planned_is_drawn_before_the_first_step():
    (row,) = sent(opened("finetuning", view="other", way="ulmfit"), "train_row")
    (plan,) = row["curves"][0]["others"]
    values = [value for _, value in plan["points"]]
    assert len(values) == row["curves"][0]["of"] and max(values) == 1 and values[0] < 0.1
    (plain,) = sent(
        opened("finetuning", view="other", way="ulmfit", ulmfit_slanted=False, ulmfit_language=False),
        "train_row",
    )
    values = [value for _, value in plain["curves"][0]["others"][0]["points"]]
    assert values == sorted(values, reverse=True) and len(values) < len(plan["points"])


def test_the_four_are_named_together():
    labels = [
        ulmfit.tricks_label(UlmfitSpec("gpt", FILMS, 0, 1, *on))
        for on in ([True] * 4, [False] * 4, [True, False] * 2)
    ]
    assert labels == ["all four", "plain", "2 of four"]


@pytest.mark.slow
def test_ulmfits_code_gives_what_is_right_after_each_round(tiny_gpt):
    on = {"language": True, "slanted": True, "discriminative": True, "unfreezing": True}
    own = ulmfit.accuracies(tiny_gpt, "", presets.TEN, 0, **on)
    assert len(own) == 4 and all(0 <= right <= 1 for right in own)
    assert len(ulmfit.accuracies(tiny_gpt, "films", "", 0, **on)) == 4


@pytest.mark.long
@pytest.mark.slow
def test_ulmfits_code_runs_as_it_is_printed():
    rounds = printed_result(opened("finetuning", view="other", way="ulmfit"))
    assert rounds and all(0 <= right <= 1 for right in rounds)


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
        layer_mix.layer_weights(tiny_bert, "tags", "", presets.WORDS_OWN, 0),
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
        (over(LOSSES), "Done, 2 of 2 steps"),
        (waiting(place=2, state="waiting"), "you are second in line"),
        (waiting(place=0, state="running"), "Getting ready"),
        (replace(over(LOSSES, state="running"), taken_over=2), "step 1 of 2"),
        (over(LOSSES, state="stopped"), "Stopped at step 2"),
    ],
)
def test_how_far_it_is_in_words(training, says):
    assert says in progress_note(training, "ten of them")


def test_bad_lines_of_ones_own_are_said():
    at = opened(
        "finetuning",
        view="other",
        way="ulmfit",
        ulmfit_set="sentence/own",
        sentence_own="Good. | yes\nNice. | yes",
    )
    assert any("at least two classes" in line.value for line in at.text)


def test_what_is_saved_is_what_is_drawn(monkeypatch):
    past = {gpt(0.0): over(LOSSES), gpt(0.5): over(LOSSES)}
    monkeypatch.setattr(trainings, "_session_trainings", lambda: past)
    (export,) = gpt_losses.saves(gpt(0.5))
    rows = list(csv.reader(io.StringIO(export.make().removeprefix("\ufeff"))))
    assert rows[1][:2] == ["0", "0"] and rows[-1][:2] == ["0.5", "2"] and len(rows) == 5


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


def test_links_to_the_views_of_before_lead_here():
    for view, now in {"gpt": "other", "ulmfit": "other", "elmo": "layers"}.items():
        assert opened("finetuning", view=view).query_params["view"] in (now, [now])
