"""Training `word2vec`: skip-gram with ten negatives, over running text, on one CPU thread or a few.

    python -m explorer.training.word2vec --text corpora --held-out en-valid.txt --dev dev/wordsim

It has a loop of its own, beside `explorer.training.run.loop`: a step changes a few hundred rows of a
large table and is over in a millisecond, so that an optimiser, autograd and a report at every step
would cost more than the step. The same command goes on from where it was stopped, and then gives the
same numbers as a run that was not.
"""

import argparse
import csv
import hashlib
import json
import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

import explorer
from explorer.analysis import vectors
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
from explorer.training import record
from explorer.training.card import card
from explorer.training.metrics import analogies, similarity, static
from explorer.training.record import Record
from explorer.training.run.loop import Budget
from explorer.training.run.schedule import MOMENTS, Clock
from explorer.training.text.corpus import Corpus
from explorer.training.text.running_text import RunningText
from explorer.training.word2vec import skipgram

log = logging.getLogger("explorer.training")

D_VOCAB = 30_000
NEAREST = "{} lies nearest to [MASK]"  # how the record says it, so that the page can fill the blank
WATCHED = ("king", "france", "water", "seven", "walked", "doctor", "beautiful", "music")
TOP = 5
HELD_OUT_WORDS = 20_000


@dataclass(frozen=True)
class Recipe:
    """TRAINING's choices; `rate` falls in a straight line to 0."""

    d_model: int = 128
    window: int = 5
    negatives: int = 10
    subsample: float = 1e-4
    rate: float = 0.05
    tiles: int = 16  # learned from in one step
    part: int = 1 << 15  # words read between two looks at the clock


@dataclass
class Run:
    """One training run in a folder. A new Run on the same folder goes on where the last one was saved."""

    text: RunningText
    recipe: Recipe
    budget: Budget
    folder: Path
    clock: Clock = field(default_factory=Clock)
    look: Callable[["Run"], None] | None = None  # called at each of schedule.MOMENTS
    save_every: float = 180.0  # wall seconds
    report_every: float = 20.0
    seed: int = 0
    step: int = 0
    parts: int = 0  # of the text, read so far
    tokens: int = 0
    seen: int = 0  # how many of the moments have passed
    loss: float = 0.0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        config = Word2VecConfig(len(self.text.words), self.recipe.d_model)
        generator = torch.Generator().manual_seed(self.seed)
        self.network = initialise(Word2Vec(config, frozenset({"contexts"})), generator)
        self.shares = kept_share(self.text.counts, self.recipe.subsample)
        self.odds = negative_odds(self.text.counts)
        if self.saved.exists():
            self.load()

    @property
    def saved(self) -> Path:
        """The state to resume from."""
        return self.folder / "run.pt"

    @property
    def progress(self) -> float:
        """How much of the budget is used."""
        return self.budget.progress(self.clock.spent, self.tokens)

    def train(self) -> None:
        """Read parts of the text in random order, each once an epoch, until the budget is spent."""
        saved = reported = time.monotonic()
        before = (self.clock.spent, self.tokens)
        self._look()
        while self.progress < 1:
            self.clock.time(self._part)
            self._look()
            now = time.monotonic()
            if now - reported > self.report_every:
                self._report(before)
                reported, before = now, (self.clock.spent, self.tokens)
            if now - saved > self.save_every:
                self.save()
                saved = now
        self.save()

    def save(self) -> None:
        """Everything that the rest of the run depends on, in one atomic step."""
        numbers = {name: getattr(self, name) for name in ("step", "parts", "tokens", "seen", "loss")}
        clock = {"spent": self.clock.spent, "recent": self.clock.recent}
        partial = self.saved.with_suffix(".partial")
        torch.save({"network": self.network.state_dict(), "numbers": numbers, "clock": clock}, partial)
        partial.replace(self.saved)

    def load(self) -> None:
        """Go back to the saved state."""
        state = torch.load(self.saved, weights_only=True)
        self.network.load_state_dict(state["network"])
        for name, value in state["numbers"].items():
            setattr(self, name, value)
        self.clock.spent, self.clock.recent = state["clock"]["spent"], state["clock"]["recent"]
        log.info("resumed at step %d, %d words, %.0f s", self.step, self.tokens, self.clock.spent)

    def _part(self) -> int:
        """Learn from the next part of the text; gives the words read."""
        r = self.recipe
        count = -(-len(self.text) // r.part)
        epoch, place = divmod(self.parts, count)
        order = torch.randperm(count, generator=torch.Generator().manual_seed(self.seed + epoch))
        start = int(order[place]) * r.part
        words, lines = self.text.part(start, start + r.part)
        read = len(words)
        # A generator for each part: a resumed run draws what it would have drawn.
        generator = torch.Generator().manual_seed((self.seed << 32) + self.parts + 1)
        kept = torch.rand(read, generator=generator) < self.shares[words]
        words, lines = words[kept], lines[kept]
        rate = r.rate * max(1e-4, 1 - self.progress)
        together = r.tiles * skipgram.TILE
        for at in range(0, len(words), together):
            batch = self._tiles(words[at : at + together], lines[at : at + together], generator)
            if at == 0:  # before these words have been learned from
                with torch.no_grad():
                    self.loss = float(skipgram.loss(self.network, batch)) / max(1.0, batch.pairs)
            skipgram.update(self.network, batch, rate)
            self.step += 1
        self.parts += 1
        self.tokens += read
        return read

    def _tiles(self, words: torch.Tensor, lines: torch.Tensor, generator: torch.Generator) -> skipgram.Tiles:
        r = self.recipe
        count = -(-len(words) // skipgram.TILE)
        reach = draw_reach(len(words), r.window, generator)
        drawn = draw_negatives(self.odds, (count, skipgram.SHARED), generator)
        return skipgram.tiles(words, lines, reach, drawn, r.window, r.negatives)

    def _look(self) -> None:
        passed = sum(self.progress >= moment for moment in MOMENTS)
        if passed > self.seen:
            self.seen = passed
            if self.look is not None:
                self.look(self)
                self.save()

    def _report(self, before: tuple[float, int]) -> None:
        speed = (self.tokens - before[1]) / max(1e-9, self.clock.spent - before[0])
        row = {
            "step": self.step,
            "tokens": self.tokens,
            "seconds": round(self.clock.spent, 1),
            "loss": round(self.loss, 4),
        }
        path = self.folder / "log.csv"
        fresh = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(row))
            if fresh:
                writer.writeheader()
            writer.writerow(row)
        log.info(
            "%.1f M words  loss %.3f  %.0f words/s  %.1f %%",
            self.tokens / 1e6,
            self.loss,
            speed,
            100 * self.progress,
        )


def held_out(run: Run, text: RunningText | None) -> dict[str, float]:
    """The loss per pair on text that was not trained on, always with the same windows and negatives."""
    if text is None:
        return {}
    r, generator = run.recipe, torch.Generator().manual_seed(0)
    words, lines = text.part(0, HELD_OUT_WORDS)
    near = neighbours(lines, draw_reach(len(words), r.window, generator), r.window)
    centre, offset = near.nonzero().T
    centre, context = words[centre], words[centre + offset - r.window]
    drawn = draw_negatives(run.odds, (len(centre), r.negatives), generator)
    parts = zip(centre.split(4096), context.split(4096), drawn.split(4096), strict=True)
    with torch.no_grad():
        total = sum(float(run.network.loss(c[:, None], o, n).sum()) for c, o, n in parts)
    return {"pair_nats": total / max(1, len(centre))}


def figures(run: Run, dev: Path | None) -> dict[str, float]:
    """Analogies and rated word pairs, as `explorer.training.evaluate` measures them."""
    if dev is None:
        return {}
    table = static.Vectors(run.text.words, run.network.tokens.weight.detach())
    answered = analogies.analogies(table, dev / "questions-words.txt")["all"].accuracy
    rated = similarity.rated(table, dev / "EN-WS-353-ALL.txt").correlation
    return {"analogies": answered or 0.0, "wordsim": rated or 0.0}


def observe(run: Run) -> list[list[list[Any]]]:
    """The nearest words of the watched ones."""
    table = vectors.Vectors(run.text.words, run.network.tokens.weight.detach())
    found = [vectors.nearest(table, word, TOP) if word in table else [] for word in WATCHED]
    return [[[n.word, round(n.cosine, 4)] for n in row] for row in found]


def export(network: Word2Vec, words: list[str], folder: Path) -> None:
    """Write the words and their vectors (float16), without the table of answers, and SHA256SUMS."""
    folder.mkdir(parents=True, exist_ok=True)
    shipped = Word2Vec(network.config)
    shipped.tokens.weight.data = network.tokens.weight.data
    write_model(folder, shipped, FAMILIES["word2vec"])
    WordTokenizer(words).write(folder)
    names = ("config.json", "model.safetensors", "tokenizer_config.json", "vocab.txt")
    sums = [f"{hashlib.sha256((folder / n).read_bytes()).hexdigest()}  {n}\n" for n in names]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    (folder / "model.safetensors").chmod(0o644)


def parser() -> argparse.ArgumentParser:
    """The command line: the options of `python -m explorer.training`, as far as they apply."""
    p = argparse.ArgumentParser(prog="python -m explorer.training.word2vec", description=__doc__)
    p.add_argument(
        "--text",
        type=Path,
        nargs="+",
        metavar="PATH",
        default=[Path(os.environ.get("RIVERBANK_CORPORA", "corpora"))],
    )
    p.add_argument("--held-out", type=Path, metavar="PATH", help="text never trained on, to measure with")
    p.add_argument("--dev", type=Path, metavar="FOLDER", help="questions-words.txt and EN-WS-353-ALL.txt")
    p.add_argument("--sources", type=Path, metavar="PATH", help="Markdown on the text, for the card")
    p.add_argument("--out", type=Path, default=Path("assets/checkpoints/word2vec"))
    p.add_argument("--run", type=Path, default=Path("runs/word2vec"))
    p.add_argument("--seconds", type=float, default=3600, help="budget in seconds of training")
    p.add_argument("--tokens", type=int, help="budget in words, instead of seconds")
    p.add_argument("--rate", type=float, default=Recipe.rate)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--save-every", type=float, default=180, metavar="S")
    p.add_argument("--seed", type=int, default=0)
    return p


def main(arguments: list[str] | None = None) -> None:
    """Train until the budget is spent, then export and write the record and the card."""
    a = parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s  %(message)s", datefmt="%H:%M:%S")
    torch.set_num_threads(a.threads)
    text = RunningText.of(Corpus.open(a.text, a.run), D_VOCAB, a.run / "text")
    unseen = held_out_text(a.held_out, a.run, text.words) if a.held_out else None
    log.info("%d running words, %d in the vocabulary", len(text), len(text.words))
    moments = a.run / "points.json"

    def look(run: Run) -> None:
        seen = figures(run, a.dev) | held_out(run, unseen)
        place = {"tokens": run.tokens, "steps": run.step, "seconds": round(run.clock.spent, 1)}
        rows = observe(run)
        point = place | {"figures": record.rounded(seen), "predictions": rows}
        kept = json.loads(moments.read_text(encoding="utf-8")) if moments.exists() else []
        moments.write_text(json.dumps([*kept[: run.seen - 1], point]), encoding="utf-8")
        log.info("%s  %s", seen, [row[0][0] for row in rows if row])

    budget = Budget(tokens=a.tokens) if a.tokens else Budget(seconds=a.seconds)
    run = Run(text, Recipe(rate=a.rate), budget, a.run, look=look, save_every=a.save_every, seed=a.seed)
    run.train()
    export(run.network, text.words, a.out)
    told = Record(
        tuple(NEAREST.format(word) for word in WATCHED),
        json.loads(moments.read_text(encoding="utf-8")),
        record.curve(a.run / "log.csv", "loss"),
        facts(a, run),
        numbers="cosine",
    )
    told.write(a.out)
    (a.out / "card.md").write_text(card("word2vec", explorer.load(f"folder:{a.out}"), told), encoding="utf-8")
    log.info("exported to %s", a.out)


def held_out_text(path: Path, folder: Path, words: list[str]) -> RunningText:
    """Text in the numbers of a vocabulary that was counted on another text."""
    own = RunningText.of(Corpus.open([path], folder), 1 << 16, folder / "held-out")
    places = {word: i for i, word in enumerate(words)}
    ids = torch.tensor([places.get(word, -1) for word in own.words]).numpy()[own.ids]
    _, lines = own.part(0, len(own))
    known = ids >= 0
    ends = torch.bincount(lines[torch.from_numpy(known)], minlength=len(own.ends)).cumsum(0).numpy()
    return RunningText(words, own.counts, ids[known], ends)


def facts(a: argparse.Namespace, run: Run) -> dict[str, Any]:
    """What the card says of the run."""
    threads = torch.get_num_threads()
    told = [f"python -m explorer.training.word2vec --text {' '.join(path.name for path in a.text)}"]
    told += [f"--held-out {a.held_out.name}"] if a.held_out else []
    told += [f"--sources {a.sources}"] if a.sources else []
    told += [f"--tokens {a.tokens}" if a.tokens else f"--seconds {a.seconds:.0f}", f"--rate {a.rate}"]
    return {
        "tokens": run.tokens,
        "steps": run.step,
        "seconds": round(run.clock.spent),
        "finished": min(1.0, run.progress),
        "machine": f"{threads} CPU thread{'s' if threads > 1 else ''}, float32",
        "command": " \\\n    ".join([*told, f"--threads {a.threads}"]),
        "text": [path.name for path in a.text],
        "sources": a.sources.read_text(encoding="utf-8") if a.sources else "Its sources were not stated.",
    }


if __name__ == "__main__":
    main()
