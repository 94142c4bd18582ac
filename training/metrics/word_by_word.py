"""Translation word by word: each English word becomes the French word that it is most often aligned with.

The alignment is IBM model 1 (Brown et al. 1993, "The Mathematics of Statistical Machine Translation",
section 4.2): t(f | e), fitted by expectation-maximisation to pairs of sentences as bags of words. It is a
dictionary without order, agreement or context: a baseline for a translator.
"""

import re
from collections.abc import Sequence

import numpy as np

from training.sentence_pairs import Pair

ROUNDS = 5
NOTHING = ""  # source of French words without an English one
TOKEN = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")


class WordByWord:
    """Dictionary learnt from pairs.

    >>> pairs = [("a cat", "un chat"), ("a dog", "un chien"), ("the dog", "le chien"), ("dog", "chien")]
    >>> WordByWord(pairs).translate("The dog, a cat!")
    'le chien , un chat !'
    """

    def __init__(self, pairs: Sequence[Pair], rounds: int = ROUNDS) -> None:
        english: dict[str, int] = {NOTHING: 0}
        french: dict[str, int] = {}
        sources, targets, sentences = [], [], []
        sentence = 0
        for one, other in pairs:
            ids = [0, *(english.setdefault(word, len(english)) for word in tokens(one))]
            for word in tokens(other):
                f = french.setdefault(word, len(french))
                sources += ids
                targets += [f] * len(ids)
                sentences += [sentence] * len(ids)
                sentence += 1  # one French word of one pair: its alignments share a total of 1
        group = np.array(sentences)
        aligned = np.array(sources, dtype=np.int64) * len(french) + np.array(targets)
        keys, place = np.unique(aligned, return_inverse=True)
        of = keys // len(french)
        t = np.full(len(keys), 1.0)
        for _ in range(rounds):
            weight = t[place]
            weight /= np.bincount(group, weight)[group]
            counts = np.bincount(place, weight)
            t = counts / np.bincount(of, counts)[of]
        words = list(french)
        self.best: dict[str, str] = {}
        names = list(english)
        for at in np.argsort(t, kind="stable"):
            self.best[names[of[at]]] = words[keys[at] % len(french)]

    def translate(self, sentence: str) -> str:
        """Best French word for each word; an unknown word stays."""
        return " ".join(self.best.get(word, word) for word in tokens(sentence))


def tokens(sentence: str) -> list[str]:
    """Words in lower case and punctuation marks."""
    return TOKEN.findall(sentence.lower())
