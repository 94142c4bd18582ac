"""A run of skip-gram over a text, part by part in random order, that resumes exactly."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch

from explorer.models.word2vec import (
    Word2Vec,
    Word2VecConfig,
    draw_negatives,
    draw_reach,
    initialise,
    kept_share,
    negative_odds,
)
from training.run.base import BaseRun, Budget
from training.run.schedule import Clock
from training.text.running_text import RunningText
from training.word2vec import skipgram

log = logging.getLogger("training")


@dataclass(frozen=True)
class Hyperparameters:
    """Hyperparameters of skip-gram; `rate` falls linearly to 0."""

    d_model: int = 128
    window: int = 5
    negatives: int = 10
    subsample: float = 1e-4
    rate: float = 0.05
    tiles: int = 16  # of one step
    part: int = 1 << 15  # words of one part of the text


@dataclass
class Run(BaseRun):
    """Training run in a folder. A new Run on the same folder resumes from the saved state."""

    text: RunningText
    hyperparameters: Hyperparameters
    budget: Budget
    folder: Path
    clock: Clock = field(default_factory=Clock)
    at_milestone: Callable[["Run"], None] | None = None  # called at each of schedule.MILESTONES
    save_every: float = 180.0  # wall seconds
    report_every: float = 20.0
    seed: int = 0
    step: int = 0
    parts: int = 0  # of the text, read so far
    tokens: int = 0
    passed: int = 0  # number of milestones behind
    loss: float = 0.0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        config = Word2VecConfig(len(self.text.words), self.hyperparameters.d_model)
        generator = torch.Generator().manual_seed(self.seed)
        self.network = initialise(Word2Vec(config, frozenset({"contexts"})), generator)
        self.shares = kept_share(self.text.counts, self.hyperparameters.subsample)
        self.odds = negative_odds(self.text.counts)
        if self.saved.exists():
            self.load()

    def save(self) -> None:
        """Store everything that the rest of the run depends on, atomically."""
        numbers = {name: getattr(self, name) for name in ("step", "parts", "tokens", "passed", "loss")}
        clock = {"spent": self.clock.spent, "recent": self.clock.recent}
        self._write({"network": self.network.state_dict(), "numbers": numbers, "clock": clock})

    def load(self) -> None:
        """Restore the saved state."""
        state = torch.load(self.saved, weights_only=True)
        self.network.load_state_dict(state["network"])
        for name, value in state["numbers"].items():
            setattr(self, name, value)
        self.clock.spent, self.clock.recent = state["clock"]["spent"], state["clock"]["recent"]
        log.info("resumed at step %d, %d words, %.0f s", self.step, self.tokens, self.clock.spent)

    def _step(self) -> int:
        """Learn from the next part of the text, and return the words read."""
        r = self.hyperparameters
        count = -(-len(self.text) // r.part)
        epoch, place = divmod(self.parts, count)
        order = torch.randperm(count, generator=torch.Generator().manual_seed(self.seed + epoch))
        start = int(order[place]) * r.part
        words, lines = self.text.part(start, start + r.part)
        read = len(words)
        # A generator for each part: a resumed run draws the same numbers.
        generator = torch.Generator().manual_seed((self.seed << 32) + self.parts + 1)
        sampled = torch.rand(read, generator=generator) < self.shares[words]
        words, lines = words[sampled], lines[sampled]
        rate = r.rate * max(1e-4, 1 - self.progress)
        together = r.tiles * skipgram.TILE
        for at in range(0, len(words), together):
            batch = self._tiles(words[at : at + together], lines[at : at + together], generator)
            if at == 0:  # before these words change the weights
                with torch.no_grad():
                    self.loss = float(skipgram.loss(self.network, batch)) / max(1.0, batch.pairs)
            skipgram.update(self.network, batch, rate)
            self.step += 1
        self.parts += 1
        self.tokens += read
        return read

    def _tiles(self, words: torch.Tensor, lines: torch.Tensor, generator: torch.Generator) -> skipgram.Tiles:
        r = self.hyperparameters
        count = -(-len(words) // skipgram.TILE)
        reach = draw_reach(len(words), r.window, generator)
        negatives = draw_negatives(self.odds, (count, skipgram.SHARED), generator)
        return skipgram.tiles(words, lines, reach, negatives, r.window, r.negatives)

    def _report(self, before: tuple[float, int]) -> None:
        speed = (self.tokens - before[1]) / max(1e-9, self.clock.spent - before[0])
        self._row("log.csv", self.place | {"loss": round(self.loss, 4)})
        log.info(
            "%.1f M words  loss %.3f  %.0f words/s  %.1f %%",
            self.tokens / 1e6,
            self.loss,
            speed,
            100 * self.progress,
        )
