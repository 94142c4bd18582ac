"""What a step of BERT's training reads."""

from dataclasses import replace

import pytest
import torch

from training.bert import task as module
from training.bert.continued import WarmBert
from training.bert.task import encoded
from training.bert.word_loss import word_loss
from training.text.rows import layout, pairs


def test_rows_of_like_length_together_are_read_as_all_at_once(bert):
    rows = pairs(bert._shards[0], 24, bert.frame, seed=0, short=0.9).take(torch.arange(21))
    allowed, segments, _ = layout(rows, bert.frame)
    end = rows.columns[1]
    assert len(set(end.tolist())) > 3, "some rows have padding"
    got = encoded(bert.network, rows.ids, segments, allowed)
    whole = bert.network(rows.ids, segments=segments, mask=allowed).last
    torch.testing.assert_close(got[allowed], whole[allowed], atol=1e-5, rtol=1e-5)
    longest = end.sort().values[: len(end) // 8]  # the first groups are cut to less than the whole
    assert (got[end.argsort()[: len(longest)]][:, longest.max() :] == 0).all()


@pytest.mark.parametrize("share", [0.5, 0.75])
def test_everyday_sentences_are_a_share_of_the_rows_of_every_shard(bert, corpus, encoder, tmp_path, share):
    recipe = replace(bert.recipe, alone=share)
    mixed = WarmBert(corpus, None, tmp_path / "mixed", encoder, recipe, everyday=corpus)
    for shard in range(3):
        plain, rows = bert.rows(shard, 24, seed=0), mixed.rows(shard, 24, seed=0)
        assert torch.equal(rows.ids[: len(plain)], plain.ids)
        alone = mixed._everyday[0].pieces
        more = min(len(alone) - 1, round(len(plain) * share / (1 - share)))
        assert 0 < len(rows) - len(plain) <= more


def test_what_a_short_row_shows_is_made_unlikely_where_it_is_not_the_answer(bert, monkeypatch):
    """Only content words, only what is seen, and nothing of rows longer than `lone`."""
    told = {}

    def unlikely(states, embedding, bias, truth, wrong, weight):
        told.update(truth=truth, wrong=wrong, weight=weight)
        return word_loss(states, embedding, bias, truth)[0], states.new_zeros(()), torch.zeros(())

    monkeypatch.setattr(module, "unlikely_loss", unlikely)
    bert.recipe = replace(bert.recipe, lone=16, unlike=3.0, masked=(0.3, 0.3))
    bert._content[:] = False
    content = torch.unique(bert.rows(0, 24, seed=0).ids)[5:20]
    bert._content[content] = True
    rows = pairs(bert._shards[0], 24, bert.frame, seed=0, short=0.9).take(torch.arange(32))
    bert.loss(rows, step=0, progress=0.0)
    wrong = told["wrong"]
    assert told["weight"] == 3.0 and (wrong >= 0).any()
    assert set(wrong[wrong >= 0].tolist()) <= set(content.tolist())
    assert not (wrong == told["truth"][:, None]).any()
    assert (wrong[:, 16:] < 0).all()
