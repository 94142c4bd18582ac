"""What a step of BERT's training reads."""

from dataclasses import replace

import torch

from training.bert import task
from training.bert.task import last_states
from training.text.rows import layout, pairs


def test_rows_of_like_length_together_are_read_as_all_at_once(bert):
    rows = pairs(bert._shards[0], 24, bert.frame, seed=0, short=0.9).take(torch.arange(21))
    allowed, segments, _ = layout(rows, bert.frame)
    end = rows.columns[1]
    assert len(set(end.tolist())) > 3, "some rows have padding"
    got = last_states(bert.network, rows.ids, segments, allowed)
    whole = bert.network(rows.ids, segments=segments, mask=allowed).last
    torch.testing.assert_close(got[allowed], whole[allowed], atol=1e-5, rtol=1e-5)
    longest = end.sort().values[: len(end) // 8]  # the first groups are cut to less than the whole
    assert (got[end.argsort()[: len(longest)]][:, longest.max() :] == 0).all()


def test_a_word_hidden_in_a_short_row_is_hidden_everywhere_in_it(bert, monkeypatch):
    """Only content words, and not in rows longer than `hide_repeats`."""
    reads = []
    monkeypatch.setattr(task, "last_states", lambda *a: reads.append(a[1]) or last_states(*a))
    bert.schedule, bert.replacements = replace(bert.schedule, hide_repeats=16, masked=(0.3, 0.3)), (1.0, 0.0)
    bert._content[:] = True
    bert._content[bert.backend.token_to_id(".")] = False
    rows = pairs(bert._shards[0], 24, bert.frame, seed=0, short=0.9).take(torch.arange(32))
    bert.loss(rows, step=0, progress=0.0)
    repeats = {True: 0, False: 0}
    for ids, read, end in zip(rows.ids, reads[0], rows.columns[1], strict=True):
        hidden, visible = set(ids[read == bert.mask].tolist()), set(ids[read == ids].tolist())
        repeats[bool(end <= 16)] += len(hidden & visible - {bert.backend.token_to_id(".")})
    assert repeats[True] == 0 and repeats[False] > 0
