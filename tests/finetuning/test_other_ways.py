"""What GPT reads for each kind of task, and ULMFiT's plan."""

import pytest
import torch

from explorer.errors import TextError
from explorer.finetuning.gpt1 import transform
from explorer.finetuning.ulmfit import LANGUAGE_EPOCHS, SLOWER, layer_rates, slanted_triangle


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


def test_the_slanted_triangle():
    rates = [slanted_triangle(step, 100) for step in range(101)]
    assert max(rates) == rates[10] == 1 and rates[0] == rates[100] == 1 / 32
    assert rates[:11] == sorted(rates[:11]) and rates[10:] == sorted(rates[10:], reverse=True)


def test_layers_are_unfrozen_from_the_top_after_each_epoch():
    language, classifier = layer_rates(layers=3, epoch=4)
    assert (language > 0).all() and language.shape[1] == LANGUAGE_EPOCHS * 4
    learning = [[int(layer) for layer in range(3) if classifier[layer, step] > 0] for step in range(16)]
    assert learning == [[]] * 4 + [[2]] * 4 + [[1, 2]] * 4 + [[0, 1, 2]] * 4


def test_each_layer_is_slower_than_the_one_above_and_slanted():
    language, classifier = layer_rates(layers=3, epoch=4)
    for rates in (language, classifier[:, 12:]):  # where all of them learn
        torch.testing.assert_close(rates[1:], rates[:-1] * SLOWER)
    assert language[-1].tolist() == pytest.approx([slanted_triangle(step, 8) for step in range(8)])
