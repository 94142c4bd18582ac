"""`python -m training bert`: train it, or go on; and so `bert-mini`, `bert-zh`, `electra`, `gpt` ...

The state is saved every few minutes in the run's folder; the same command goes on from there. At the
end the checkpoint, the record of its training and its card are written.
"""

import argparse
import logging
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from explorer.checkpoints.format import read_model
from explorer.tokenizers import Tokenizer
from explorer.tokenizers.characters import MARKS
from explorer.tokenizers.marian import FILES as PIECES
from explorer.trace import Checkpoint
from training.bert import everyday, mini
from training.bert.chinese import ChineseBert
from training.bert.continued import WarmBert
from training.bilingual.task import BilingualTask
from training.electra.halves import begun
from training.elmo.task import ElmoTask
from training.gpt.task import SIZES, GptTask
from training.metrics import minimal_pairs
from training.run.allocator import keep_freed_memory
from training.run.loop import Run
from training.run.precision import faster_in_bf16
from training.run.schedule import MOMENTS
from training.run.task import Task
from training.run.watched import Budget
from training.shipping import LAST, look, ship
from training.text.corpus import Corpus
from training.translator.task import TranslatorTask

log = logging.getLogger("training")

SECONDS = 3600


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    names = ["bert", "bert-mini", "bert-zh", "bert-en-zh", "electra", "gpt", "elmo", "translator"]
    p.add_argument("model", choices=names, help="which bundled checkpoint to train")
    p.add_argument(
        "--text",
        type=Path,
        nargs="+",
        metavar="PATH",
        default=[Path(os.environ.get("RIVERBANK_CORPORA", "corpora"))],
        help=".txt or .txt.xz files (a paragraph per line, a blank line between documents), or folders of "
        "en*.txt; default: the folder named by RIVERBANK_CORPORA, else ./corpora. translator: one file of "
        "English and French sentences, a tab between the two",
    )
    p.add_argument("--held-out", type=Path, metavar="PATH", help="text never trained on, to measure with")
    p.add_argument(
        "--everyday",
        type=Path,
        metavar="PATH",
        help="bert: text whose sentences stand in rows by themselves, beside the rows of --text",
    )
    p.add_argument(
        "--pairs",
        type=Path,
        metavar="PATH",
        help="English and Chinese sentences, a tab between the two; bert-zh reads the Chinese side, "
        "bert-en-zh both as one text",
    )
    p.add_argument(
        "--whole-words",
        action="store_true",
        help="bert-zh: mask all characters of a word together (words as jieba finds them)",
    )
    p.add_argument(
        "--start",
        type=Path,
        metavar="FOLDER",
        help="begin with this checkpoint's weights, and go on with its record; electra: with those of "
        "FOLDER-generator and FOLDER-discriminator; bert-en-zh: the bert-zh that it adds to",
    )
    p.add_argument(
        "--dev", type=Path, metavar="FOLDER", help="minimal pairs to measure with on the way (see evaluate)"
    )
    p.add_argument(
        "--sources",
        type=Path,
        metavar="PATH",
        help="Markdown that tells the text's sources and licences, for the card",
    )
    p.add_argument("--out", type=Path, help="where the checkpoint goes; default: assets/checkpoints/<model>")
    p.add_argument("--run", type=Path, help="logs and the state to resume from; default: runs/<model>")
    p.add_argument("--seconds", type=float, help=f"budget in seconds of training (default: {SECONDS})")
    p.add_argument("--tokens", type=int, help="budget in tokens, instead of seconds")
    p.add_argument("--size", choices=SIZES, default="tiny", help="gpt only: tiny 6 x 256, small 12 x 384")
    p.add_argument("--device", default="auto", help="auto, cpu or cuda")
    p.add_argument("--threads", type=int, default=0, help="CPU threads; 0: as many as torch likes")
    p.add_argument("--compile", action="store_true", help="compile the network first (worth it on a GPU)")
    p.add_argument("--save-every", type=float, default=180, metavar="S", help="seconds between saved states")
    p.add_argument("--length", type=int, help="tokens in a row throughout, instead of the recipe's")
    p.add_argument(
        "--trained",
        type=int,
        metavar="N",
        help="bert-mini, bert-zh, electra, with --start: those weights have learnt N positions, and later "
        "ones begin as copies; default: they have learnt all",
    )
    p.add_argument(
        "--short",
        type=float,
        metavar="SHARE",
        help="bert and its kin, electra: share of rows cut short, instead of the recipe's",
    )
    p.add_argument(
        "--masked",
        type=float,
        metavar="SHARE",
        help="bert and its kin, electra: share of words masked, instead of the recipe's",
    )
    p.add_argument(
        "--rate",
        type=float,
        default=1.0,
        metavar="FACTOR",
        help="times the recipe's learning rates: less than 1 where --start is a model that is already good",
    )
    p.add_argument("--seed", type=int, default=0, help="the order of the text")
    return p


def main(arguments: list[str] | None = None) -> None:
    """Train until the budget is spent, then look back at the moments, export and write the card."""
    a = parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s  %(message)s", datefmt="%H:%M:%S")
    keep_freed_memory()
    if a.dev:
        minimal_pairs.files(a.dev)  # they are read at the end, which is no time to learn that there are none
    if a.threads:
        torch.set_num_threads(a.threads)
    name = "cuda" if a.device == "auto" and torch.cuda.is_available() else a.device
    device = torch.device("cpu" if name == "auto" else name)
    folder = a.run or Path("runs") / a.model
    out = a.out or Path("assets") / "checkpoints" / a.model
    task = build(a, folder, device)
    if a.compile:
        task.network.compile()
    bf16 = faster_in_bf16(device)
    log.info("%s on %s in %s, %d shards of text", a.model, device, "bf16" if bf16 else "fp32", task.shards())
    run = Run(
        task,
        Budget(tokens=a.tokens) if a.tokens else Budget(seconds=a.seconds or SECONDS),
        folder,
        device,
        bf16=bf16,
        save_every=a.save_every,
        seed=a.seed,
        rate=a.rate,
        moments=(*MOMENTS[:-1], *LAST) if a.model == "translator" else MOMENTS,
        look=look,
    )
    run.train()
    # What bert-en-zh adds to has another vocabulary: its record is not gone on with.
    ship(run, out, facts(a, run), None if a.model == "bert-en-zh" else a.start, a.dev)


def build(a: argparse.Namespace, folder: Path, device: torch.device) -> Task:
    """The task that the command names, with the weights it starts from."""
    if a.model == "translator":
        if len(a.text) != 1:
            raise SystemExit("The translator learns from one file of pairs: --text pairs.txt")
        return translator(a.text[0], folder, a.start)
    corpus = Corpus.open(a.text, folder)
    held_out = Corpus.open([a.held_out], folder) if a.held_out else None
    task: Task
    if a.model == "bert-en-zh":
        if not (a.start and a.pairs):
            raise SystemExit("bert-en-zh learns from pairs, on top of bert-zh: give --start and --pairs.")
        return adjusted(BilingualTask(corpus, held_out, folder, a.start, a.pairs), a)
    if a.model == "electra":
        task = begun(corpus, held_out, folder, a.start)
        return adjusted(task, a)
    stored = read_model(a.start, Checkpoint("folder", str(a.start))) if a.start else None
    if a.model == "gpt":
        if a.start and not (folder / "tokenizer.json").exists():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(a.start / "tokenizer.json", folder)
        task = GptTask(corpus, held_out, folder, SIZES[a.size])
    elif a.model == "elmo":
        task = ElmoTask(corpus, held_out, folder, first=words(stored.tokenizer) if stored else MARKS)
    elif a.model == "bert-mini":
        task = mini.MiniBert(corpus, held_out, folder, mini.GPU if device.type == "cuda" else mini.CPU)
    elif a.model == "bert-zh":
        said = [other for _, other in everyday.split(a.pairs).train] if a.pairs else []
        task = ChineseBert(corpus, held_out, folder, list(dict.fromkeys(said)), a.whole_words)
    else:
        alone = Corpus.open([a.everyday], folder) if a.everyday else None
        task = WarmBert(corpus, held_out, folder, everyday=alone)
    if stored:
        task.network.load_state_dict(stored.network.state_dict())
    return adjusted(task, a)


def adjusted(task: Task, a: argparse.Namespace) -> Task:
    """The same task, with what the command asks of its recipe."""
    if a.length:
        task.recipe = replace(task.recipe, lengths=((0.0, a.length),))
    if a.start and task.recipe.copied:
        longest = max(length for _, length in task.recipe.lengths)
        task.recipe = replace(task.recipe, trained=a.trained or longest)
    if a.short is not None:
        task.recipe = replace(task.recipe, short=a.short)
    if a.masked:
        task.recipe = replace(task.recipe, masked=(a.masked, a.masked))
    return task


def translator(pairs: Path, folder: Path, start: Path | None) -> Task:
    """The translator, with the pieces and the weights that it starts from, if any."""
    if start:
        folder.mkdir(parents=True, exist_ok=True)
        for name in PIECES:
            shutil.copy(start / name, folder)
    task = TranslatorTask(pairs, folder)
    if start:
        stored = read_model(start, Checkpoint("folder", str(start)))
        task.network.load_state_dict(stored.network.state_dict())
    return task


def words(tokenizer: Tokenizer) -> list[str]:
    """All its tokens, in the order of their ids."""
    return [tokenizer.token(id) for id in range(tokenizer.size)]


def facts(a: argparse.Namespace, run: Run) -> dict[str, Any]:
    """What the card says of the run."""
    return {
        "tokens": run.tokens,
        "steps": run.step,
        "seconds": round(run.clock.spent),
        "finished": min(1.0, run.progress),
        "machine": machine(run),
        "command": command(a),
        "text": [path.name for path in a.text],
        "sources": a.sources.read_text(encoding="utf-8") if a.sources else "Its sources were not stated.",
    }


def machine(run: Run) -> str:
    """The machine in words."""
    if run.device.type == "cuda":
        return f"one {torch.cuda.get_device_name(run.device)}, bfloat16"
    threads = torch.get_num_threads()
    return f"{threads} CPU thread{'s' if threads > 1 else ''}, {'bfloat16' if run.bf16 else 'float32'}"


def command(a: argparse.Namespace) -> str:
    """The call that makes this checkpoint again, with files by name only."""
    words = [f"python -m training {a.model} --text {' '.join(p.name for p in a.text)}"]
    if a.held_out:
        words.append(f"--held-out {a.held_out.name}")
    if a.everyday:
        words.append(f"--everyday {a.everyday.name}")
    if a.pairs:
        words.append(f"--pairs {a.pairs.name}")
    if a.whole_words:
        words.append("--whole-words")
    if a.start:
        words.append(f"--start {a.start}")
    if a.sources:
        words.append(f"--sources {a.sources}")
    words.append(f"--tokens {a.tokens}" if a.tokens else f"--seconds {a.seconds or SECONDS:.0f}")
    if a.model == "gpt":
        words.append(f"--size {a.size}")
    if a.length:
        words.append(f"--length {a.length}")
    if a.trained:
        words.append(f"--trained {a.trained}")
    if a.short is not None:
        words.append(f"--short {a.short}")
    if a.masked:
        words.append(f"--masked {a.masked}")
    if a.rate != 1:
        words.append(f"--rate {a.rate}")
    if a.seed:
        words.append(f"--seed {a.seed}")
    if a.threads:
        words.append(f"--threads {a.threads}")
    return " \\\n    ".join(words)


if __name__ == "__main__":
    main()
