"""Masked words with a head whose guesses are known beforehand."""

import math

import pytest
import torch

from explorer.errors import AbilityError, TextError
from training.metrics.figure import values
from training.metrics.masked import masked_words, ranks_of
from training.rows import UNKNOWN, frame_of, layout, pairs
from training.text import Shards


@pytest.fixture
def shards(bert, corpus):
    return list(Shards(corpus, bert.tokenizer.backend))


def figures(*arguments, **settings):
    return {figure.key: figure for figure in masked_words(*arguments, **settings)}


def constant(network, monkeypatch, scores):
    """A head that says the same everywhere."""
    monkeypatch.setattr(network, "unembed", lambda hidden: scores.expand(len(hidden), -1))


def test_a_rank_comes_after_its_ties():
    scores = torch.tensor([[3.0, 1.0, 3.0, 2.0]]).expand(4, -1)
    assert ranks_of(scores, torch.arange(4)).tolist() == [2, 4, 2, 3]


def test_a_head_that_ties_everywhere_is_never_right(bert, shards, monkeypatch):
    constant(bert.network, monkeypatch, torch.zeros(1, bert.config.d_vocab))
    monkeypatch.setattr(bert.network, "next_sentence", lambda last: torch.zeros(len(last), 2))
    found = values(masked_words(bert, shards))
    assert found["masked_top1"] == found["masked_top5"] == found["next_sentence"] == 0
    assert found["masked_nats"] == pytest.approx(math.log(bert.config.d_vocab), rel=1e-5)


def test_shares_of_a_head_with_a_fixed_order(bert, shards, monkeypatch):
    """With one order of guesses the shares are the frequencies of its first words."""
    ids = torch.from_numpy(shards[0].ids.astype("int64"))
    order = torch.bincount(ids, minlength=bert.config.d_vocab).float()
    for token in ("[CLS]", "[SEP]", "[PAD]"):
        order[bert.tokenizer.id(token)] = 0
    noise = torch.linspace(0, 0.1, len(order))  # no two alike
    constant(bert.network, monkeypatch, (order + noise)[None])
    found = figures(bert, shards)
    counts = sum(
        torch.bincount(torch.from_numpy(s.ids.astype("int64")), minlength=len(order)) for s in shards
    )
    best = (order + noise).topk(5).indices
    share = counts[best] / counts.sum()
    assert found["masked_top1"].value == pytest.approx(float(share[0]), abs=0.06)
    assert found["masked_top5"].value == pytest.approx(float(share.sum()), abs=0.1)
    candidates = sum(
        int(layout(r, frame_of(bert.tokenizer.backend))[2].sum())
        for r in (pairs(s, 32, frame_of(bert.tokenizer.backend), 0) for s in shards)
    )
    assert found["masked_top1"].items == pytest.approx(0.15 * candidates, rel=0.15)


def test_the_next_sentence_verdict(bert, shards, monkeypatch):
    verdict = torch.tensor([[1.0, 0.0]])
    monkeypatch.setattr(bert.network, "next_sentence", lambda last: verdict.expand(len(last), -1))
    found = figures(bert, shards)["next_sentence"]
    follows = torch.cat([pairs(s, 32, frame_of(bert.tokenizer.backend), 0).columns[2] for s in shards])
    judged = follows[follows != UNKNOWN]
    assert found.items == len(judged) > 10
    assert found.value == pytest.approx(float((judged == 0).float().mean()))


def test_the_same_masks_every_time_and_no_more_than_the_limit(bert, shards):
    whole = masked_words(bert, shards)
    assert masked_words(bert, shards) == whole
    some = masked_words(bert, shards, limit=100)
    assert 0 < some[0].items < whole[0].items
    assert 0 < whole[0].value <= whole[1].value < 1


def test_what_is_read_shows_a_mask_in_every_chosen_place(bert, shards, monkeypatch):
    read, scored, forward = [], [], bert.network.forward

    def seen(ids, **arguments):
        read.append(int((ids == bert.tokenizer.mask).sum()))
        return forward(ids, **arguments)

    def counted(hidden):
        scored.append(len(hidden))
        return torch.zeros(len(hidden), bert.config.d_vocab)

    monkeypatch.setattr(bert.network, "forward", seen)
    monkeypatch.setattr(bert.network, "unembed", counted)
    assert masked_words(bert, shards)[0].items == sum(read) == sum(scored)
    assert read == scored


def test_only_where_blanks_are_filled(tiny_gpt, bert, shards):
    with pytest.raises(AbilityError):
        masked_words(tiny_gpt, shards)
    with pytest.raises(TextError):
        masked_words(bert, [])


def test_words_before_a_position_need_not_count(bert, shards):
    whole, far = (figures(bert, shards, length=32, first=first) for first in (0, 16))
    assert 0 < far["masked_top1"].items < whole["masked_top1"].items
    assert far["masked_nats"].value != pytest.approx(whole["masked_nats"].value)
    assert far["next_sentence"] == whole["next_sentence"]
    with pytest.raises(TextError):
        masked_words(bert, shards, length=16, first=16)
