"""Twenty visitors of one model, each in a thread: served together, against one lock around each step.

    python -m tests.benchmarks.queue [visitors] [model]

Every visitor writes 32 tokens on a prompt and with a seed of its own, with the settings that the page
opens with. "The network" is what one would write without batches: each visitor holds a lock while
PyTorch reads its token, with a key/value cache, and chooses the next.

Both run in turn, and medians of five are compared: tokens a second of the processor's time, which
other work on the machine disturbs less, and by the clock on the wall.
"""

import statistics
import threading
import time

import torch

import explorer
from explorer.analysis.generation.steps import Generation, Sampling, generate
from explorer.generation.sampling import SamplingRequest, sample
from explorer.models import LanguageModel
from tests.benchmarks.figures import RUNS, figure
from tests.command import parser, size

VISITORS, TOKENS = size(20, 2), size(32, 2)
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
                (token,) = sample(network.unembed(state), [SamplingRequest(sampling, draw, 8)])
            ids = [token.id]
            written.append(model.tokenizer.readable(token.id))

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


def compare_rates(model: LanguageModel, visitors: int) -> None:
    """Both ways in turn; the first run warms up."""
    rates: dict[str, list[tuple[float, float]]] = {"together": [], "the network": []}
    for run in range(RUNS + 1):
        for name, rate in rates.items():
            if name == "the network":
                tokens, wall, processor = visit_network(model, visitors)
            else:
                texts, wall, processor = visit(model, visitors)
                tokens = sum(len(text.ids) for text in texts)
            if run:
                rate.append((tokens / processor, tokens / wall))
    for at, clock in enumerate(("of the processor", "on the wall")):
        found = {name: statistics.median(pair[at] for pair in rate) for name, rate in rates.items()}
        times = found["together"] / found["the network"]
        value = f"{found['together']:.0f} tokens a second, {times:.2f} times the network"
        figure(f"{visitors} visitors, clock {clock}", value, f"the network {found['the network']:.0f}")


def main() -> None:
    """Compare the rates."""
    torch.set_num_threads(1)
    p = parser("tests.benchmarks.queue", __doc__)
    p.add_argument("visitors", nargs="?", type=int, default=VISITORS)
    p.add_argument("model", nargs="?", default="gpt")
    options = p.parse_args()
    compare_rates(explorer.load(options.model), options.visitors)


if __name__ == "__main__":
    main()
