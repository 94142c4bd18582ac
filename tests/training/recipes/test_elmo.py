"""Training ELMo: a step reads what the network reads, the estimated softmax is the whole one on average."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from explorer.models.elmo import ElmoConfig, Reader
from tests.training.conftest import loaded
from training.metrics.both_ways import both_ways
from training.recipes.elmo import END, START, draw_words, marked, read, sampled_nats
from training.rows import stream
from training.text import Shard, sentences

SIZES = ElmoConfig(d_half=5, d_hidden=11, cell_clip=0.6, half_clip=0.3)


def reader() -> Reader:
    """Weights large enough that both clips take hold."""
    generator = torch.Generator().manual_seed(3)
    made = Reader(SIZES)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.normal_(std=0.8, generator=generator)
    return made


def test_forgetting_is_a_fresh_start():
    made, generator = reader(), torch.Generator().manual_seed(4)
    x, keep = torch.randn(9, 2, 5, generator=generator), torch.ones(9, 2, 1)
    keep[4, 0] = 0
    both, alone = read(made, x, keep), read(made, x[4:], torch.ones(5, 2, 1))
    torch.testing.assert_close(both[4:, 0], alone[:, 0])
    assert not torch.allclose(both[4:, 1], alone[:, 1], atol=1e-3)


def test_a_step_reads_what_the_network_reads(elmo):
    ids = elmo.rows(0, 16, 0).take(torch.arange(4)).ids.T
    ahead, back = elmo.halves(ids, torch.zeros(ids.shape, dtype=torch.bool))
    last = elmo.network(elmo.spelling[ids.T]).last.transpose(0, 1)
    torch.testing.assert_close(torch.cat([ahead, back], dim=-1), last, atol=1e-6, rtol=1e-5)


def test_a_row_is_running_text_with_marked_sentences():
    shard = Shard(np.array([7, 8, 9, 5, 6], dtype=np.uint16), np.array([0, 3, 4, 5]), np.array([0, 3]))
    rows = stream(marked(shard), 4).take(torch.arange(2))
    assert rows.ids.tolist() == [[START, 7, 8, 9, END], [END, START, 5, END, START]]
    assert len(stream(marked(shard), 30)) == 0


@pytest.mark.slow
def test_the_estimate_is_the_whole_softmax_on_average():
    generator = torch.Generator().manual_seed(0)
    softmax, half = nn.Linear(6, 40), torch.randn(9, 6, generator=generator)
    truth = torch.randint(0, 40, (9,), generator=generator)
    whole = F.cross_entropy(softmax(half), truth, reduction="none")
    everything = draw_words(torch.ones(40), generator, head=40)
    torch.testing.assert_close(sampled_nats(half, truth, softmax, *everything), whole)
    counts = torch.arange(40.0, 0, -1)
    own = softmax(half).gather(1, truth[:, None])[:, 0]
    total = sum(
        (sampled_nats(half, truth, softmax, *draw_words(counts, generator, 7, 11)) + own).exp()
        for _ in range(4000)
    )
    torch.testing.assert_close(total / 4000, (whole + own).exp(), rtol=0.03, atol=0)


@pytest.mark.slow
def test_bits_are_those_of_the_sentences_read_alone(elmo, corpus):
    model = loaded(elmo)
    found = both_ways(model, corpus)
    texts = [s for block in corpus.blocks for document in block for s in sentences(document)]
    nats, asked, words = [0.0, 0.0], 0, 0
    for text in texts:
        trace = model.trace(text)
        last, ids = trace.hidden_states[-1], trace.encoding.ids
        for side, (scores, truth) in enumerate(
            ((model.next_word(last[:-1]), ids[1:]), (model.previous_word(last[1:]), ids[:-1]))
        ):
            nats[side] += F.cross_entropy(scores, truth, reduction="sum").item()
        asked += len(ids) - 1
        words += len(ids) - 2
    assert all(figure.items == words for figure in found) and "outside the vocabulary" in found[0].note
    assert [figure.value for figure in found] == pytest.approx([n / math.log(2) / asked for n in nats])
