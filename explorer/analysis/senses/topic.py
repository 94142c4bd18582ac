"""What the other words of a sentence give away: readers of the topic who never see the word itself.

Where they tell the senses apart as well as a model does, the model may have read no more than they.
"""

from collections.abc import Sequence

import regex
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.senses.occurrences import Occurrences, covering
from explorer.models.base import Model
from explorer.tokenizers.characters import IDEOGRAPHS
from explorer.trace import Capture, captured

# Nothing marks the edges of a Chinese word, so that each character counts as one.
_SPACED = rf"[[\p{{L}}\p{{N}}]--[{IDEOGRAPHS}]][[\p{{L}}\p{{N}}\p{{Mn}}\p{{Mc}}]--[{IDEOGRAPHS}]]*+"
WORD = regex.compile(rf"(?V1)[{IDEOGRAPHS}]|{_SPACED}(?:['’]{_SPACED})*")


def bag_of_words(sentences: Sequence[str], found: Occurrences) -> Float[Tensor, "occurrence 1 d_vocab"]:
    """How often each word of the vocabulary stands around an occurrence, in no order; one layer.

    Of "The bank of the river." the word itself is left out: of, river, the are counted as [[1, 1, 2]].
    In Chinese the characters are counted.
    """
    bags = []
    for i, (start, end) in zip(found.sentence_index, found.span, strict=True):
        around = sentences[i][:start] + " " + sentences[i][end:]
        bags.append([word.lower() for word in WORD.findall(around)])
    vocabulary = sorted({word for bag in bags for word in bag})
    counts = torch.zeros(len(bags), 1, len(vocabulary))
    for row, bag in enumerate(bags):
        for word in bag:
            counts[row, 0, vocabulary.index(word)] += 1
    return counts


def other_words(
    model: Model, sentences: Sequence[str], found: Occurrences
) -> Float[Tensor, "occurrence layer d_model"]:
    """The mean vector of the other words around each occurrence; zeros where a model knows none of them.

    Meant for a model with one vector a word: where there is context, the others have seen the word.
    """
    around = {}
    wanted = sorted(set(found.sentence_index))
    texts = [sentences[i] for i in wanted]
    for i, trace in zip(wanted, model.trace_many(texts, Capture.HIDDEN), strict=True):
        around[i] = trace
    means = []
    for i, span in zip(found.sentence_index, found.span, strict=True):
        rest = ~around[i].encoding.special
        rest[covering(around[i].encoding, span)] = False
        hidden = captured(around[i].hidden_states)
        means.append(hidden[:, rest].mean(1) if rest.any() else torch.zeros_like(hidden[:, 0]))
    return torch.stack(means)
