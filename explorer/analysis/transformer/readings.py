"""Two learnt readings of a word, and their dot products: skip-gram's, and those of an attention head.

    skip-gram   score(c, o) = v_c . u_o                 v = a row of W,  u = a row of W'
    attention   score(i, j) = q_i . k_j / sqrt(d_head)  q = x W_Q,       k = x W_K

(Mikolov et al. 2013; Vaswani et al. 2017.) In both a word is read one way where it asks and another way
where it is asked about, so that neither table of scores is symmetric. In skip-gram the scores are of
words and fixed after training; in attention they are of tokens in a text and made anew for each.
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
    """Words, the two readings of each, and the scores between them: a row asks, a column is asked."""

    words: list[str]
    first: Float[Tensor, "word d_model"]
    second: Float[Tensor, "word d_model"]
    scores: Float[Tensor, "word word"]


def of_head(walk: Walk, names: Sequence[str]) -> Readings:
    """A head's queries and keys, with its scores as they stand before any mask."""
    query, key, *_ = walk.step_giving("scores").takes  # turned, where the model turns them
    return Readings(list(names), walk.value(query), walk.value(key), walk.value("scores"))


def of_skip_gram(text: str, words: Sequence[str], settings: Settings) -> Readings:
    """Train skip-gram on a text to its end; the rows of W and of W' for some of its words.

    Raises TextError where fewer than two of the words are in the text.

    >>> found = of_skip_gram("the king met the queen and the cat " * 30, ["king", "cat"], Settings(epochs=1))
    >>> found.words, found.scores.shape
    (['king', 'cat'], torch.Size([2, 2]))
    """
    training = train(text, settings)
    for _ in training:
        pass
    rows = {word: row for row, word in enumerate(training.words)}
    known = [word for word in dict.fromkeys(words) if word in rows]
    if len(known) < 2:
        raise TextError("Fewer than two of these words are in the text.", "Try king, queen and bread.")
    places = [rows[word] for word in known]
    first, second = training.vectors.matrix[places], training.contexts[places]
    return Readings(known, first, second, first @ second.T)
