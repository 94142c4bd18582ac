"""Training `bert-zh`: the recipe of `bert-mini` on Chinese, one character a token.

So does the Chinese BERT of its authors (google-research/bert, multilingual.md); only Latin words and numbers
are split into pieces.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from string import ascii_lowercase, digits, punctuation

from tokenizers import Tokenizer as Backend
from tokenizers.normalizers import BertNormalizer

from explorer.models.bert import BertConfig
from explorer.models.language_model import LanguageModel
from explorer.tokenizers.languages import is_ideograph
from training.loop import Schedule
from training.recipes import Sources, bert_mini
from training.recipes.bert_mini import SCHEDULE, MiniBert
from training.recipes.masked import sample_texts, train_wordpieces
from training.rows import Rows, pairs
from training.sentence_pairs import HELD_OUT_CHINESE, split_chinese
from training.text import Corpus

# Besides these characters there is room for some 500 pieces of Latin words and of numbers.
CHINESE, OTHERS = 7000, 300
CONFIG = replace(bert_mini.CONFIG, d_vocab=7936, positions=256)
ASCII = ascii_lowercase + digits + punctuation
NORMALIZER = BertNormalizer(lowercase=True)


class ChineseBert(MiniBert):
    """6 layers of 256.

    Articles are read in rows of neighbouring sentences. Short everyday sentences are unrelated to each other,
    so each has its own row.
    """

    name = "bert-zh"

    def __init__(
        self,
        corpus: Corpus,
        everyday: Sequence[str],
        start: LanguageModel | None,
        schedule: Schedule,
        config: BertConfig,
    ) -> None:
        self._everyday = everyday
        super().__init__(corpus, start, schedule, config)

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


def begin(sources: Sources) -> ChineseBert:
    """The task on articles, with the Chinese side of the pairs as everyday sentences."""
    pairs = split_chinese(sources.pairs, HELD_OUT_CHINESE).train if sources.pairs else []
    everyday = list(dict.fromkeys(chinese for _, chinese in pairs))
    return ChineseBert(sources.corpus, everyday, sources.model, SCHEDULE, CONFIG)
