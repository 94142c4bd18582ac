"""A training is the same each time, stops where one stops asking, and leaves the shared network alone."""

import sys

import pytest
import torch

from explorer.errors import AbilityError, ExplorerError
from explorer.finetuning import Features, Labelled, Tagged, TaskHead, fit, task_of
from explorer.finetuning.encoding import encode_example
from explorer.finetuning.features import LAYERS
from explorer.finetuning.full import FullTraining, TrainingConfig
from explorer.finetuning.task_head import logits

KINDS = ("classes", "pairs", "tags", "answers")
HOWS = ("frozen", "whole", "low rank")


def run_to_end(model, examples, **settings):
    run = fit(model, task_of(examples), examples, **settings)
    return run, list(run)


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        pytest.param(how, kind, marks=[] if "frozen" in how or kind == "classes" else pytest.mark.slow)
        for how in HOWS
        for kind in KINDS
    ],
)
def test_a_head_learns_its_examples(tiny_bert, every, kind, how):
    settings = {} if how == "frozen" else {"epochs": 25, "rate": 3e-3, "batch": 4}
    run, reports = run_to_end(tiny_bert, every[kind], how=how, held_out=every[kind], **settings)
    losses = [report.loss for report in reports if report.loss is not None]
    assert losses[-1] < losses[0]
    assert reports[-1].head is run.head
    assert reports[-1].stage == "done"
    assert next(iter(run.head.about["scores"].values())) > 0.6


@pytest.mark.parametrize("how", HOWS)
def test_the_same_seed_gives_the_same_head(tiny_bert, labelled, how):
    one, other = (run_to_end(tiny_bert, labelled, how=how, epochs=3, seed=7)[0].head for _ in range(2))
    assert all(torch.equal(one.parameters[name], other.parameters[name]) for name in one.parameters)
    assert all(torch.equal(one.difference[name], other.difference[name]) for name in one.difference)


def test_another_seed_gives_another_order(tiny_bert, labelled):
    one, other = (run_to_end(tiny_bert, labelled, how="whole", epochs=1, seed=s)[0].head for s in (1, 2))
    assert not torch.equal(one.parameters["weight"], other.parameters["weight"])


@pytest.mark.parametrize("how", HOWS)
def test_the_shared_network_is_never_touched(tiny_bert, tagged, how):
    before = {n: p.detach().clone() for n, p in tiny_bert.network.named_parameters()}
    run, _ = run_to_end(tiny_bert, tagged, how=how, epochs=2)
    run.head.predict(["the river"])
    for name, parameter in tiny_bert.network.named_parameters():
        assert torch.equal(parameter, before[name]), name
        assert parameter.grad is None and not parameter.requires_grad, name
    assert not tiny_bert.network.training


def test_the_embeddings_stay_and_every_block_learns(tiny_bert, labelled):
    head = run_to_end(tiny_bert, labelled, how="whole", epochs=2)[0].head
    own = {name for name, _ in tiny_bert.network.named_parameters() if name.startswith("blocks.")}
    assert set(head.difference) == own
    changed = {name for name, tensor in head.difference.items() if tensor.abs().max() > 0}
    assert {name for name in own if name.endswith("weight")} <= changed
    twin = head.base_model.network
    assert twin.tokens.weight.data_ptr() == tiny_bert.network.tokens.weight.data_ptr()


def test_a_closed_training_keeps_the_best_so_far(tiny_bert, labelled):
    run = fit(tiny_bert, task_of(labelled), labelled, how="whole", epochs=9, batch=2)
    for report in run:
        if report.step == 1:
            break
    run.close()
    assert run.head is not None and run.head.about["step"] == 1
    assert list(run) == []
    assert len(run.head.predict(["the river"])) == 1


def test_of_all_looks_the_best_is_kept(tiny_bert, labelled, monkeypatch):
    looks = iter([0.1, 0.5, 0.9, *[0.7] * 99])
    run = fit(tiny_bert, task_of(labelled), labelled, how="whole", epochs=3, held_out=labelled)
    monkeypatch.setattr(sys.modules[run.__module__], "scores", lambda *_: {"accuracy": next(looks)})
    list(run)
    steps, values = zip(*((step, measured["accuracy"]) for step, measured in run.evaluations))
    assert max(values) == 0.9 and values[-1] == 0.7
    assert run.head.about["scores"] == {"accuracy": 0.9}
    assert run.head.about["step"] == steps[values.index(0.9)]


@pytest.mark.parametrize("how", ["frozen", "whole"])
def test_the_last_head_is_kept_if_asked_for(tiny_bert, labelled, monkeypatch, how):
    looks = iter([0.9, *[0.7] * 99])
    run = fit(tiny_bert, task_of(labelled), labelled, how=how, epochs=3, held_out=labelled, keep="last")
    monkeypatch.setattr(sys.modules[run.__module__], "scores", lambda *_: {"accuracy": next(looks)})
    list(run)
    assert run.head.about["scores"] == {"accuracy": 0.7}
    assert run.head.about["step"] == run.evaluations[-1][0]


def test_what_is_kept_aside_is_not_learnt_from(tiny_bert, labelled):
    run = fit(tiny_bert, task_of(labelled), labelled, held_out=0.34)
    assert len(run.held_out) == 4 and not set(run.held_out) & set(run.train)
    assert {example.label for example in run.held_out} == {"water", "money"}


@pytest.mark.parametrize("how", HOWS)
def test_dots_and_vectors_belong_together(tiny_bert, tagged, how):
    run = fit(tiny_bert, task_of(tagged), tagged, how=how, epochs=2)
    seen = [report.vectors for report in run if report.vectors is not None]
    assert seen and all(vectors.shape == (len(run.watched), 35) for vectors in seen)
    assert run.watched[0].text in tagged[0].words or run.watched[0].held_out


def test_sentences_longer_than_the_context_are_learnt_and_measured(tiny_bert, tagged):
    long = Tagged(("we", "saw", "money") * 30, ("O", "O", "B-money") * 30)
    run, reports = run_to_end(tiny_bert, [*tagged, long], held_out=[*tagged, long])
    assert reports[-1].scores["recall"] < 1 and run.head.predict([long])[0].cut == 90 - 59


@pytest.mark.slow
def test_a_gpt_learns_too(tiny_gpt, labelled):
    for how in HOWS:
        run, _ = run_to_end(tiny_gpt, labelled, how=how, epochs=15, held_out=labelled, rate=3e-3)
        assert run.head.about["scores"]["accuracy"] > 0.8, how


@pytest.mark.parametrize("layers", LAYERS)
def test_every_choice_of_layers(tiny_bert, tagged, layers):
    run, _ = run_to_end(tiny_bert, tagged, features=Features(layers), held_out=tagged)
    assert run.head.about["scores"]["f1"] > 0.6
    assert run.head.predict(["we saw the river"])[0].words == ("we", "saw", "the", "river")


def test_what_cannot_be_trained_says_so(tiny_bert, labelled):
    with pytest.raises(ExplorerError, match="only “water”"):
        task_of([Labelled("the river", "water")] * 9)
    with pytest.raises(ExplorerError, match="2 examples are too few"):
        fit(tiny_bert, task_of(labelled), [labelled[0], labelled[-1]])
    with pytest.raises(ExplorerError, match="none of the task's labels"):
        fit(tiny_bert, task_of(labelled), [*labelled, Labelled("light", "air")])
    with pytest.raises(ExplorerError, match="last layer"):
        fit(tiny_bert, task_of(labelled), labelled, how="whole", features=Features("mix"))
    for wrong in ({"seed": -1}, {"rate": 0.0}, {"epochs": 0}, {"how": "all"}):
        with pytest.raises(ExplorerError):
            fit(tiny_bert, task_of(labelled), labelled, **wrong)


@pytest.mark.parametrize("how", ["whole", "low rank"])
def test_the_kept_head_is_the_network_that_was_trained(tiny_bert, labelled, how):
    task, features = task_of(labelled), Features()
    items = [encode_example(tiny_bert, task, example, features) for example in labelled]
    config = TrainingConfig(2, 4, rank=3 * (how == "low rank"))
    training = FullTraining(tiny_bert, task, items, features, config)
    for _ in range(training.batches.total):
        training.step()
    parameters, added = training.parameters(), training.difference()
    head = TaskHead(task, features, tiny_bert, parameters, added)
    with torch.no_grad():
        theirs = [logits(training.head, rows[None]) for rows in training.rows(items)]
    for ours, other in zip(head.scores(items), theirs):
        assert torch.allclose(ours, other, atol=1e-5)
    assert not torch.allclose(ours, TaskHead(task, features, tiny_bert, parameters).scores(items)[-1])


def test_a_model_of_single_words_cannot(labelled):
    import explorer

    words = explorer.load("word2vec")
    with pytest.raises(AbilityError):
        list(fit(words, task_of(labelled), labelled))
