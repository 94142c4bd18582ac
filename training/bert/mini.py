"""Training `bert-mini` and the Chinese `bert-zh` from random weights, with vocabularies of their own.

`bert-mini` has read nothing but the stated text, so its record shows what is learnt when. `bert-zh` reads
Chinese one character at a time, as the Chinese BERT of its authors (google-research/bert, multilingual.md);
only Latin words and numbers are split into pieces.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from string import ascii_lowercase, digits, punctuation

import torch
from tokenizers import Tokenizer as Backend
from tokenizers.normalizers import BertNormalizer

from explorer.models.bert import HEADS, Bert, BertConfig
from explorer.tokenizers.languages import is_ideograph
from training.bert.task import BertTask
from training.bert.wordpieces import sample_texts, train_wordpieces
from training.run.optimiser import muon_and_adamw
from training.run.schedule import Schedule
from training.run.task import initialise_normal, log_frequencies, stored_tokenizer
from training.text.corpus import Corpus
from training.text.rows import Rows, pairs

D_VOCAB = 8192
# A network with random weights first learns which words are frequent, and more blanks teach that sooner; the
# texts that it reads later, in the app, have few.
MASKED = (0.30, 0.15)
# A sentence or two teach grammar as well as a paragraph, and a CPU reads short rows a quarter faster.
# A narrow batch learns more from the same tokens.
SCHEDULE = Schedule(
    lengths=((0.0, 64), (0.6, 128), (0.9, 256)),
    batch=(4096, 4096),
    masked=MASKED,
    short=0.2,
    copy_positions=True,
)
# A third of the rates that suit a GPT: BERT normalises after each addition and needs smaller steps. With Muon
# at 0.02 and steps of 2,048 tokens the loss rose again after the first million.
MUON, ADAMW = 0.007, 1.05e-3


class MiniBert(BertTask):
    """`bert-mini`: 6 layers of 256, from random weights."""

    name = "bert-mini"
    d_vocab, positions = D_VOCAB, 512
    network_class: type[Bert] = Bert

    def __init__(
        self,
        corpus: Corpus,
        held_out: Corpus | None,
        folder: Path,
        schedule: Schedule = SCHEDULE,
        config: BertConfig | None = None,
    ) -> None:
        size = config.d_vocab if config else self.d_vocab
        backend = stored_tokenizer(folder / "tokenizer.json", lambda: self.train_tokenizer(corpus, size))
        super().__init__(backend, corpus, held_out, folder, schedule)
        d_vocab = backend.get_vocab_size()  # a small text may have fewer tokens
        config = config or BertConfig(
            d_vocab, d_model=256, layers=6, heads=8, d_mlp=1024, positions=self.positions
        )
        self.network = self.network_class(replace(config, d_vocab=d_vocab), HEADS)
        initialise_normal(self.network)
        assert self.network.mlm_head is not None, "a network in training has its heads"
        self.network.mlm_head.bias.data.copy_(log_frequencies(self.counts()))

    def train_tokenizer(self, corpus: Corpus, size: int) -> Backend:
        """WordPiece from a sample of the text."""
        return train_wordpieces(sample_texts(corpus), size)

    def optimisers(self) -> list[torch.optim.Optimizer]:
        return muon_and_adamw(self.network, MUON, ADAMW)


# Besides these characters there is room for some 500 pieces of Latin words and of numbers.
D_VOCAB, CHINESE, OTHERS = 7936, 7000, 300
ASCII = ascii_lowercase + digits + punctuation
NORMALIZER = BertNormalizer(lowercase=True)


class ChineseBert(MiniBert):
    """`bert-zh`: 6 layers of 256, from random weights.

    Articles are read in rows of neighbouring sentences. Short everyday sentences are unrelated to each other,
    so each has its own row.
    """

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
