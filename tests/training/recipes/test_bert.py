"""What a step of BERT's training reads and what its loss is."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from training.recipes.masked import word_loss
from training.rows import layout, pairs


@pytest.fixture
def rows(bert):
    return pairs(bert._shards[0], 24, bert.frame, seed=0, short=0.9).take(torch.arange(32))


@pytest.fixture
def reads(bert, monkeypatch):
    """The ids that the network reads at each step."""
    seen, forward = [], bert.network.forward
    monkeypatch.setattr(bert.network, "forward", lambda ids, **rest: seen.append(ids) or forward(ids, **rest))
    return seen


def test_the_loss_is_that_of_the_hidden_words_and_a_quarter_of_the_verdicts(bert, rows, reads):
    bert.replacements = (1.0, 0.0)
    loss, figures = bert.loss(rows, 3, 0.5)
    allowed, segments, _ = layout(rows, bert.frame)
    (read,) = reads
    last = bert.network(read, segments=segments, mask=allowed).last
    hidden = read == bert.mask
    masked = F.cross_entropy(bert.network.unembed(last[hidden]), rows.ids[hidden])
    after = rows.columns[2]
    follows = F.cross_entropy(bert.network.next_sentence(last[after >= 0]), after[after >= 0])
    torch.testing.assert_close(loss, masked + 0.25 * follows + figures["near"])


@torch.no_grad()
def test_unmasked_words_are_held_near_the_encoder(bert, rows):
    """At the start the network is the encoder: what differs is only that words are masked beside."""
    _, _, candidates = layout(rows, bert.frame)
    allowed, segments, _ = layout(rows, bert.frame)
    same = bert.network(rows.ids, segments=segments, mask=allowed).last
    near, _ = bert.further_loss(same, rows, segments, allowed, candidates)
    moved, figures = bert.further_loss(2 * same, rows, segments, allowed, candidates)
    assert near == pytest.approx(0, abs=1e-9) and moved == pytest.approx(1, abs=1e-5) == figures["near"]


def test_a_word_hidden_in_a_short_row_is_hidden_everywhere_in_it(bert, rows, reads):
    """Only content words, and not in rows longer than `hide_repeats`."""
    bert.schedule, bert.replacements = replace(bert.schedule, hide_repeats=16, masked=(0.3, 0.3)), (1.0, 0.0)
    bert._content[:] = True
    bert._content[bert.backend.token_to_id(".")] = False
    bert.loss(rows, step=0, progress=0.0)
    repeats = {True: 0, False: 0}
    for ids, read, end in zip(rows.ids, reads[0], rows.columns[1], strict=True):
        hidden, visible = set(ids[read == bert.mask].tolist()), set(ids[read == ids].tolist())
        repeats[bool(end <= 16)] += len(hidden & visible - {bert.backend.token_to_id(".")})
    assert repeats[True] == 0 and repeats[False] > 0


def test_a_batch_without_masked_words_costs_nothing():
    loss, figures = word_loss(torch.zeros(0, 7), torch.zeros(0, dtype=torch.long))
    assert (loss, figures["top1"]) == (0, 0)
