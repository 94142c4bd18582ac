"""Bits per byte against logits read one window at a time."""

import math

import pytest
import torch

from explorer.errors import AbilityError, TextError
from training.metrics.both_ways import bits_per_byte, documents
from training.text import Corpus


@pytest.mark.parametrize("limit", [None, 200])
def test_every_token_costs_its_surprise_in_windows_of_the_context(tiny_gpt, corpus, limit):
    model, backend, begin = tiny_gpt, tiny_gpt.tokenizer.backend, tiny_gpt.tokenizer.start
    context = model.config.positions
    nats = tokens = size = 0
    for block in corpus.blocks:
        for document in block:
            if limit is not None and tokens >= limit:
                continue
            text = "\n".join(document)
            ids = [begin, *backend.encode(text).ids]
            for start in range(0, len(ids) - 1, context):  # contexts that do not overlap
                window = torch.tensor(ids[start : start + context + 1])
                with torch.no_grad():
                    logits = model.unembed(model.network(window[None, :-1]).last)[0]
                nats -= float(logits.log_softmax(-1).gather(1, window[1:, None]).sum())
            tokens, size = tokens + len(ids) - 1, size + len(text.encode())
    per_byte, per_token = bits_per_byte(model, corpus, limit)
    assert per_byte.items == per_token.items == tokens
    assert per_byte.value == pytest.approx(nats / math.log(2) / size, rel=1e-5)
    assert per_token.value == pytest.approx(nats / tokens, rel=1e-5)
    assert any(len(ids) > context + 1 for ids, _ in documents(corpus, model.tokenizer, limit))


def test_only_left_to_right_and_only_with_text(bert, tiny_gpt, corpus, tmp_path):
    with pytest.raises(AbilityError):
        bits_per_byte(bert, corpus)
    (tmp_path / "en.txt").write_text("\n\n", encoding="utf-8")
    with pytest.raises(TextError):
        bits_per_byte(tiny_gpt, Corpus((tmp_path / "en.txt",)))
