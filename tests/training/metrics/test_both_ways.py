"""Bits per word from both sides against each sentence read alone."""

import math

import pytest
import torch.nn.functional as F

from training.metrics.both_ways import both_ways
from training.text import sentences


@pytest.mark.slow
def test_bits_are_those_of_the_sentences_read_alone(elmo, corpus):
    found = both_ways(elmo, corpus)
    texts = [s for block in corpus.blocks for document in block for s in sentences(document)]
    nats, asked, words = [0.0, 0.0], 0, 0
    for text in texts:
        trace = elmo.trace(text)
        last, ids = trace.hidden_states[-1], trace.encoding.ids
        for side, (scores, truth) in enumerate(
            ((elmo.next_word(last[:-1]), ids[1:]), (elmo.previous_word(last[1:]), ids[:-1]))
        ):
            nats[side] += F.cross_entropy(scores, truth, reduction="sum").item()
        asked += len(ids) - 1
        words += len(ids) - 2
    assert all(figure.items == words for figure in found) and "outside the vocabulary" in found[0].note
    assert [figure.value for figure in found] == pytest.approx([n / math.log(2) / asked for n in nats])
