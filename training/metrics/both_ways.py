"""Surprisal of held-out text: in bits per byte for GPT, in bits per word from either side for ELMo."""

import math
from collections.abc import Iterator
from itertools import islice

import torch.nn.functional as F

from explorer.analysis.prediction.likelihood import Row, batch_tokens, batches, log_probabilities
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.tokenizers import Tokenizer
from explorer.trace import Ability, Capture, Encoding, captured
from training.metrics.figure import Figure, Inputs, number
from training.text import Corpus, sentences

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
    for block in corpus.blocks:
        texts = ["\n".join(document) for document in block]
        for text, encoding in zip(
            texts, tokenizer.backend.encode_batch_fast(texts, add_special_tokens=False), strict=True
        ):
            if limit is not None and tokens >= limit:
                return
            tokens += len(encoding.ids)
            yield [tokenizer.special_id("start"), *encoding.ids], len(text.encode())


SORTED, BATCH = 512, 32  # sentences sorted by length, and run at one time


def both_sides(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Bits per word of held-out text, read from the left and from the right."""
    return both_ways(model, inputs.held_out_text(), inputs.limits["held-out"])


def both_ways(model: LanguageModel, corpus: Corpus, limit: int | None = None) -> list[Figure]:
    """Mean surprisal in bits of each word of each sentence, read alone from either end.

    From the left every word and the sentence's end are predicted, from the right every word and its
    beginning; a word outside the vocabulary counts as `<UNK>`. Stops at about `limit` words. Raises
    AbilityError for a model without a word vocabulary, TextError if there is no text.
    """
    model.require(Ability.NEXT_WORD | Ability.PREVIOUS_WORD, "predict words")
    nats, predicted, words, unknown = [0.0, 0.0], 0, 0, 0
    source = _encodings(model, corpus)
    while (limit is None or words < limit) and (some := list(islice(source, SORTED))):
        some.sort(key=len)
        for start in range(0, len(some), BATCH):
            batch = some[start : start + BATCH]
            for e, trace in zip(batch, model.trace_encodings(batch, Capture.HIDDEN), strict=True):
                last = captured(trace.hidden_states)[-1].to(model.device)
                ids = e.ids.to(model.device)
                ahead, back = model.next_word(last[:-1]), model.previous_word(last[1:])
                nats[0] += F.cross_entropy(ahead, ids[1:], reduction="sum").item()
                nats[1] += F.cross_entropy(back, ids[:-1], reduction="sum").item()
                predicted += len(e) - 1
                words += len(e) - 2
                unknown += int((e.ids == model.tokenizer.special_id("unknown")).sum())
    if not words:
        raise TextError("There is no held-out text to measure on.", "Give a file with text in it.")
    forwards, backwards = (n / math.log(2) / predicted for n in nats)
    note = f"{100 * unknown / words:.1f} % of them outside the vocabulary, counted as one"
    return [
        number("bits_next", "bits per word, from the left", forwards, words, "words", note=note),
        number("bits_previous", "bits per word, from the right", backwards, words, "words"),
    ]


def _encodings(model: LanguageModel, corpus: Corpus) -> Iterator[Encoding]:
    for document in corpus.sample():
        for sentence in sentences(document):
            yield model.encode(sentence)
