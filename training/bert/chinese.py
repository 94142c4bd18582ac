"""Training `bert-zh` from random weights: a BERT that reads Chinese one character at a time.

As in the Chinese BERT of its authors (google-research/bert, multilingual.md), every Chinese character is a
token; only Latin words and numbers are split into pieces. Articles are read in rows of neighbouring
sentences. Short everyday sentences are unrelated to each other, so each has its own row.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from string import ascii_lowercase, digits, punctuation

from tokenizers import Tokenizer as Backend
from tokenizers.normalizers import BertNormalizer

from explorer.models.bert import BertConfig
from explorer.tokenizers.languages import is_ideograph
from training.bert.mini import SCHEDULE, MiniBert
from training.bert.wordpieces import sample_texts, train_wordpieces
from training.run.schedule import Schedule
from training.text.corpus import Corpus
from training.text.rows import Rows, pairs

# Besides these characters there is room for some 500 pieces of Latin words and of numbers.
D_VOCAB, CHINESE, OTHERS = 7936, 7000, 300
ASCII = ascii_lowercase + digits + punctuation
NORMALIZER = BertNormalizer(lowercase=True)


class ChineseBert(MiniBert):
    """`bert-zh`: 6 layers of 256, from random weights."""

    name = "bert-zh"
    d_vocab, positions = D_VOCAB, 256

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        everyday: Sequence[str] = (),
        schedule: Schedule = SCHEDULE,
        config: BertConfig | None = None,
    ) -> None:
        self._everyday = everyday
        super().__init__(corpus, held_out, folder, schedule, config)

    def train_tokenizer(self, corpus: Corpus, size: int) -> Backend:
        """The most frequent characters of the whole text, and pieces of the others."""
        counts: Counter[str] = Counter()
        for text in self._texts(corpus):
            counts.update(NORMALIZER.normalize_str(text))
        return train_wordpieces(self._texts(corpus), size, [*ASCII, *most_frequent(counts)])

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        """Rows of a shard's articles, and its share of the everyday sentences."""
        everyday = self._shards.tokenized([[text] for text in self._everyday[shard :: self.shards()]])
        rows = super().rows(shard, length, seed)
        return rows.concatenate(pairs(everyday, length, self.frame, seed, self.schedule.short))

    def _texts(self, corpus: Corpus) -> Iterator[str]:
        return chain(sample_texts(corpus, blocks=None), self._everyday)


def most_frequent(counts: Mapping[str, int], chinese: int = CHINESE, others: int = OTHERS) -> list[str]:
    """The most frequent Chinese characters and the most frequent others; ties in the order of Unicode.

    >>> most_frequent({"b": 2, "a": 2, "天": 1, "地": 3, " ": 9}, chinese=1, others=1)
    ['地', 'a']
    """
    ranked = sorted(counts, key=lambda char: (-counts[char], char))
    signs = [char for char in ranked if not is_ideograph(char) and not char.isspace()]
    return [char for char in ranked if is_ideograph(char)][:chinese] + signs[:others]
