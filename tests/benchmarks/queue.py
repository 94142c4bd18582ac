"""Twenty visitors of one model, each in a thread: served together, against one lock around each step.

    python -m tests.benchmarks.queue [visitors]

Every visitor writes 32 tokens on a prompt and with a seed of its own, with the settings that the page
opens with. There are two kinds of lock:

one turn a go   the same code and compiled passes, with a queue that serves one visitor at a time; the
                texts must be the same to the last token
the network     what one would write without a queue: each visitor holds a lock while PyTorch reads its
                token, with a key/value cache, and chooses the next

All run in turn, and medians of five are compared: tokens a second of the processor's time, which
other work on the machine disturbs less, and by the clock on the wall.
"""

import statistics
import sys
import threading
import time

import torch

import explorer
from explorer.analysis.choosing import Wish, choose
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
    return texts, *_timed([threading.Thread(target=list, args=(text,)) for text in texts])


def visit_network(model: LanguageModel, visitors: int) -> tuple[int, float, float]:
    """The same visitors with one lock around the network: how many tokens, and the seconds they took."""
    lock, network, written = threading.Lock(), model.network, []

    @torch.inference_mode()
    def write(i: int) -> None:
        sampling = Sampling(0.7, seed=i, max_new_tokens=TOKENS)
        draws = torch.rand(TOKENS, generator=torch.Generator().manual_seed(i), dtype=torch.float64).tolist()
        ids = model.tokenizer.encode(BEGINNINGS[i % 5] + " and" * (i // 5)).ids.tolist()
        cache = network.new_cache(capacity=len(ids) + TOKENS)
        for draw in draws:
            with lock:
                state = network(torch.tensor([ids]), cache=cache).last[:, -1]
                (chosen,) = choose(network.unembed(state), [Wish(sampling, draw, 8)])
            ids = [chosen.id]
            written.append(model.tokenizer.readable(chosen.id))

    threads = [threading.Thread(target=write, args=(i,)) for i in range(visitors)]
    wall, processor = _timed(threads)
    return len(written), wall, processor


def _timed(threads: list[threading.Thread]) -> tuple[float, float]:
    """Seconds by the wall's clock and the processor's until all are through."""
    wall, processor = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - wall, time.process_time() - processor


def main() -> None:
    """All ways in turn; the first run warms up."""
    visitors = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    torch.set_num_threads(1)
    model = explorer.load("gpt")
    queue = desk_of(model).queue
    most = queue._most
    rates: dict[str, list[tuple[float, float]]] = {"together": [], "one turn a go": [], "the network": []}
    for run in range(RUNS + 1):
        written = []
        for name, rate in rates.items():
            if name == "the network":
                tokens, wall, processor = visit_network(model, visitors)
            else:
                queue._most = most if name == "together" else 1
                texts, wall, processor = visit(model, visitors)
                written.append([text.ids for text in texts])
                tokens = sum(len(text.ids) for text in texts)
            if run:
                rate.append((tokens / processor, tokens / wall))
        if written[0] != written[1]:
            raise SystemExit("the texts are not the same")
    for at, clock in enumerate(("of the processor", "on the wall")):
        found = {name: statistics.median(pair[at] for pair in rate) for name, rate in rates.items()}
        print(f"{visitors} visitors, clock {clock}: together {found['together']:.0f} tokens/s")
        for name in ("one turn a go", "the network"):
            times = found["together"] / found[name]
            print(f"    one lock, {name}: {found[name]:.0f} tokens/s; together {times:.2f} times")


if __name__ == "__main__":
    main()
