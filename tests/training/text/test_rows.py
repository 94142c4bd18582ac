"""Rows: GPT's stream is cut without loss; BERT's singles and pairs are framed as the paper says."""

import torch

from training.run.feed import Feed
from training.text.rows import UNKNOWN, Rows, pairs, stream, with_copies


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


def test_an_epoch_draws_every_row_once_and_the_next_in_another_order():
    def make(shard: int, length: int, seed: int) -> Rows:
        ids = torch.arange(shard * 10, shard * 10 + 6).repeat(length, 1).T
        return Rows(ids, torch.zeros(3, 6))

    feed = Feed(make, shards=3, device=torch.device("cpu"))
    epochs = [[feed.next(2, 4).ids[:, 0].tolist() for _ in range(9)] for _ in range(2)]
    for epoch in epochs:
        assert sorted(row for batch in epoch for row in batch) == [*range(6), *range(10, 16), *range(20, 26)]
    assert epochs[0] != epochs[1]


def test_a_feed_goes_on_from_its_state(bert):
    device = torch.device("cpu")
    feed = Feed(bert.rows, bert.shards(), device)
    for _ in range(5):
        feed.next(8, 16)
    other = Feed(bert.rows, bert.shards(), device)
    other.restore(feed.state())
    for length in (16, 24, 24):
        assert torch.equal(feed.next(8, length).ids, other.next(8, length).ids)


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
