"""Which tokens of a Chinese text belong to one word, as a segmenter finds it: nothing written tells."""

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from explorer.errors import NotFoundError
from training.text.corpus import Document
from training.text.shards import Shard, Shards

Segmenter = Callable[[str], Iterable[str]]  # the words of a text, in order, with nothing left out


def jieba_words() -> Segmenter:
    """The segmenter jieba (MIT) as it is: words of its dictionary, which is simplified, and likely ones.

    Most traditional words are found as likely ones only, by a hidden Markov model over characters: it finds
    構造, and also makes 大學上 one word. Raises NotFoundError where jieba is not installed.
    """
    try:
        import jieba
    except ImportError as error:
        raise NotFoundError(
            "The segmenter that finds words is not installed.",
            "Run: pip install --no-deps -r training/requirements.txt",
        ) from error
    jieba.setLogLevel("ERROR")
    return lambda text: jieba.cut(text)


def parts(text: str, offsets: list[tuple[int, int]], words: Iterable[str]) -> list[bool]:
    """For each token at these characters, whether the token before it belongs to the same word.

    >>> parts("他上大學", [(0, 1), (1, 2), (2, 3), (3, 4)], ["他", "上", "大學"])
    [False, False, False, True]
    """
    word_of: list[int] = []
    for number, word in enumerate(words):
        word_of += [number] * len(word)
    numbers = [word_of[start] for start, _ in offsets]
    return [False, *(one == other for one, other in pairwise(numbers))][: len(numbers)]


class WordParts(Shards):
    """Shards like those of the text itself, with a 1 for every token that goes on with a word, else 0."""

    def tokenized(self, documents: list[Document]) -> Shard:
        """The marks of some documents, with the same pieces as their tokens have."""
        segment = jieba_words()
        split = [self.split(document) for document in documents]
        texts = [piece for document in split for piece in document]
        encodings = self.backend.encode_batch(texts, add_special_tokens=False)
        marks = [parts(text, e.offsets, segment(text)) for text, e in zip(texts, encodings, strict=True)]
        return Shard(
            np.array([mark for some in marks for mark in some], dtype=np.uint16),
            np.cumsum([0, *map(len, marks)]),
            np.cumsum([0, *map(len, split)]),
        )
