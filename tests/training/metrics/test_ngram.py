"""The n-gram baseline counts the same documents as bits per byte does."""

import math

import numpy as np
import pytest

from explorer.errors import TextError
from training.metrics.bits import bits_per_byte
from training.metrics.live import live
from training.metrics.ngram import counted, ngram_bits, stream
from training.text.corpus import Corpus


@pytest.fixture
def tokenizer(gpt):
    return live(gpt.network, gpt.backend).tokenizer


def test_the_stream_is_the_documents_between_ends(corpus, tokenizer):
    text = stream(corpus, tokenizer)
    ends = np.flatnonzero(text == tokenizer.start)
    assert ends[0] == 0 and ends[-1] == len(text) - 1
    written = ["\n".join(d) for block in range(len(corpus.blocks())) for d in corpus.documents(block)]
    assert [tokenizer.decode(part[1:].tolist()) for part in np.split(text, ends[1:])[:-1]] == written
    assert len(ends) == len(written) + 1 == 61


def test_the_baseline_is_the_mean_surprise_at_every_token(corpus, tokenizer):
    ngrams = counted(corpus, tokenizer)
    found = ngram_bits(ngrams, corpus, tokenizer, limit=300)
    text = stream(corpus, tokenizer, limit=300)
    nats, context = 0.0, []
    for token in text[:-1].tolist():
        if token == tokenizer.start:
            context = [token]
            continue
        row = [*([-1] * 4 + context)[-4:], token]
        nats -= math.log(ngrams.probability(np.array([row]))[0])
        context.append(token)
    assert found.nats == pytest.approx(nats)
    assert found.nats_per_token < 0.3 * math.log(ngrams.d_vocab)
    assert ngrams.tokens == len(stream(corpus, tokenizer))


@pytest.mark.parametrize("limit", [None, 300])
def test_the_baseline_reads_what_the_model_reads(gpt, corpus, tokenizer, limit):
    model = live(gpt.network, gpt.backend)
    counts = ngram_bits(counted(corpus, tokenizer, 500), corpus, tokenizer, limit)
    network = bits_per_byte(model, corpus, limit)
    assert (counts.tokens, counts.size) == (network.tokens, network.size)


def test_no_text(tokenizer, tmp_path):
    (tmp_path / "en.txt").write_text("\n", encoding="utf-8")
    with pytest.raises(TextError):
        counted(Corpus((tmp_path / "en.txt",)), tokenizer)
