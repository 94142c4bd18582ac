"""A search for words, without any model: BM25 (Robertson and Zaragoza 2009, section 3.4)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import regex
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.sentences.ranking import Match, Ranking
from explorer.errors import TextError
from explorer.short_text import WithShortText
from explorer.text.folding import fold
from explorer.text.letters import WORD

SATURATION, LENGTH_SHARE = 1.2, 0.75  # k1 and b of the paper
_WORD = regex.compile(WORD)


def words_of(text: str) -> list[str]:
    """The words of a text, in one spelling.

    >>> words_of("It’s a Ferry!")
    ['it', 's', 'a', 'ferry']
    """
    return [match[0] for match in _WORD.finditer(fold(text))]


@dataclass(frozen=True, eq=False, repr=False)
class WordScores(WithShortText):
    """What each different word of a question adds to the score of each passage; 0 where it does not occur.

    >>> bm25("the ferry", ["The ferry sails.", "The school."]).scores.shape
    torch.Size([2, 2])
    """

    words: list[str]
    passages: list[str]
    scores: Float[Tensor, "word passage"]

    def ranking(self, question: str, top: int = 5) -> Ranking:
        """The passages with the highest sums; those with none of the words are left out."""
        totals = self.scores.sum(0)
        best = totals.sort(descending=True, stable=True).indices[:top].tolist()
        matches = [Match(index, self.passages[index], float(totals[index])) for index in best]
        return Ranking(question, [match for match in matches if match.score > 0])


def bm25(question: str, passages: Sequence[str]) -> WordScores:
    """How well the words of a question fit each passage: rare words count more, long passages less.

    A word adds log(1 + (N − n + ½) / (n + ½)) · f · (k1 + 1) / (f + k1 · (1 − b + b · length / mean length))
    if it occurs f times, in n of N passages; 1 inside the logarithm, as Lucene has it, keeps common words
    from counting less than nothing. Raises TextError if there is no passage.

    >>> bm25("When does the ferry sail?", ["The ferry sails.", "The school."]).scores.sum(0).argmax()
    tensor(0)
    """
    if not passages:
        raise TextError("There is no passage to search.", "Give the text that is to be searched.")
    counts = [Counter(words_of(passage)) for passage in passages]
    lengths = torch.tensor([float(count.total()) for count in counts])
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths / lengths.mean().clamp_min(1))
    words = list(dict.fromkeys(words_of(question)))
    scores = torch.zeros(len(words), len(passages))
    for row, word in enumerate(words):
        times = torch.tensor([float(count[word]) for count in counts])
        containing = int((times > 0).sum())
        rarity = log(1 + (len(passages) - containing + 0.5) / (containing + 0.5))
        scores[row] = rarity * times * (SATURATION + 1) / (times + damping)
    return WordScores(words, list(passages), scores)
