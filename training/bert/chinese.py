"""Training `bert-zh` from zero: a BERT that reads Chinese one character at a time.

As in the BERT for Chinese of its authors (google-research/bert, multilingual.md), every Chinese character is
a token of its own; only Latin words and numbers are in pieces. Articles come in rows of neighbouring
sentences, and between them stand short everyday sentences, each in a row by itself: next to one another they
follow from nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from string import ascii_lowercase, digits, punctuation

from tokenizers import Tokenizer as Backend
from tokenizers.normalizers import BertNormalizer

from explorer.models.bert import BertConfig
from explorer.tokenizers.languages import is_ideograph
from training.bert.mini import CPU, MiniBert
from training.bert.segmented import WordParts
from training.bert.vocabulary import sample, wordpieces
from training.run.task import Recipe
from training.text.corpus import Corpus
from training.text.rows import Rows, pairs
from training.text.shards import Shards, sentences

# Besides these characters there is room for some 500 pieces of Latin words and of numbers.
D_VOCAB, CHINESE, OTHERS = 7936, 7000, 300
ASCII = ascii_lowercase + digits + punctuation
READ = BertNormalizer(lowercase=True)


class ChineseBert(MiniBert):
    """`bert-zh`: 6 x 256, from zero. With `whole_words` all characters of a word are masked together."""

    name = "bert-zh"
    d_vocab, positions = D_VOCAB, 256

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        everyday: Sequence[str] = (),
        whole_words: bool = False,
        recipe: Recipe = CPU,
        config: BertConfig | None = None,
    ) -> None:
        self._everyday = everyday
        super().__init__(corpus, held_out, folder, recipe, config)
        self._words = WordParts(corpus, self.backend, sentences, folder / "words") if whole_words else None

    def vocabulary(self, corpus: Corpus, size: int) -> Backend:
        """The most frequent characters of the whole text, and pieces made of the others."""
        counts: Counter[str] = Counter()
        for text in self._texts(corpus):
            counts.update(READ.normalize_str(text))
        alphabet = [*ASCII, *most_frequent(counts)]
        return wordpieces(self._texts(corpus), size, alphabet)

    def rows(self, shard: int, length: int, seed: int) -> Rows:
        found = self._rows(self._shards, shard, length, self.frame, seed)
        if self._words is None:
            return found
        # The same cuts, drawn from the same seed, of what says which tokens go on with a word.
        parts = self._rows(self._words, shard, length, (0, 0, 0), seed)
        return replace(found, joined=parts.ids.bool())

    def _texts(self, corpus: Corpus) -> Iterator[str]:
        return chain(sample(corpus, blocks=None), self._everyday)

    def _rows(self, shards: Shards, shard: int, length: int, frame: tuple[int, int, int], seed: int) -> Rows:
        """The rows of a shard's articles, and its share of the everyday sentences."""
        articles = pairs(shards[shard], length, frame, seed, self.recipe.short)
        alone = shards.tokenized([[sentence] for sentence in self._everyday[shard :: self.shards()]])
        return articles.and_also(pairs(alone, length, frame, seed, self.recipe.short))


def most_frequent(counts: Mapping[str, int], chinese: int = CHINESE, others: int = OTHERS) -> list[str]:
    """The Chinese characters counted most often, and the others; of equals the one that Unicode has first.

    >>> most_frequent({"b": 2, "a": 2, "天": 1, "地": 3, " ": 9}, chinese=1, others=1)
    ['地', 'a']
    """
    ranked = sorted(counts, key=lambda char: (-counts[char], char))
    signs = [char for char in ranked if not is_ideograph(char) and not char.isspace()]
    return [char for char in ranked if is_ideograph(char)][:chinese] + signs[:others]
