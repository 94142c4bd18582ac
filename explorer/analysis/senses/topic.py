"""Topic baselines: vectors of the other words of a sentence, without the word itself.

If they separate the senses as well as a model does, the model may have used no more than the topic.
"""

from collections.abc import Sequence

import regex
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.senses.occurrences import Occurrences, token_positions
from explorer.models.base import Model
from explorer.tokenizers.characters import IDEOGRAPHS
from explorer.trace import Capture, captured

# Chinese words have no visible edges, so each character counts as a word.
_SPACED = rf"[[\p{{L}}\p{{N}}]--[{IDEOGRAPHS}]][[\p{{L}}\p{{N}}\p{{Mn}}\p{{Mc}}]--[{IDEOGRAPHS}]]*+"
WORD = regex.compile(rf"(?V1)[{IDEOGRAPHS}]|{_SPACED}(?:['’]{_SPACED})*")


def bag_of_words(sentences: Sequence[str], occurrences: Occurrences) -> Float[Tensor, "occurrence 1 d_vocab"]:
    """How often each word of the vocabulary occurs around an occurrence, in any order; as one layer.

    In "The bank of the river." without the word itself, of, river and the are counted as [[1, 1, 2]]. In
    Chinese the characters are counted.
    """
    bags = []
    for i, (start, end) in zip(occurrences.sentence_index, occurrences.span, strict=True):
        context = sentences[i][:start] + " " + sentences[i][end:]
        bags.append([word.lower() for word in WORD.findall(context)])
    vocabulary = sorted({word for bag in bags for word in bag})
    counts = torch.zeros(len(bags), 1, len(vocabulary))
    for row, bag in enumerate(bags):
        for word in bag:
            counts[row, 0, vocabulary.index(word)] += 1
    return counts


def other_words(
    model: Model, sentences: Sequence[str], occurrences: Occurrences
) -> Float[Tensor, "occurrence layer d_model"]:
    """The mean vector of the other words around each occurrence; zeros if the model knows none of them.

    Meant for static vectors: with context, the other words' vectors depend on the word.
    """
    traces = {}
    numbers = sorted(set(occurrences.sentence_index))
    texts = [sentences[i] for i in numbers]
    for i, trace in zip(numbers, model.trace_many(texts, Capture.HIDDEN), strict=True):
        traces[i] = trace
    means = []
    for i, span in zip(occurrences.sentence_index, occurrences.span, strict=True):
        rest = ~traces[i].encoding.special
        rest[token_positions(traces[i].encoding, span)] = False
        hidden = captured(traces[i].hidden_states)
        means.append(hidden[:, rest].mean(1) if rest.any() else torch.zeros_like(hidden[:, 0]))
    return torch.stack(means)
