"""Twenty visitors of one model, each in a thread: served together, against one lock around each step.

    python -m tests.benchmarks.queue [visitors]

Every visitor writes 32 tokens on a prompt and with a seed of its own, with the settings that the page
opens with. "One lock" is the same code with a queue that serves one turn a go. Both run in turn, and
medians of five are compared: tokens a second of the processor's time, which other work on the machine
disturbs less, and by the clock on the wall. The texts must be the same to the last token.
"""

import statistics
import sys
import threading
import time

import torch

import explorer
from explorer.analysis.generation import Generation, Sampling, generate
from explorer.analysis.turns import desk_of
from explorer.models import LanguageModel

RUNS, TOKENS = 5, 32
BEGINNINGS = [
    "Once upon a time",
    "The old man and the",
    "In the morning",
    "She opened the door and",
    "We walked",
]


def visit(model: LanguageModel, visitors: int) -> tuple[list[Generation], float, float]:
    """All visitors' texts, and the seconds they took by the wall's clock and the processor's."""
    texts = [
        generate(
            model, BEGINNINGS[i % 5] + " and" * (i // 5), Sampling(0.7, seed=i, max_new_tokens=TOKENS), 8
        )
        for i in range(visitors)
    ]
    threads = [threading.Thread(target=list, args=(text,)) for text in texts]
    wall, processor = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return texts, time.perf_counter() - wall, time.process_time() - processor


def main() -> None:
    """Both ways in turn; the first run warms up."""
    visitors = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    torch.set_num_threads(1)
    model = explorer.load("gpt")
    queue = desk_of(model).queue
    together, alone = queue._most, 1
    rates: dict[int, list[tuple[float, float]]] = {together: [], alone: []}
    for run in range(RUNS + 1):
        written = []
        for most in (together, alone):
            queue._most = most
            texts, wall, processor = visit(model, visitors)
            written.append([text.ids for text in texts])
            tokens = sum(len(text.ids) for text in texts)
            if run:
                rates[most].append((tokens / processor, tokens / wall))
        if written[0] != written[1]:
            raise SystemExit("the texts are not the same")
    for at, clock in enumerate(("of the processor", "on the wall")):
        a, b = (statistics.median(pair[at] for pair in rates[most]) for most in (together, alone))
        said = f"together {a:.0f} tokens/s, one lock {b:.0f}, {a / b:.2f} times"
        print(f"{visitors} visitors, clock {clock}: {said}")


if __name__ == "__main__":
    main()
