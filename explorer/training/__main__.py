"""`python -m explorer.training bert` or `gpt`: train a bundled checkpoint, or go on with it."""

import argparse
import logging
import os
from pathlib import Path
from time import perf_counter

import torch

from explorer.training.card import card
from explorer.training.corpus import Corpus
from explorer.training.export import export
from explorer.training.gpt import SIZES, GptTask
from explorer.training.loop import Budget, Run
from explorer.training.warm import WarmBert

log = logging.getLogger("explorer.training")

SECONDS = 3600
MEASURED = 100_000  # held-out tokens for the card: the last digit shown is then noise


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(prog="python -m explorer.training", description=__doc__)
    p.add_argument("model", choices=["bert", "gpt"], help="which bundled checkpoint to train")
    p.add_argument(
        "--text", type=Path, nargs="+", metavar="PATH",
        default=[Path(os.environ.get("RIVERBANK_CORPORA", "corpora"))],
        help=".txt or .txt.xz files (a paragraph per line, a blank line between documents), or folders of "
        "en*.txt; default: the folder named by RIVERBANK_CORPORA, else ./corpora",
    )  # fmt: skip
    p.add_argument("--held-out", type=Path, metavar="PATH", help="text never trained on, to measure with")
    p.add_argument("--sources", type=Path, metavar="PATH",
                   help="Markdown that tells the text's sources and licences, for the card")  # fmt: skip
    p.add_argument("--out", type=Path, help="where the checkpoint goes; default: assets/checkpoints/<model>")
    p.add_argument("--run", type=Path, help="logs and the state to resume from; default: runs/<model>")
    p.add_argument("--seconds", type=float, help=f"budget in seconds of training (default: {SECONDS})")
    p.add_argument("--tokens", type=int, help="budget in tokens, instead of seconds")
    p.add_argument("--size", choices=SIZES, default="tiny", help="gpt only: tiny 6 x 256, small 12 x 384")
    p.add_argument("--device", default="auto", help="auto, cpu or cuda")
    p.add_argument("--threads", type=int, default=0, help="CPU threads; 0: as many as torch likes")
    p.add_argument("--compile", action="store_true", help="compile the network first (worth it on a GPU)")
    p.add_argument("--save-every", type=float, default=180, metavar="S", help="seconds between saved states")
    p.add_argument("--snapshot-every", type=float, default=1200, metavar="S",
                   help="seconds between exports to --out while training; 0: only at the end")  # fmt: skip
    p.add_argument("--seed", type=int, default=0, help="the order of the text")
    return p


def faster_in_bf16(device: torch.device) -> bool:
    """Whether bfloat16 pays: always on a GPU, on a CPU only with instructions for it."""
    if device.type == "cuda":
        return True

    def seconds(dtype: torch.dtype) -> float:
        a = torch.randn(256, 256, dtype=dtype)
        a @ a
        start = perf_counter()
        for _ in range(4):
            a @ a
        return perf_counter() - start

    return seconds(torch.bfloat16) < 0.8 * seconds(torch.float32)


def main(arguments: list[str] | None = None) -> None:
    """Train until the budget is spent, then measure on the held-out text and export."""
    a = parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s  %(message)s", datefmt="%H:%M:%S")
    if a.threads:
        torch.set_num_threads(a.threads)
    name = "cuda" if a.device == "auto" and torch.cuda.is_available() else a.device
    device = torch.device("cpu" if name == "auto" else name)
    folder = a.run or Path("runs") / a.model
    out = a.out or Path("assets") / "checkpoints" / a.model
    corpus = Corpus.open(a.text, folder)
    held_out = Corpus.open([a.held_out], folder) if a.held_out else None
    if a.model == "bert":
        task = WarmBert(corpus, held_out, folder)
    else:
        task = GptTask(corpus, held_out, folder, SIZES[a.size])
    if a.compile:
        task.network.compile()
    budget = Budget(tokens=a.tokens) if a.tokens else Budget(seconds=a.seconds or SECONDS)
    bf16 = faster_in_bf16(device)
    log.info("%s on %s in %s, %d shards of text", a.model, device, "bf16" if bf16 else "fp32", task.shards())
    sources = a.sources.read_text(encoding="utf-8") if a.sources else "Its sources were not stated."

    def snapshot(run: Run, figures: dict[str, float]) -> None:
        export(run.task, out)
        text = card(run, figures, a.text, sources, command(a))
        (out / "card.md").write_text(text, encoding="utf-8")
        log.info("exported to %s", out)

    run = Run(
        task, budget, folder, device, bf16=bf16, save_every=a.save_every, seed=a.seed,
        snapshot_every=a.snapshot_every or float("inf"), snapshot=snapshot,
    )  # fmt: skip
    run.train()
    snapshot(run, {})
    snapshot(run, run.measure(MEASURED))


def command(a: argparse.Namespace) -> str:
    """The call that makes this checkpoint again, with files by name only."""
    words = [f"python -m explorer.training {a.model} --text {' '.join(p.name for p in a.text)}"]
    if a.held_out:
        words.append(f"--held-out {a.held_out.name}")
    if a.sources:
        words.append(f"--sources {a.sources}")
    words.append(f"--tokens {a.tokens}" if a.tokens else f"--seconds {a.seconds or SECONDS:.0f}")
    if a.model == "gpt":
        words.append(f"--size {a.size}")
    if a.threads:
        words.append(f"--threads {a.threads}")
    return " \\\n    ".join(words)


if __name__ == "__main__":
    main()
