"""Bits per byte of held-out text: how well a left-to-right model compresses it."""

import math
from collections.abc import Iterator
from itertools import islice

from explorer.analysis.prediction.likelihood import Row, batch_tokens, batches, log_probabilities
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.tokenizers import Tokenizer
from explorer.trace import Ability
from training.metrics.figure import Figure, number
from training.metrics.inputs import Inputs
from training.text.corpus import Corpus

TOGETHER = 256  # documents whose windows are sorted by length


def held_out_bits(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Bits per byte and nats per token of held-out text."""
    return bits_per_byte(model, inputs.held_out_text(), inputs.limits["held-out"])


def bits_per_byte(model: LanguageModel, corpus: Corpus, limit: int | None = None) -> list[Figure]:
    """Surprisal of a text, each document read after <|endoftext|>.

    Bits per byte are comparable between vocabularies, nats per token within one. Windows have the length of
    the context and do not overlap, so a window's first tokens are predicted from little. Only text counts,
    not the end of a document. Stops at the document that reaches `limit` tokens. Raises AbilityError for a
    model that is not left-to-right, TextError if there is no text.
    """
    model.require(Ability.GENERATE, "continue a text")
    nats, tokens, size = 0.0, 0, 0
    source = documents(corpus, model.tokenizer, limit)
    while some := list(islice(source, TOGETHER)):
        tokens += sum(len(ids) - 1 for ids, _ in some)
        size += sum(text_bytes for _, text_bytes in some)
        rows = [row for ids, _ in some for row in windows(ids, model.config.positions)]
        for batch in batches(rows, batch_tokens(model)):
            nats -= float(log_probabilities(model, batch).double().sum())
    if not size:
        raise TextError("There is no held-out text to measure on.", "Give a file with text in it.")
    return [
        number("bits_per_byte", "bits per byte", nats / math.log(2) / size, tokens, "tokens"),
        number("nats_per_token", "nats per token", nats / tokens, tokens, "tokens"),
    ]


def windows(ids: list[int], length: int) -> Iterator[Row]:
    """Windows of `length` tokens; every token of a document but the first is scored once."""
    for start in range(0, len(ids) - 1, length):
        truth = ids[start + 1 : start + length + 1]
        yield Row(0, ids[start : start + len(truth)], list(range(len(truth))), truth)


def documents(
    corpus: Corpus, tokenizer: Tokenizer, limit: int | None = None
) -> Iterator[tuple[list[int], int]]:
    """Ids of <|endoftext|> and a document, and its size in bytes, until `limit` tokens are given."""
    tokens = 0
    for block in range(len(corpus.blocks())):
        texts = ["\n".join(document) for document in corpus.documents(block)]
        for text, encoding in zip(
            texts, tokenizer.backend.encode_batch_fast(texts, add_special_tokens=False), strict=True
        ):
            if limit is not None and tokens >= limit:
                return
            tokens += len(encoding.ids)
            yield [tokenizer.special_id("start"), *encoding.ids], len(text.encode())
