"""Twenty visitors of one model, each in a thread: served together, against one lock around each step.

    python -m tests.benchmarks.queue [visitors] [model]
    python -m tests.benchmarks.queue same [model]

Every visitor writes 32 tokens on a prompt and with a seed of its own, with the settings that the page
opens with. "The network" is what one would write without batches: each visitor holds a lock while
PyTorch reads its token, with a key/value cache, and chooses the next.

Both run in turn, and medians of five are compared: tokens a second of the processor's time, which
other work on the machine disturbs less, and by the clock on the wall.

`same` writes 20 tokens with each of 1,000 seeds, alone and among nineteen others, and compares the
texts. Where two part, the draw lies on the edge between both tokens, within rounding, or it says so.
"""

import statistics
import threading
import time

import torch

import explorer
from explorer.analysis.generation.steps import Generation, Sampling, generate
from explorer.generation.pipeline import pipeline
from explorer.generation.sampling import SamplingRequest, sample
from explorer.models import LanguageModel
from tests.benchmarks.figures import RUNS, figure
from training.command import parser, size

VISITORS, TOKENS, SEEDS = size(20, 2), size(32, 2), size(1000, 2)
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


def compare_texts(model: LanguageModel, visitors: int, seeds: int = SEEDS, tokens: int = 20) -> None:
    """The same text for the same seed, alone and in company."""

    def texts(first: int) -> list[Generation]:
        asked = [Sampling(0.7, seed=seed, max_new_tokens=tokens) for seed in range(first, first + visitors)]
        return [generate(model, BEGINNINGS[s.seed % 5], s) for s in asked]

    parted = unexplained = 0
    for first in range(0, seeds, visitors):
        alone, company = texts(first), texts(first)
        for text in alone:
            list(text)
        _timed([threading.Thread(target=list, args=(text,)) for text in company])
        for one, other in zip(alone, company, strict=True):
            if one.ids != other.ids:
                parted += 1
                at = next(i for i, (a, b) in enumerate(zip(one.ids, other.ids, strict=False)) if a != b)
                ways = [
                    pipeline(text.logits(at), text.sampling, text.steps[at].draw) for text in (one, other)
                ]
                lower = min(one.ids[at], other.ids[at])
                edges = [float(way.cumulative[lower] / way.cumulative[-1]) for way in ways]
                if not all(abs(edge - one.steps[at].draw) < 1e-5 for edge in edges):
                    unexplained += 1
    print(f"{seeds} seeds by {tokens} tokens: {parted} texts differ, {unexplained} by more than rounding")


def main() -> None:
    """Compare rates, or texts."""
    torch.set_num_threads(1)
    p = parser("tests.benchmarks.queue", __doc__)
    p.add_argument("what", nargs="?", default=str(VISITORS), help="how many visitors, or “same”")
    p.add_argument("model", nargs="?", default="gpt")
    options = p.parse_args()
    model = explorer.load(options.model)
    if options.what == "same":
        compare_texts(model, VISITORS)
    else:
        compare_rates(model, int(options.what))


if __name__ == "__main__":
    main()
