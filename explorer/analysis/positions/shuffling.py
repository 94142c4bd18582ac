"""The same tokens in another order: what a model makes of each word, with positions and without.

Attention is a sum over all positions, and a sum knows no order. So without positions an encoder that
looks both ways gives every token the same vector wherever it stands. A decoder does not: the mask that
hides what comes later tells first from last (Haviv et al., "Transformer Language Models without
Positional Encodings Still Learn Positional Information", Findings of EMNLP 2022).
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
from explorer.models import LanguageModel
from explorer.models.rotary import Rotation, rotate
from explorer.text.folding import fold
from explorer.text.letters import WORD as RUN
from explorer.trace import Capture, Edit, Encoding, captured

# A word with what is tied into it (don't, well-known), or a sign that stands alone.
WORD = regex.compile(rf"{regex.escape(MASK)}|{RUN}(?:['’\-]{RUN})*|\S")


@dataclass(frozen=True, eq=False)
class Moved:
    """How far the words of a text move when they are put in another order.

    `words` are those of the first order, as far as the model reads them, and its special tokens.
    `cosines[l, w]` is 1 - cosine between the word's vectors (mean over its pieces) in the two orders,
    at the embedding and after each layer; `most` is the largest difference of any number of any
    token's vector, in any layer.

    >>> import explorer
    >>> bert = explorer.load("bert")
    >>> found = moved(bert, bert.encode("The dog bit."), [1, 0, 2, 3])
    >>> [word.text for word in found.words], found.cosines.shape
    (['[CLS]', 'The', 'dog', 'bit', '.', '[SEP]'], torch.Size([7, 6]))
    """

    words: list[Word]
    cosines: Float[Tensor, "depth word"]
    most: float


def without_positions(model: LanguageModel) -> Edit:
    """The edit that takes the positions out: out of the sum, or by turning queries and keys back.

    Raises AbilityError for a model that is no Transformer.

    >>> import explorer
    >>> bert = explorer.load("bert")
    >>> found = bert.trace("no no", edit=without_positions(bert)).hidden_states
    >>> found[:, 1].allclose(found[:, 2], atol=1e-4)  # nothing tells one “no” from the other
    True
    """
    if model.input_parameters().positions is None:
        return _turned_back(model)
    # Where nothing normalises the sum, it is the embedding itself.
    site = "embedding_sum" if model.input_parameters().norm else "embedding"
    rows = learnt(model).float().to(model.device)

    def edit(at: str, layer: int, tensor: Tensor) -> Tensor:
        return tensor - rows[: tensor.shape[1]] if at == site else tensor

    return edit


def _turned_back(model: LanguageModel) -> Edit:
    """Rotary positions undone: what was turned is turned by the same angle the other way."""
    rotaries = [model.layer_parameters(layer).rotary for layer in range(model.config.layers)]

    def edit(at: str, layer: int, tensor: Tensor) -> Tensor:
        rotary = rotaries[layer] if at in ("queries", "keys") else None
        if rotary is None:
            return tensor
        cos, sin = rotary.rotation(torch.arange(tensor.shape[-2], device=tensor.device))
        return rotate(tensor, Rotation(cos, -sin))

    return edit


def shuffled(count: int, seed: int) -> list[int]:
    """Numbers 0 to count - 1 in an order that is not the first one, where there is another.

    >>> sorted(shuffled(5, seed=1)), shuffled(5, seed=1) == [0, 1, 2, 3, 4]
    ([0, 1, 2, 3, 4], False)
    """
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed)).tolist()
    return [*order[1:], *order[:1]] if order == sorted(order) else order


def split(text: str) -> list[str]:
    """A text's words and signs, the same for every model.

    >>> split("He doesn't like it.")
    ['He', "doesn't", 'like', 'it', '.']
    """
    return list(WORD.findall(text))


def order_of(text: Sequence[str], other: Sequence[str]) -> list[int]:
    """Where in a text the words of its other order stand: other[i] is text[order[i]].

    Capitals do not count; of equal words the first comes first. Raises TextError where the two are
    not the same words.

    >>> order_of(["The", "dog", "bit", "the", "man"], ["the", "man", "bit", "the", "dog"])
    [0, 4, 2, 3, 1]
    """
    folded, wanted = (list(map(fold, some)) for some in (text, other))
    missing, added = (
        list((Counter(a) - Counter(b)).elements()) for a, b in ((folded, wanted), (wanted, folded))
    )
    if missing or added:
        said = [f"only in the first: {_listed(missing)}"] * bool(missing)
        said += [f"only in the second: {_listed(added)}"] * bool(added)
        raise TextError(
            f"These are not the same words ({'; '.join(said)}).", "Change the order alone, or shuffle."
        )
    free: dict[str, list[int]] = {}
    for i, word in enumerate(folded):
        free.setdefault(word, []).append(i)
    return [free[word].pop(0) for word in wanted]


def _listed(words: list[str], most: int = 5) -> str:
    return ", ".join([*(word[:40] for word in words[:most]), *["…"] * (len(words) > most)])


def grouped(encoding: Encoding) -> list[Word]:
    """The words of `split` with the tokens that spell each, between the special tokens at either end.

    A word of which nothing is read, as after a cut, has no positions.

    >>> import explorer
    >>> [word.text for word in grouped(explorer.load("bert").encode("He doesn't like it."))]
    ['[CLS]', 'He', "doesn't", 'like', 'it', '.', '[SEP]']
    """
    found = [Word(m[0], m.start(), m.end(), []) for m in WORD.finditer(encoding.text)]
    first: list[Word] = []
    last: list[Word] = []
    for position, (_, end) in enumerate(encoding.spans):
        if encoding.special[position]:
            side = last if any(word.positions for word in found) else first
            side.append(Word(encoding.tokens[position], 0, 0, [position], special=True))
        elif found:
            # The word in which a token ends: a byte piece begins with the space before it.
            begun = [word for word in found if word.start < end]
            (begun or found)[-1 if begun else 0].positions.append(position)
    return [*first, *found, *last]


def reordered(encoding: Encoding, order: Sequence[int]) -> Encoding:
    """The same tokens with the words (not the special tokens) in another order, pieces kept together.

    The text itself stays, and each token keeps its place in it. Raises TextError for what is no order.

    >>> import explorer
    >>> encoding = explorer.load("bert").encode("The dog bit the man")
    >>> reordered(encoding, [3, 4, 2, 0, 1]).tokens
    ['[CLS]', 'the', 'man', 'bit', 'the', 'dog', '[SEP]']
    """
    at = _positions(encoding, order)
    return Encoding(
        encoding.text,
        [encoding.tokens[i] for i in at],
        encoding.ids[at],
        [encoding.spans[i] for i in at],
        encoding.special[at],
        encoding.segments[at],
        truncated=encoding.truncated,
        dropped_characters=encoding.dropped_characters,
    )


def moved(model: LanguageModel, encoding: Encoding, order: Sequence[int], positions: bool = True) -> Moved:
    """Both orders through the model, with its positions or without them, compared word by word.

    >>> import explorer
    >>> bert = explorer.load("bert")
    >>> encoding, order = bert.encode("The dog bit the man"), [3, 4, 2, 0, 1]
    >>> moved(bert, encoding, order).most > 0.1
    True
    >>> moved(bert, encoding, order, positions=False).most < 0.001  # but for rounding, nothing moves
    True
    """
    edit = None if positions else without_positions(model)
    other, at = reordered(encoding, order), _positions(encoding, order)
    first, second = (
        captured(trace.hidden_states)
        for trace in model.trace_encodings([encoding, other], Capture.HIDDEN, edit)
    )
    every = [word for word in grouped(encoding) if word.positions]
    back = torch.empty(len(at), dtype=torch.long)
    back[at] = torch.arange(len(at))  # where each token of the first order stands in the second
    second = second[:, back]
    cosines = torch.cosine_similarity(_means(first, every), _means(second, every), dim=-1)
    return Moved(every, (1 - cosines).clamp_min(0), float((first - second).abs().max()))


def _means(
    states: Float[Tensor, "depth pos d_model"], every: Sequence[Word]
) -> Float[Tensor, "depth word d_model"]:
    return torch.stack([states[:, word.positions].mean(1) for word in every], 1)


def _positions(encoding: Encoding, order: Sequence[int]) -> list[int]:
    """Which token of the first order stands at each position of the second."""
    every = grouped(encoding)
    ordinary = [word for word in every if not word.special]
    if sorted(order) != list(range(len(ordinary))):
        raise TextError(f"This is no order of {len(ordinary)} words.", "Name each word once.")
    turn = iter(order)
    taken = [word if word.special else ordinary[next(turn)] for word in every]
    return [position for word in taken for position in word.positions]
