"""GPT's transformations with its second loss, and ULMFiT's four tricks."""

import pytest
import torch
import torch.nn.functional as F

from explorer.errors import AbilityError, ExplorerError, TextError
from explorer.finetuning.causal import causal_copy, next_token_loss
from explorer.finetuning.gpt1 import GptExample, GptTuning, transform
from explorer.finetuning.ulmfit import PLAIN, Tricks, Ulmfit, slanted_triangle

RIVER, MONEY = ["the river", "deep water", "the old river"], ["the money", "old money", "we saw money"]
SORTS = [GptExample((t,), 0) for t in RIVER] + [GptExample((t,), 1) for t in MONEY]
ALIKE = [GptExample((a, b), 0) for a in RIVER for b in RIVER] + [
    GptExample((a, b), 1) for a, b in zip(RIVER, MONEY)
]
CHOICES = [GptExample((r, m, "the river by night"), 1) for r in RIVER for m in MONEY] + [
    GptExample((r, "the river by night", m), 0) for r in RIVER for m in MONEY
]


def test_the_four_transformations():
    text = {kind: [[p.text for p in s] for s in transform(kind, t)] for kind, t in {
        "classification": ["a"], "entailment": ["a", "b"], "similarity": ["a", "b"],
        "multiple choice": ["a", "b", "c"],
    }.items()}  # fmt: skip
    assert text["classification"] == [["start", "a", "extract"]]
    assert text["entailment"] == [["start", "a", "delimiter", "b", "extract"]]
    assert text["similarity"] == [
        ["start", "a", "delimiter", "b", "extract"],
        ["start", "b", "delimiter", "a", "extract"],
    ]
    assert text["multiple choice"] == [
        ["start", "a", "delimiter", "b", "extract"],
        ["start", "a", "delimiter", "c", "extract"],
    ]
    for kind, texts in (
        ("classification", ["a", "b"]),
        ("similarity", ["a"]),
        ("multiple choice", ["a", "b"]),
    ):
        with pytest.raises(TextError):
            transform(kind, texts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "cases", "labels"),
    [
        ("classification", SORTS, ("water", "money")),
        ("entailment", ALIKE, ("alike", "other")),
        ("similarity", ALIKE, ("alike", "other")),
        ("multiple choice", CHOICES, ()),
    ],
)
def test_each_kind_of_task_is_learnt(tiny_gpt, kind, cases, labels):
    tuning = GptTuning(tiny_gpt, kind, cases, labels, epochs=25, rate=2e-3, batch=4)
    list(tuning)
    said = tuning.predict([case.texts for case in cases])
    right = [max(range(len(p)), key=p.__getitem__) == case.right for p, case in zip(said, cases)]
    assert sum(right) / len(right) > 0.8
    assert all(sum(p) == pytest.approx(1, abs=1e-5) for p in said)


def test_similarity_does_not_mind_the_order(tiny_gpt):
    tuning = GptTuning(tiny_gpt, "similarity", ALIKE, ("alike", "other"), epochs=1)
    list(tuning)
    (one,), (other,) = tuning.predict([("the river", "money")]), tuning.predict([("money", "the river")])
    assert one == pytest.approx(other, abs=1e-5)


def test_the_loss_is_the_tasks_and_lambda_times_the_texts(tiny_gpt):
    step = next(GptTuning(tiny_gpt, "classification", SORTS, ("a", "b"), lambda_=0.5))
    assert step.loss == pytest.approx(step.task + 0.5 * step.language, abs=1e-5)
    alone = next(GptTuning(tiny_gpt, "classification", SORTS, ("a", "b"), lambda_=0))
    assert alone.loss == alone.task and alone.language == pytest.approx(step.language, abs=1e-4)


def test_the_second_loss_is_that_of_the_next_token(tiny_gpt):
    tuning = GptTuning(tiny_gpt, "classification", SORTS[:1], ("a", "b"))
    (read,), right = tuning._examples[0]
    vectors = tiny_gpt.network.tokens.weight[read.ids].clone()
    vectors[0], vectors[-1] = tuning.marks[0], tuning.marks[2]
    vectors = vectors + tiny_gpt.network.positions.weight[: len(vectors)]
    put = lambda site, layer, x: vectors[None] if site == "embedding" else x  # noqa: E731
    logits = tiny_gpt.unembed(tiny_gpt.run(read.ids[None], edit=put).last[0])
    want = F.cross_entropy(logits[:-2], read.ids[1:-1])
    assert float(tuning.losses([([read], right)])[1].detach()) == pytest.approx(float(want), abs=1e-4)


def test_the_next_token_is_scored_by_the_models_own_matrix(tiny_gpt):
    """Also where it is not the embedding matrix."""
    _, network = causal_copy(tiny_gpt)
    generator = torch.Generator().manual_seed(0)
    network.decoder = torch.nn.Parameter(torch.randn(network.tokens.weight.shape, generator=generator))
    ids = tiny_gpt.encode("the old river").ids[None]
    last = network(ids).last
    loss = next_token_loss(network, network.final_norm(last), ids, ids[:, 1:] >= 0)
    logits = network.unembed(last)[0, :-1]
    expected = F.cross_entropy(logits, ids[0, 1:])
    assert loss.item() == pytest.approx(expected.item(), abs=1e-4)


def test_a_bert_cannot(tiny_bert, labelled):
    for make in (
        lambda: GptTuning(tiny_bert, "classification", SORTS, "ab"),
        lambda: Ulmfit(tiny_bert, labelled),
    ):
        with pytest.raises(AbilityError, match="is no GPT"):
            make()


def test_lambda_has_bounds(tiny_gpt):
    with pytest.raises(ExplorerError, match="lambda"):
        GptTuning(tiny_gpt, "classification", SORTS, "ab", lambda_=-1)


def test_the_slanted_triangle():
    rates = [slanted_triangle(step, 100) for step in range(101)]
    assert max(rates) == rates[10] == 1 and rates[0] == rates[100] == 1 / 32
    assert rates[:11] == sorted(rates[:11]) and rates[10:] == sorted(rates[10:], reverse=True)


@pytest.mark.parametrize("tricks", [Tricks(), PLAIN])
def test_ulmfit_learns_and_leaves_the_model_alone(tiny_gpt, labelled, tricks):
    before = {n: p.clone() for n, p in tiny_gpt.network.named_parameters()}
    made = Ulmfit(tiny_gpt, labelled, tricks=tricks, rate=2e-3, epochs=12)
    steps = list(made)
    said = made.predict([example.text for example in labelled])
    assert sum(a == e.label for a, e in zip(said, labelled)) >= 10
    assert all(torch.equal(p, before[n]) for n, p in tiny_gpt.network.named_parameters())
    stages = [step.stage for step in steps]
    assert ("language model" in stages) == tricks.language


def test_layers_are_let_go_from_the_top_and_only_then_move(tiny_gpt, labelled):
    made = Ulmfit(tiny_gpt, labelled, tricks=Tricks(language=False), epochs=4, batch=4)
    start = {n: p.detach().clone() for n, p in made.network.named_parameters()}
    seen = []
    for step in made:
        seen.append(step.learning)
        still = [layer for layer in range(3) if layer not in step.learning]
        for name, parameter in made.network.named_parameters():
            if any(name.startswith(f"blocks.{layer}.") for layer in still):
                assert torch.equal(parameter, start[name]), (step, name)
    assert list(dict.fromkeys(seen)) == [(), (2,), (1, 2), (0, 1, 2)]
