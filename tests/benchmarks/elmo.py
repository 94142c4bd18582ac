"""ELMo's reading beside BERT's: all hidden states of 256 sentences by the bundled checkpoints; one thread.

    python -m tests.benchmarks.elmo

Prints medians of five alternating runs and their ratio, in processor time.
"""

import statistics
import time

import torch

import explorer
from explorer.trace import Capture
from tests.benchmarks.backend import RUNS, sentences


def main() -> None:
    torch.set_num_threads(1)
    models, texts = [explorer.load(name) for name in ("elmo", "bert")], sentences(256)
    times: list[list[float]] = [[], []]
    for _ in range(RUNS + 1):
        for model, seconds in zip(models, times, strict=True):
            start = time.process_time()
            for _ in model.trace_many(texts, Capture.HIDDEN):
                pass
            seconds.append(time.process_time() - start)
    elmo, bert = (statistics.median(seconds[1:]) * 1e3 for seconds in times)  # the first run warms up
    print(f"256 sentences: elmo {elmo:.0f} ms, bert {bert:.0f} ms, ratio {elmo / bert:.2f}")


if __name__ == "__main__":
    main()
