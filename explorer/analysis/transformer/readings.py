"""Two learnt vectors for each word, and their dot products: skip-gram's, and those of an attention head.

    skip-gram   score(c, o) = v_c . u_o                 v = a row of W,  u = a row of W'
    attention   score(i, j) = q_i . k_j / sqrt(d_head)  q = x W_Q,       k = x W_K

(Mikolov et al. 2013; Vaswani et al. 2017.) In both, a word has one vector as the query and another one as
the key, so that neither table of scores is symmetric. In skip-gram the scores belong to words and are fixed
after training; in attention they belong to the tokens of one text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.transformer.layer_walk import Walk
from explorer.analysis.vectors.train import Settings, train
from explorer.errors import TextError


@dataclass(frozen=True, eq=False)
class Readings:
    """Words, the two vectors of each, and the scores between them: rows are queries, columns are keys."""

    words: list[str]
    first: Float[Tensor, "word d_model"]
    second: Float[Tensor, "word d_model"]
    scores: Float[Tensor, "word word"]


def head_readings(walk: Walk, names: Sequence[str]) -> Readings:
    """A head's queries and keys, with its scores before any mask."""
    query, key, *_ = walk.step_giving("scores").takes  # rotated, if the model has rotary positions
    return Readings(list(names), walk.value(query), walk.value(key), walk.value("scores"))


def train_skipgram_readings(text: str, words: Sequence[str], settings: Settings) -> Readings:
    """Rows of W and of W' for some words, after training skip-gram on a text.

    Raises TextError if fewer than two of the words are in the text.

    >>> text = "the king met the queen and the cat " * 30
    >>> readings = train_skipgram_readings(text, ["king", "cat"], Settings(epochs=1))
    >>> readings.words, readings.scores.shape
    (['king', 'cat'], torch.Size([2, 2]))
    """
    training = train(text, settings)
    for _ in training:
        pass
    rows = {word: row for row, word in enumerate(training.words)}
    present = [word for word in dict.fromkeys(words) if word in rows]
    if len(present) < 2:
        raise TextError("Fewer than two of these words are in the text.", "Try king, queen and bread.")
    numbers = [rows[word] for word in present]
    first, second = training.vectors.matrix[numbers], training.contexts[numbers]
    return Readings(present, first, second, first @ second.T)
