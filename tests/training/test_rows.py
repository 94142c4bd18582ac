"""Rows: BERT's are framed, and their words masked, as the paper says."""

import pytest
import torch

from training.rows import UNKNOWN, frame_of, hide, pairs
from training.text import Shards


@pytest.fixture
def shard(bert, corpus):
    return Shards(corpus, bert.tokenizer.backend)[0]


def test_pairs_are_framed(bert, shard):
    start, separator, padding = frame = frame_of(bert.tokenizer.backend)
    rows = pairs(shard, 24, frame, seed=0)
    assert len(rows) > 20
    for ids, second, end, follows in zip(rows.ids, *rows.columns, strict=True):
        assert ids[0] == start and ids[end - 1] == separator
        assert (ids[end:] == padding).all()
        assert int((ids == separator).sum()) == (1 if follows == UNKNOWN else 2)
        if follows != UNKNOWN:
            assert ids[second - 1] == separator


def test_only_a_true_second_text_is_of_the_same_document(bert, shard):
    """Our documents tell their own number in every sentence."""
    told = {0: set(), 1: set()}
    rows = pairs(shard, 64, frame_of(bert.tokenizer.backend), seed=3)
    for ids, second, end, follows in zip(rows.ids, *rows.columns, strict=True):
        if follows == UNKNOWN:
            continue
        first, after = (
            {token for id in part if (token := bert.tokenizer.backend.id_to_token(int(id))).isdigit()}
            for part in (ids[1 : second - 1], ids[second : end - 1])
        )
        told[int(follows)].add(bool(first & after))
    assert told == {0: {True}, 1: {False}}


MASK, D_VOCAB = 4, 5000


def masked(**settings):
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(10, D_VOCAB, (400, 256), generator=generator)
    candidates = torch.ones_like(ids, dtype=torch.bool)
    candidates[:, 0] = False
    candidates[:, 200:] = False
    read, chosen = hide(ids, candidates, MASK, D_VOCAB, generator, **settings)
    return ids, candidates, read, chosen


def test_rates():
    ids, candidates, read, chosen = masked()
    assert not chosen[~candidates].any()
    assert torch.equal(read[~chosen], ids[~chosen])
    assert chosen.sum() / candidates.sum() == pytest.approx(0.15, abs=0.005)
    assert (read[chosen] == MASK).float().mean() == pytest.approx(0.8, abs=0.01)
    assert (read[chosen] == ids[chosen]).float().mean() == pytest.approx(0.1, abs=0.01)


def test_for_measuring_every_chosen_word_shows_as_mask():
    _, _, read, chosen = masked(hidden=1.0, random=0.0)
    assert (read[chosen] == MASK).all()
