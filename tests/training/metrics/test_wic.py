"""Words in context: the files, the curve and the threshold, and the vectors that are compared."""

import json
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from sklearn.metrics import accuracy_score, roc_auc_score

from explorer.analysis.senses.occurrences import find
from explorer.errors import AbilityError, FormatError, TextError
from explorer.trace import Ability
from training.metrics.wic import Pair, best_threshold, read_pairs, two_fold, words_in_context

SENTENCES = ["we saw the river bank", "the old bank of money", "water by the bank", "it is a bank and bank"]


def pair(first, second, same):
    return Pair((first, find(first, "bank")[0]), (second, find(second, "bank")[0]), same)


@pytest.fixture
def pairs():
    couples = [(a, b) for i, a in enumerate(SENTENCES) for b in SENTENCES[i + 1 :]]
    return [pair(a, b, i % 2 == 0) for i, (a, b) in enumerate(couples)]


def test_pairs_come_with_their_answers(tmp_path):
    rows = [
        {
            "id": "x.0",
            "sentence1": "a bank",
            "sentence2": "banks",
            "start1": "2",
            "end1": "6",
            "start2": "0",
            "end2": "5",
        }
    ]
    (tmp_path / "x.data").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "x.gold").write_text(json.dumps([{"id": "x.0", "tag": "T"}]), encoding="utf-8")
    assert read_pairs(tmp_path, "x") == [Pair(("a bank", (2, 6)), ("banks", (0, 5)), True)]
    (tmp_path / "x.gold").write_text(json.dumps([{"id": "x.1", "tag": "T"}]), encoding="utf-8")
    with pytest.raises(FormatError):
        read_pairs(tmp_path, "x")


def test_no_threshold_is_better_than_the_best():
    generator = torch.Generator().manual_seed(5)
    scores, same = torch.rand(30, generator=generator), torch.rand(30, generator=generator) < 0.5
    reached = accuracy_score(same, scores > best_threshold(scores, same))
    for threshold in torch.linspace(-0.1, 1.1, 500):
        assert accuracy_score(same, scores > threshold) <= reached


def test_each_half_is_judged_by_the_threshold_of_the_other():
    scores = torch.tensor([0.1, 0.9, 0.6, 0.7])
    same = torch.tensor([False, True, False, True])
    # The first half puts it at 0.5, which 0.6 passes wrongly; the second at 0.65, right for both others.
    assert float(two_fold(scores, same, (torch.tensor([0, 1]), torch.tensor([2, 3])))) == 0.75


def test_cosines_of_the_word_at_every_layer(tiny_bert, pairs):
    auc, accuracy = words_in_context(tiny_bert, pairs)
    same = torch.tensor([p.same for p in pairs])
    for layer in range(tiny_bert.config.layers + 1):
        vectors = {}
        for text in SENTENCES:
            trace = tiny_bert.trace(text)
            vectors[text] = trace.hidden_states[layer, trace.tokens.index("bank")]
        scores = [F.cosine_similarity(vectors[p.first[0]], vectors[p.second[0]], dim=0) for p in pairs]
        assert auc.layers[layer] == pytest.approx(float(roc_auc_score(same, scores)), abs=1e-6)
    assert len(accuracy.layers) == len(auc.layers) and auc.items == 6 and not auc.note


def test_words_past_the_context_are_left_out_and_counted(tiny_bert, pairs):
    far = "the " * 70 + "bank"
    auc, _ = words_in_context(tiny_bert, [*pairs, pair(far, SENTENCES[0], True)])
    assert (auc.items, auc.note) == (6, "1 past the context")
    assert auc.layers == words_in_context(tiny_bert, pairs)[0].layers
    with pytest.raises(TextError):
        words_in_context(tiny_bert, pairs[:3])


def test_hidden_states_are_needed(tiny_bert, pairs):
    with pytest.raises(AbilityError):
        words_in_context(replace(tiny_bert, abilities=Ability.VECTORS), pairs)
