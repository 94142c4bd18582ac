"""Training `word2vec`: skip-gram with ten negatives on running text, part by part in random order.

A step changes the weights by hand: one of its updates changes a few hundred rows of a large table in a
millisecond, so autograd and an optimiser would cost more than the update.
"""

from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Generator, Tensor

from explorer.checkpoints.format import write_model
from explorer.models import FAMILIES
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
from explorer.tokenizers.words import WordTokenizer
from training.average import sign
from training.run.schedule import Schedule
from training.run.task import Task
from training.text.running_text import RunningText
from training.word2vec import skipgram

D_VOCAB = 30_000
WINDOW, NEGATIVES, SUBSAMPLE, RATE = 5, 10, 1e-4, 0.05
TOGETHER = 16 * skipgram.TILE  # words of one update
PART = 1 << 15  # words of a step


@dataclass(frozen=True, eq=False)
class Words:
    """Running words, with the line number of each."""

    words: Int[Tensor, "pos"]
    lines: Int[Tensor, "pos"]

    def read(self, length: int) -> int:
        """Number of words."""
        return len(self.words)


@dataclass(frozen=True)
class TextParts:
    """TextParts of `length` words that `feed.Feed` draws from, each as a row."""

    text: RunningText
    length: int

    def __len__(self) -> int:
        return -(-len(self.text) // self.length)

    def take(self, rows: Tensor) -> Words:
        """Words of a single row."""
        start = int(rows) * self.length
        return Words(*self.text.part(start, start + self.length))

    def to(self, device: torch.device) -> "TextParts":
        """Itself: a part is read when it is drawn."""
        return self


class Word2VecTask(Task):
    """Skip-gram's parts, updates, held-out measure and files (see `run.task.Task`)."""

    name = "word2vec"
    curve_figure = "loss"
    on_cpu = True

    def __init__(
        self,
        text: RunningText,
        held_out: RunningText | None,
        rate: float = RATE,
        d_model: int = 128,
        part: int = PART,
    ) -> None:
        self.text = text
        self._held_out = held_out and held_out.read_with(text)
        self.rate = rate
        self.schedule = Schedule(((0.0, part),), batch=(1, 1))  # a row is a part of this many words
        config = Word2VecConfig(len(self.text.words), d_model)
        self.network = initialise(Word2Vec(config, frozenset({"contexts"})), Generator().manual_seed(0))
        self._shares = kept_share(self.text.counts, SUBSAMPLE)
        self._odds = negative_odds(self.text.counts)

    def optimisers(self) -> list[torch.optim.Optimizer]:
        """None: `loss` changes the weights."""
        return []

    def rows(self, shard: int, length: int, seed: int) -> TextParts:
        return TextParts(self.text, length)

    def loss(self, rows: Words, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        """Loss per pair before the part is learnt; the weights change, at a rate that falls linearly to 0."""
        generator = Generator().manual_seed(step)
        sampled = torch.rand(len(rows.words), generator=generator) < self._shares[rows.words]
        words, lines = rows.words[sampled], rows.lines[sampled]
        rate, loss = self.rate * max(1e-4, 1 - progress), torch.zeros(())
        for at in range(0, len(words), TOGETHER):
            batch = self._tiles(words[at : at + TOGETHER], lines[at : at + TOGETHER], generator)
            if at == 0:
                with torch.no_grad():
                    loss = skipgram.loss(self.network, batch) / max(1.0, batch.pairs)
            skipgram.update(self.network, batch, rate)
        return loss, {}

    @torch.no_grad()
    def held_out(self, limit: int | None) -> dict[str, float]:
        """Loss per pair on held-out text, always with the same windows and negatives."""
        if self._held_out is None:
            return {}
        generator = Generator().manual_seed(0)
        words, lines = self._held_out.part(0, limit or len(self._held_out))
        near = neighbours(lines, draw_reach(len(words), WINDOW, generator), WINDOW)
        centre, offset = near.nonzero().T
        centre, context = words[centre], words[centre + offset - WINDOW]
        negatives = draw_negatives(self._odds, (len(centre), NEGATIVES), generator)
        parts = zip(centre.split(4096), context.split(4096), negatives.split(4096), strict=True)
        total = sum(float(self.network.loss(c[:, None], o, n).sum()) for c, o, n in parts)
        return {"pair_nats": total / max(1, len(centre))}

    def write_tokenizer(self, folder: Path) -> None:
        WordTokenizer(self.text.words).write(folder)

    def after_export(self, folder: Path) -> None:
        """Write the weights without the context vectors, which only training needs."""
        network = Word2Vec(self.network.config)
        network.tokens = self.network.tokens
        write_model(folder, network, FAMILIES[self.name])
        sign(folder)

    def _tiles(self, words: Tensor, lines: Tensor, generator: Generator) -> skipgram.Tiles:
        reach = draw_reach(len(words), WINDOW, generator)
        negatives = draw_negatives(self._odds, (-(-len(words) // skipgram.TILE), skipgram.SHARED), generator)
        return skipgram.tiles(words, lines, reach, negatives, WINDOW, NEGATIVES)
