"""A search for words, without any model: BM25 (Robertson and Zaragoza 2009, section 3.4)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.sentences.ranking import Match, Ranking
from explorer.errors import TextError
from explorer.locale import _
from explorer.text.folding import fold
from explorer.text.words import words, words_sought

SATURATION, LENGTH_SHARE = 1.2, 0.75  # k1 and b of the paper


def bm25(question: str, passages: Sequence[str], top: int = 5) -> Ranking:
    """The passages that the words of a question fit best: rare words count more, long passages less.

    A word adds log(1 + (N − n + ½) / (n + ½)) · f · (k1 + 1) / (f + k1 · (1 − b + b · length / mean length))
    if it occurs f times, in n of N passages; 1 inside the logarithm, as Lucene has it, keeps common words
    from counting less than nothing. Passages with none of the words are left out. Raises TextError if there
    is no passage. `explorer.text.words` says what a word is where there are no spaces; one that is twice in
    the question counts once.

    >>> [match.text for match in bm25("When does the ferry sail?", ["The ferry sails.", "A school."]).matches]
    ['The ferry sails.']
    """
    (scores,) = _scores([question], passages)
    best = scores.sort(descending=True, stable=True).indices[:top].tolist()
    matches = [Match(index, passages[index], float(scores[index])) for index in best]
    return Ranking(question, [match for match in matches if match.score > 0])


def best_by_words(questions: Sequence[str], passages: Sequence[str]) -> list[float]:
    """The highest score, by `bm25`, that each question reaches; 0 where no passage has a word of it.

    >>> [score > 0 for score in best_by_words(["The ferry?", "A yak?"], ["The ferry sails."])]
    [True, False]
    """
    return [float(scores.max()) for scores in _scores(questions, passages)]


def _scores(questions: Sequence[str], passages: Sequence[str]) -> Iterator[Float[Tensor, "passage"]]:
    if not passages:
        raise TextError(_("There is no passage to search."), _("Give the text that is to be searched."))
    counts = [Counter(words(fold(passage))) for passage in passages]
    lengths = torch.tensor([float(count.total()) for count in counts])
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths / lengths.mean().clamp_min(1))
    for question in questions:
        scores = torch.zeros(len(passages))
        for word in dict.fromkeys(words_sought(fold(question))):
            times = torch.tensor([float(count[word]) for count in counts])
            containing = int((times > 0).sum())
            rarity = log(1 + (len(passages) - containing + 0.5) / (containing + 0.5))
            scores += rarity * times * (SATURATION + 1) / (times + damping)
        yield scores
