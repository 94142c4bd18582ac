"""Training `word2vec`: skip-gram with ten negatives on running text.

It has steps of its own (`run.py`) instead of `training.run.loop`: one changes a few hundred rows of a large
table in a millisecond, so an optimiser, autograd and a report at every step would cost more than the step.
"""

import argparse
import json
import logging
from pathlib import Path
from typing import Any

import torch

from explorer.analysis import vectors
from explorer.checkpoints.format import write_model
from explorer.models import FAMILIES
from explorer.models.word2vec import (
    Word2Vec,
    draw_negatives,
    draw_reach,
    neighbours,
)
from explorer.tokenizers.words import WordTokenizer
from training import record
from training.card import write_card
from training.export import sign
from training.metrics import analogies, similarity, static
from training.options import facts
from training.record import Record
from training.run.base import Budget
from training.text.corpus import Corpus
from training.text.running_text import RunningText
from training.word2vec.run import Hyperparameters, Run

log = logging.getLogger("training")

D_VOCAB = 30_000
SENTENCE = "{} lies nearest to [MASK]"  # in the record: the page fills the blank
WATCHED = ("king", "france", "water", "seven", "walked", "doctor", "beautiful", "music")
TOP = 5
HELD_OUT_WORDS = 20_000


def held_out_loss(run: Run, text: RunningText | None) -> dict[str, float]:
    """Loss per pair on held-out text, always with the same windows and negatives."""
    if text is None:
        return {}
    r, generator = run.hyperparameters, torch.Generator().manual_seed(0)
    words, lines = text.part(0, HELD_OUT_WORDS)
    near = neighbours(lines, draw_reach(len(words), r.window, generator), r.window)
    centre, offset = near.nonzero().T
    centre, context = words[centre], words[centre + offset - r.window]
    negatives = draw_negatives(run.odds, (len(centre), r.negatives), generator)
    parts = zip(centre.split(4096), context.split(4096), negatives.split(4096), strict=True)
    with torch.no_grad():
        total = sum(float(run.network.loss(c[:, None], o, n).sum()) for c, o, n in parts)
    return {"pair_nats": total / max(1, len(centre))}


def measure(run: Run, dev: Path | None) -> dict[str, float]:
    """Figures on analogies and rated word pairs, as `training.evaluate` measures them."""
    if dev is None:
        return {}
    table = static.Vectors(run.text.words, run.network.tokens.weight.detach())
    accuracy = analogies.analogies(table, dev / "questions-words.txt")["all"].accuracy
    correlation = similarity.rated(table, dev / "EN-WS-353-ALL.txt").correlation
    return {"analogies": accuracy or 0.0, "wordsim": correlation or 0.0}


def neighbours_of_watched(run: Run) -> list[list[list[Any]]]:
    """Nearest words of the watched words, with their cosines."""
    table = vectors.Vectors(run.text.words, run.network.tokens.weight.detach())
    neighbours = [vectors.nearest(table, word, TOP) if word in table else [] for word in WATCHED]
    return [[[n.word, round(n.cosine, 4)] for n in row] for row in neighbours]


def export(network: Word2Vec, words: list[str], folder: Path) -> None:
    """Write the words and their vectors (float16), without the context vectors, and SHA256SUMS."""
    folder.mkdir(parents=True, exist_ok=True)
    without_contexts = Word2Vec(network.config)
    without_contexts.tokens.weight.data = network.tokens.weight.data
    write_model(folder, without_contexts, FAMILIES["word2vec"])
    WordTokenizer(words).write(folder)
    sign(folder)


def train(options: argparse.Namespace) -> None:
    """Train until the budget is spent, then write checkpoint, record and card."""
    text = RunningText.of(Corpus.open(options.text, options.run), D_VOCAB, options.run / "text")
    held_out = held_out_text(options.held_out, options.run, text.words) if options.held_out else None
    log.info("%d running words, %d in the vocabulary", len(text), len(text.words))
    milestones = options.run / "points.json"

    def store_milestone(run: Run) -> None:
        figures = measure(run, options.dev) | held_out_loss(run, held_out)
        rows = neighbours_of_watched(run)
        point = record.place(run) | {"figures": record.rounded(figures), "predictions": rows}
        points = json.loads(milestones.read_text(encoding="utf-8")) if milestones.exists() else []
        milestones.write_text(json.dumps([*points[: run.passed - 1], point]), encoding="utf-8")
        log.info("%s  %s", figures, [row[0][0] for row in rows if row])

    budget = Budget(tokens=options.tokens) if options.tokens else Budget(seconds=options.seconds)
    hyperparameters = Hyperparameters(rate=options.rate * Hyperparameters.rate)
    run = Run(
        text,
        hyperparameters,
        budget,
        options.run,
        at_milestone=store_milestone,
        save_every=options.save_every,
        seed=options.seed,
    )
    run.train()
    export(run.network, text.words, options.out)
    result = Record(
        tuple(SENTENCE.format(word) for word in WATCHED),
        json.loads(milestones.read_text(encoding="utf-8")),
        record.curve(options.run / "log.csv", "loss"),
        facts(options, run, "float32"),
        numbers="cosine",
    )
    write_card("word2vec", options.out, result)


def held_out_text(path: Path, folder: Path, words: list[str]) -> RunningText:
    """Held-out text as ranks in the vocabulary of the training text."""
    own = RunningText.of(Corpus.open([path], folder), 1 << 16, folder / "held-out")
    places = {word: i for i, word in enumerate(words)}
    ids = torch.tensor([places.get(word, -1) for word in own.words]).numpy()[own.ids]
    _, lines = own.part(0, len(own))
    in_vocabulary = ids >= 0
    counts = torch.bincount(lines[torch.from_numpy(in_vocabulary)], minlength=len(own.ends))
    return RunningText(words, own.counts, ids[in_vocabulary], counts.cumsum(0).numpy())
