"""`python -m explorer.training bert` or `gpt`: train a bundled checkpoint, or go on with it."""

import argparse
import logging
import os
from pathlib import Path
from time import perf_counter

import torch

from explorer.training.bert import BertTask
from explorer.training.corpus import Corpus
from explorer.training.export import export
from explorer.training.gpt import SIZES, GptTask
from explorer.training.loop import Budget, Run

log = logging.getLogger("explorer.training")


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
    p.add_argument("--out", type=Path, help="where the checkpoint goes; default: assets/checkpoints/<model>")
    p.add_argument("--run", type=Path, help="logs and the state to resume from; default: runs/<model>")
    p.add_argument("--seconds", type=float, help="budget in seconds of training (default: 3600)")
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


def main() -> None:
    """Train until the budget is spent, then measure on the held-out text and export."""
    a = parser().parse_args()
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
        task = BertTask(corpus, held_out, folder)
    else:
        task = GptTask(corpus, held_out, folder, SIZES[a.size])
    if a.compile:
        task.network.compile()
    budget = Budget(tokens=a.tokens) if a.tokens else Budget(seconds=a.seconds or 3600)
    bf16 = faster_in_bf16(device)
    log.info("%s on %s in %s, %d shards of text", a.model, device, "bf16" if bf16 else "fp32", task.shards())
    run = Run(
        task, budget, folder, device, bf16=bf16, save_every=a.save_every, seed=a.seed,
        snapshot_every=a.snapshot_every or float("inf"), snapshot=lambda run: export(run.task, out),
    )  # fmt: skip
    run.train()
    export(task, out)
    log.info("exported to %s", out)
    run.measure(limit=10**9)


if __name__ == "__main__":
    main()
