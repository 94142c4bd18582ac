"""Training `word2vec`: skip-gram with ten negatives, over running text, on one CPU thread or a few.

    python -m training.word2vec --text corpora --held-out en-valid.txt --dev dev/wordsim

Its steps (`run.py`) are its own, beside `training.run.loop`: one changes a few hundred rows of a
large table and is over in a millisecond, so that an optimiser, autograd and a report at every step
would cost more than the step. The same command goes on from where it was stopped, and then gives the
same numbers as a run that was not.
"""

import argparse
import hashlib
import json
import logging
import os
from pathlib import Path
from typing import Any

import torch

import explorer
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
from training.card import card
from training.metrics import analogies, similarity, static
from training.record import Record
from training.run.watched import Budget
from training.text.corpus import Corpus
from training.text.running_text import RunningText
from training.word2vec.run import Recipe, Run

log = logging.getLogger("training")

D_VOCAB = 30_000
NEAREST = "{} lies nearest to [MASK]"  # how the record says it, so that the page can fill the blank
WATCHED = ("king", "france", "water", "seven", "walked", "doctor", "beautiful", "music")
TOP = 5
HELD_OUT_WORDS = 20_000


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
    """Analogies and rated word pairs, as `training.evaluate` measures them."""
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
    """The command line: the options of `python -m training`, as far as they apply."""
    p = argparse.ArgumentParser(prog="python -m training.word2vec", description=__doc__)
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
    told = [f"python -m training.word2vec --text {' '.join(path.name for path in a.text)}"]
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
