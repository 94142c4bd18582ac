"""The n-gram baseline: what counting a model's own tokens makes of the same held-out text."""

import numpy as np
from jaxtyping import Int

from explorer.errors import TextError
from explorer.tokenizers import Tokenizer
from training.metrics.bits import Bits, documents
from training.metrics.kneser_ney import ABSENT, ORDER, KneserNey, fit
from training.text.corpus import Corpus


def counted(corpus: Corpus, tokenizer: Tokenizer, limit: int | None = None) -> KneserNey:
    """Modified Kneser-Ney 5-grams of a text's tokens, of its first `limit` ones or all.

    Raises TextError where there is no text.
    """
    return fit(stream(corpus, tokenizer, limit), tokenizer.size, tokenizer.special_id("start"))


def stream(corpus: Corpus, tokenizer: Tokenizer, limit: int | None = None) -> Int[np.ndarray, "pos"]:
    """The text as `end document end document ... end`."""
    small = np.uint16 if tokenizer.size <= 1 << 16 else np.int32
    parts = [np.array(ids, dtype=small) for ids, _ in documents(corpus, tokenizer, limit) if len(ids) > 1]
    if not parts:
        raise TextError("There is no text to count.", "Give a file with text in it.")
    return np.concatenate([*parts, np.array([tokenizer.start], dtype=small)])


def ngram_bits(ngrams: KneserNey, corpus: Corpus, tokenizer: Tokenizer, limit: int | None = None) -> Bits:
    """Bits per byte of the same documents, and the same tokens, as `bits.bits_per_byte` counts."""
    nats, tokens, size = 0.0, 0, 0
    for ids, text_bytes in documents(corpus, tokenizer, limit):
        padded = np.array([ABSENT] * (ORDER - 2) + ids)
        if len(ids) > 1:
            windows = np.lib.stride_tricks.sliding_window_view(padded, ORDER)
            nats -= float(np.log(ngrams.probability(windows)).sum())
        tokens, size = tokens + len(ids) - 1, size + text_bytes
    return Bits(nats, tokens, size)
