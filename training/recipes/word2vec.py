"""Training `word2vec`: skip-gram with ten negatives on running text, part by part in random order.

A step changes the weights by hand: one update changes a few hundred rows of a large table. The shipped
vectors were learnt with negatives that 32 neighbouring words share (Ji et al. 2016, arXiv:1604.04661), which
is faster and has the same loss on average; here each pair draws its own, as in the paper.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Int
from torch import Generator, Tensor, nn

from explorer.models.language_model import LanguageModel
from explorer.models.word2vec import (
    Word2Vec,
    Word2VecConfig,
    draw_negatives,
    draw_reach,
    initialise,
    kept_share,
    negative_odds,
    neighbours,
)
from explorer.tokenizers.words import WordTokenizer, most_frequent, running_words
from training.loop import Schedule, Task
from training.recipes import Sources
from training.text import Corpus

D_VOCAB, D_MODEL = 30_000, 128
WINDOW, NEGATIVES, SUBSAMPLE, RATE = 5, 10, 1e-4, 0.05
TOGETHER = 512  # words of one update
PART = 1 << 15  # words of a step


@dataclass(frozen=True, eq=False)
class Words:
    """Running words as ranks in a vocabulary, with the line number of each."""

    ids: Int[Tensor, "pos"]
    lines: Int[Tensor, "pos"]

    @classmethod
    def of(cls, corpus: Corpus, words: list[str]) -> "Words":
        """Text of a corpus without the words outside the vocabulary."""
        ranks = {word: rank for rank, word in enumerate(words)}
        lines = [
            np.array([ranks[word] for word in running_words(paragraph) if word in ranks], dtype=np.int64)
            for document in corpus.sample()
            for paragraph in document
        ]
        numbers = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
        return cls(torch.from_numpy(np.concatenate(lines)), torch.from_numpy(numbers))

    def __getitem__(self, places: slice | Tensor) -> "Words":
        return Words(self.ids[places], self.lines[places])

    def read(self, length: int) -> int:
        """Number of words."""
        return len(self.ids)


@dataclass(frozen=True)
class Parts:
    """Parts of `length` words that the feed draws from, each as a row."""

    text: Words
    length: int

    def __len__(self) -> int:
        return -(-len(self.text.ids) // self.length)

    def take(self, rows: Tensor) -> Words:
        """Words of a single row."""
        start = int(rows) * self.length
        return self.text[start : start + self.length]


class Word2VecTask(Task):
    """Vectors of words, learnt by steps too small for an optimiser."""

    name = "word2vec"
    network: Word2Vec
    curves: ClassVar = {"": "loss"}

    def __init__(
        self, corpus: Corpus, rate: float, d_vocab: int, d_model: int, part: int, together: int
    ) -> None:
        paragraphs = (paragraph for document in corpus.sample() for paragraph in document)
        words, counts = zip(*most_frequent(paragraphs, d_vocab), strict=True)
        self.words, self.rate, self.together = list(words), rate, together
        self.text = Words.of(corpus, self.words)
        self.schedule = Schedule(((0.0, part),), batch=(1, 1))  # a row is a part of this many words
        config = Word2VecConfig(len(self.words), d_model)
        self.network = initialise(Word2Vec(config, frozenset({"contexts"})), Generator().manual_seed(0))
        self.network.tokens.sparse = self.network.contexts.sparse = True  # gradients of the rows in use
        self._shares = kept_share(torch.tensor(counts), SUBSAMPLE)
        self._odds = negative_odds(torch.tensor(counts))

    def optimisers(self) -> list[torch.optim.Optimizer]:
        """None: `loss` changes the weights."""
        return []

    def shards(self) -> int:
        return 1

    def rows(self, shard: int, length: int, seed: int) -> Parts:
        return Parts(self.text, length)

    def loss(self, rows: Words, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        """Loss per pair before the part is learnt; the weights change, at a rate that falls linearly to 0."""
        generator = Generator().manual_seed(step)
        words = rows[torch.rand(len(rows.ids), generator=generator) < self._shares[rows.ids]]
        rate, first = self.rate * max(1e-4, 1 - progress), torch.zeros(())
        for at in range(0, len(words.ids), self.together):
            losses = self.pair_losses(words[at : at + self.together], generator)
            if at == 0 and len(losses):
                first = losses.detach().mean()
            self._descend(losses.sum(), rate)
        return first, {}

    def pair_losses(self, words: Words, generator: Generator) -> Tensor:
        """Loss of each pair of a word and one in its window, with negatives of its own."""
        near = neighbours(words.lines, draw_reach(len(words.ids), WINDOW, generator), WINDOW)
        centre, offset = near.nonzero().T
        negatives = draw_negatives(self._odds, (len(centre), NEGATIVES), generator)
        return self.network.loss(words.ids[centre][:, None], words.ids[centre + offset - WINDOW], negatives)

    def _descend(self, loss: Tensor, rate: float) -> None:
        """Take one step down the gradient, in which no row moves by more than 1.

        For a word that occurs very often in it (a list, a refrain) the step would else be far too long.
        """
        tables = list(self.network.parameters())
        for table, gradient in zip(tables, torch.autograd.grad(loss, tables), strict=True):
            rows = gradient.coalesce()
            change = rate * rows.values()
            change /= change.norm(dim=1, keepdim=True).clamp_min(1)
            table.data.index_add_(0, rows.indices()[0], change, alpha=-1)

    def networks(self) -> dict[str, nn.Module]:
        """The vectors without the second table, which only training needs."""
        network = Word2Vec(self.network.config)
        network.tokens = self.network.tokens
        return {"": network}

    @torch.no_grad()
    def held_out(self, model: LanguageModel, corpus: Corpus | None, limit: int | None) -> dict[str, float]:
        """Loss per pair on held-out text, always with the same windows and negatives."""
        if corpus is None:
            return {}
        words, generator = Words.of(corpus, self.words)[:limit], Generator().manual_seed(0)
        parts = range(0, len(words.ids), self.together)
        losses = [self.pair_losses(words[at : at + self.together], generator) for at in parts]
        return {"pair_nats": float(torch.cat(losses).mean())}

    def write_tokenizer(self, folder: Path) -> None:
        WordTokenizer(self.words).write(folder)


def begin(sources: Sources) -> Word2VecTask:
    """The task on the given text; without an optimiser it has the factor of the rates itself."""
    return Word2VecTask(sources.corpus, sources.rate * RATE, D_VOCAB, D_MODEL, PART, TOGETHER)
