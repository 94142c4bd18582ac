"""Bits per word of held-out text from the left and from the right: ELMo's training task."""

import math
from collections.abc import Iterator
from itertools import islice

import torch.nn.functional as F

from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability, Capture, Encoding, captured
from training.metrics.figure import Figure, number
from training.metrics.inputs import Inputs
from training.text.corpus import Corpus
from training.text.shards import sentences

TOGETHER, BATCH = 512, 32  # sentences sorted by length, and run at one time


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
    while (limit is None or words < limit) and (some := list(islice(source, TOGETHER))):
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
    note = f"{100 * unknown / words:.1f} % of them outside the vocabulary, notes as one"
    return [
        number("bits_next", "bits per word, from the left", forwards, words, "words", note=note),
        number("bits_previous", "bits per word, from the right", backwards, words, "words"),
    ]


def _encodings(model: LanguageModel, corpus: Corpus) -> Iterator[Encoding]:
    for document in corpus.sample():
        for sentence in sentences(document):
            yield model.encode(sentence)
