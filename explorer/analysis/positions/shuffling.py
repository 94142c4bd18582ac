"""The same tokens in another order: how each word's vectors change, with positions and without.

Attention is a sum over all positions, and a sum does not depend on order. So without positions a
bidirectional encoder gives every token the same vector wherever it is. A decoder does not: its causal mask
distinguishes first from last (Haviv et al., "Transformer Language Models without Positional Encodings Still
Learn Positional Information", Findings of EMNLP 2022).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import regex
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.positions.learnt import learnt
from explorer.analysis.prediction.masking import MASK
from explorer.analysis.words import Word
from explorer.errors import TextError
from explorer.locale import _
from explorer.models import LanguageModel
from explorer.models.rotary import Rotation, rotate
from explorer.text.folding import fold
from explorer.text.letters import WORD as RUN
from explorer.trace import Capture, Edit, Encoding, captured

# A word, including apostrophes and hyphens (don't, well-known), or a single sign.
WORD = regex.compile(rf"{regex.escape(MASK)}|{RUN}(?:['’\-]{RUN})*|\S")


@dataclass(frozen=True, eq=False)
class Moved:
    """How far the words of a text move when they are put in another order.

    `words` are those of the first order, as far as the model reads them, and its special tokens.
    `cosines[l, w]` is 1 - cosine between the word's vectors (mean over its pieces) in the two orders, at the
    embedding and after each layer; `most` is the largest difference in any component of any token's vector,
    over all layers.
    """

    words: list[Word]
    cosines: Float[Tensor, "depth word"]
    most: float


def without_positions(model: LanguageModel) -> Edit:
    """The edit that removes positions: from the sum, by rotating queries and keys back, or from scores.

    Raises AbilityError for a model that is not a Transformer.

    >>> bert = explorer.load("bert")
    >>> states = bert.trace("no no", edit=without_positions(bert)).hidden_states
    >>> states[:, 1].allclose(states[:, 2], atol=1e-4)  # nothing distinguishes one “no” from the other
    True
    """
    later = _rotated_back(model)
    if model.input_parameters().positions is None:
        return later
    # Without a norm after it, the sum is the embedding itself.
    site = "embedding_sum" if model.input_parameters().norm else "embedding"
    rows = learnt(model).float().to(model.device)

    def edit(at: str, layer: int, tensor: Tensor) -> Tensor:
        return tensor - rows[: tensor.shape[1]] if at == site else later(at, layer, tensor)

    return edit


def _rotated_back(model: LanguageModel) -> Edit:
    """The edit that undoes rotary positions, by rotating back, and what distances add to scores."""
    layers = [model.layer_parameters(layer) for layer in range(model.config.layers)]

    def edit(at: str, layer: int, tensor: Tensor) -> Tensor:
        if at == "scores":
            bias = layers[layer].scoring.bias(tensor.shape[-2], tensor.shape[-1], tensor)
            return tensor if bias is None else tensor - bias
        rotary = layers[layer].rotary if at in ("queries", "keys") else None
        if rotary is None:
            return tensor
        cos, sin = rotary.rotation(torch.arange(tensor.shape[-2], device=tensor.device))
        return rotate(tensor, Rotation(cos / rotary.stretch, -sin / rotary.stretch))

    return edit


def shuffled(count: int, seed: int) -> list[int]:
    """Numbers 0 to count - 1 in a random order, never in ascending order unless there is only one.

    >>> sorted(shuffled(5, seed=1)), shuffled(5, seed=1) == [0, 1, 2, 3, 4]
    ([0, 1, 2, 3, 4], False)
    """
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed)).tolist()
    return [*order[1:], *order[:1]] if order == sorted(order) else order


def split(text: str) -> list[str]:
    """A text's words and punctuation marks, the same for every model.

    >>> split("He doesn't like it.")
    ['He', "doesn't", 'like', 'it', '.']
    """
    return list(WORD.findall(text))


def order_of(text: Sequence[str], other: Sequence[str]) -> list[int]:
    """The order that turns the words of a text into those of another: other[i] is text[order[i]].

    Case is ignored; of equal words the first comes first. Raises TextError if the two do not have the same
    words.

    >>> order_of(["The", "dog", "bit", "the", "man"], ["the", "man", "bit", "the", "dog"])
    [0, 4, 2, 3, 1]
    """
    folded, other_folded = (list(map(fold, words)) for words in (text, other))
    missing, added = (
        list((Counter(a) - Counter(b)).elements())
        for a, b in ((folded, other_folded), (other_folded, folded))
    )
    if missing or added:
        differences = [_("only in the first: {words}", words=_listed(missing))] * bool(missing)
        differences += [_("only in the second: {words}", words=_listed(added))] * bool(added)
        raise TextError(
            _("These are not the same words ({differences}).", differences="; ".join(differences)),
            _("Change only the order, or shuffle."),
        )
    free: dict[str, list[int]] = {}
    for i, word in enumerate(folded):
        free.setdefault(word, []).append(i)
    return [free[word].pop(0) for word in other_folded]


def _listed(words: list[str], most: int = 5) -> str:
    return ", ".join([*(word[:40] for word in words[:most]), *["…"] * (len(words) > most)])


def grouped(encoding: Encoding) -> list[Word]:
    """The words of `split` with the tokens that spell each, between the special tokens at either end.

    A word that is not read, because the text was cut, has no positions.

    >>> [word.text for word in grouped(explorer.load("bert").encode("He doesn't like it."))]
    ['[CLS]', 'He', "doesn't", 'like', 'it', '.', '[SEP]']
    """
    words = [Word(m[0], m.start(), m.end(), []) for m in WORD.finditer(encoding.text)]
    first: list[Word] = []
    last: list[Word] = []
    for position, span in enumerate(encoding.spans):
        if encoding.special[position]:
            side = last if any(word.positions for word in words) else first
            side.append(Word(encoding.tokens[position], 0, 0, [position], special=True))
        elif words:
            # The word in which the token ends: a byte piece begins with the space before its word.
            earlier = [word for word in words if word.start < span[1]]
            (earlier or words)[-1 if earlier else 0].positions.append(position)
    return [*first, *words, *last]


def reordered(encoding: Encoding, order: Sequence[int]) -> Encoding:
    """The same tokens with the words (not the special tokens) in another order, their pieces together.

    The text and each token's span in it do not change. Raises TextError if `order` is not a permutation.

    >>> encoding = explorer.load("bert").encode("The dog bit the man")
    >>> reordered(encoding, [3, 4, 2, 0, 1]).tokens
    ['[CLS]', 'the', 'man', 'bit', 'the', 'dog', '[SEP]']
    """
    return encoding.at(_positions(encoding, order))


def moved(model: LanguageModel, encoding: Encoding, order: Sequence[int], positions: bool = True) -> Moved:
    """How far each word moves between two orders, in a model with its positions or without them.

    >>> bert = explorer.load("bert")
    >>> encoding, order = bert.encode("The dog bit the man"), [3, 4, 2, 0, 1]
    >>> moved(bert, encoding, order).most > 0.1
    True
    >>> moved(bert, encoding, order, positions=False).most < 0.001  # nothing moves, except by rounding
    True
    """
    edit = None if positions else without_positions(model)
    other, at = reordered(encoding, order), _positions(encoding, order)
    first, second = (
        captured(trace.hidden_states)
        for trace in model.trace_encodings([encoding, other], Capture.HIDDEN, edit)
    )
    words = [word for word in grouped(encoding) if word.positions]
    back = torch.empty(len(at), dtype=torch.long)
    back[at] = torch.arange(len(at))  # the position in the second order of each token of the first
    second = second[:, back]
    cosines = torch.cosine_similarity(_means(first, words), _means(second, words), dim=-1)
    return Moved(words, (1 - cosines).clamp_min(0), float((first - second).abs().max()))


def _means(
    states: Float[Tensor, "depth pos d_model"], words: Sequence[Word]
) -> Float[Tensor, "depth word d_model"]:
    return torch.stack([states[:, word.positions].mean(1) for word in words], 1)


def _positions(encoding: Encoding, order: Sequence[int]) -> list[int]:
    """For each position of the second order, the position in the first of its token."""
    words = grouped(encoding)
    ordinary = [word for word in words if not word.special]
    if sorted(order) != list(range(len(ordinary))):
        raise TextError(f"This is not an order of {len(ordinary)} words.", "Name each word once.")
    turn = iter(order)
    reordered_words = [word if word.special else ordinary[next(turn)] for word in words]
    return [position for word in reordered_words for position in word.positions]
