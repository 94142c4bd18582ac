"""A task asked after 0 to 8 examples: rows of pairs against a plain loop over prompts.

    python -m tests.benchmarks.few_shot [MODEL]

The loop reads each of the 180 prompts with its answer alone. Times are of the processor, which other work on
the machine disturbs less than the clock. The app reads with one thread: set OMP_NUM_THREADS=1 for its times.
"""

import time

import torch

import explorer
from explorer.analysis.prediction.few_shot import FewShot, Pair, few_shot
from explorer.models import LanguageModel
from explorer.views.continuations.few_shot import tasks
from tests.command import parser, size


@torch.inference_mode()
def plain_loop(model: LanguageModel, result: FewShot) -> float:
    """Ask every pair after each number of examples; returns the largest difference, in nats."""
    largest = 0.0
    for number, pair in enumerate(result.pairs):
        for shots in range(result.shots + 1):
            prompt = result.prompt(number, shots)
            first = len(model.tokenizer.with_start(model.tokenizer.encode(prompt).ids))
            ids = model.tokenizer.with_start(model.tokenizer.encode(f"{prompt} {pair.answer}\n").ids)
            logs = model.unembed(model.run(ids[None, :-1]).last[0, first - 1 :]).log_softmax(-1)
            total = float(logs.gather(1, ids[first:, None]).sum())
            largest = max(largest, abs(total - float(result.log_probability[number, shots])))
    return largest


def main() -> None:
    """Print both times, their ratio and the largest difference, for the shortest and the longest task."""
    p = parser("tests.benchmarks.few_shot", __doc__)
    p.add_argument("model", nargs="?", default=size("smollm2", "gpt"))
    name = p.parse_args().model
    model = explorer.load(name)
    for task in ("opposites", "feeling")[: size(None, 1)]:
        pairs, between = (
            [Pair(*pair) for pair in tasks()[task]["pairs"][: size(None, 3)]],
            tasks()[task]["between"],
        )
        few_shot(model, pairs[:3], between)  # warms up
        start = time.process_time()
        result = few_shot(model, pairs, between)
        middle = time.process_time()
        largest = plain_loop(model, result)
        rows, loop = middle - start, time.process_time() - middle
        print(f"{name}, {task}: rows {rows:.1f} s, loop {loop:.1f} s, ratio {loop / rows:.1f}", end=", ")
        print(f"largest difference {largest:.1e} nats")


if __name__ == "__main__":
    main()
