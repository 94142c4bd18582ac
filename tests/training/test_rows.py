"""Rows: GPT's stream is cut without loss; BERT's are framed, and their words masked, as the paper says."""

import pytest
import torch

from training.rows import UNKNOWN, hide, pairs, stream, with_copies


def test_a_stream_is_cut_without_loss(gpt):
    shard = gpt._shards[0]
    rows = stream(shard.ids, 16).ids
    assert torch.equal(
        rows[:, :-1].flatten(), torch.from_numpy(shard.ids[: rows.shape[0] * 16].astype("int32"))
    )
    assert torch.equal(rows[:-1, -1], rows[1:, 0])


def test_pairs_are_framed(bert):
    start, separator, padding = bert.frame
    rows = bert.rows(0, 24, seed=0)
    assert len(rows) > 20
    for ids, second, end, follows in zip(rows.ids, *rows.columns, strict=True):
        assert ids[0] == start and ids[end - 1] == separator
        assert (ids[end:] == padding).all()
        assert int((ids == separator).sum()) == (1 if follows == UNKNOWN else 2)
        if follows != UNKNOWN:
            assert ids[second - 1] == separator


def test_only_a_true_second_text_is_of_the_same_document(bert):
    """Our documents tell their own number in every sentence."""
    shard, told = bert._shards[0], {0: set(), 1: set()}
    rows = pairs(shard, 64, bert.frame, seed=3)
    for ids, second, end, follows in zip(rows.ids, *rows.columns, strict=True):
        if follows == UNKNOWN:
            continue
        first, after = (
            {token for id in part if (token := bert.backend.id_to_token(int(id))).isdigit()}
            for part in (ids[1 : second - 1], ids[second : end - 1])
        )
        told[int(follows)].add(bool(first & after))
    assert told == {0: {True}, 1: {False}}


def test_a_passage_stands_twice_in_some_rows_and_the_others_stay(gpt):
    rows = stream(gpt._shards[0].ids, 32)
    assert len(rows) > 20
    changed = with_copies(rows, seed=1, share=0.5).ids
    told = [(old, new) for old, new in zip(rows.ids, changed, strict=True) if not torch.equal(old, new)]
    assert 0.2 * len(rows) < len(told) < 0.8 * len(rows)
    for old, new in told:
        places = (old != new).nonzero().flatten()
        first, last = int(places[0]), int(places[-1])
        passage = new[first : last + 1]
        assert any(torch.equal(passage, new[i : i + len(passage)]) for i in range(first))
    assert torch.equal(with_copies(rows, seed=1, share=0.5).ids, changed), "the seed alone decides"
    assert torch.equal(with_copies(rows, seed=1, share=0.0).ids, rows.ids)


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
