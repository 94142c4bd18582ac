"""What a model on a server costs beside the same model in the process.

    python -m tests.benchmarks.serving                      one process without Ray
    python -m tests.benchmarks.serving --ray                Ray Serve: 1 and 2 replicas, batches on and off
    python -m tests.benchmarks.serving --at http://host:8000/gpt     a server that runs

Prints the milliseconds of a trace here and over the wire (with all that a page may draw, and with the hidden
states alone), the bytes of its answer, and for visitors who ask at the same time: traces a second, and
tokens a second of streams. Medians of several; client and server share the processor where both are here.
The processor's time is of this process: without Ray that is client and server together.
"""

import argparse
import os
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import torch

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.models import LanguageModel
from explorer.serve.workers import free_port
from explorer.serving import plain
from explorer.serving.served import ServedModel
from explorer.serving.wire import pack
from explorer.trace import Capture

TEXT = "The old man sat by the river bank and watched the boats go by in the evening light."
RUNS, SECONDS, VISITORS, TOKENS = 30, 4.0, (1, 8, 16), 40


def milliseconds(act: Callable[[], object]) -> str:
    """The median time of an act by the clock, and its mean on the processor, which others disturb less."""
    act()
    taken = []
    before = time.process_time()
    for _ in range(RUNS):
        start = time.perf_counter()
        act()
        taken.append(time.perf_counter() - start)
    busy = (time.process_time() - before) / RUNS
    return f"{1000 * statistics.median(taken):.1f} ms (processor {1000 * busy:.1f})"


def a_second(visitors: int, act: Callable[[], int]) -> float:
    """How much is done a second by visitors who each act again and again."""
    done = [0] * visitors
    start = time.perf_counter()
    until = start + SECONDS

    def visit(number: int) -> None:
        while time.perf_counter() < until:
            done[number] += act()

    with ThreadPoolExecutor(visitors) as pool:
        list(pool.map(visit, range(visitors)))
    return sum(done) / (time.perf_counter() - start)


def write(model: LanguageModel) -> int:
    """One short text, drawn."""
    return sum(1 for _ in generate(model, "Once upon a time", Sampling(seed=1, max_new_tokens=TOKENS)))


def one(label: str, model: LanguageModel) -> None:
    """All figures of one model, here or elsewhere."""
    times = ", ".join(
        f"{name} {milliseconds(partial(model.trace, TEXT, capture=capture))}"
        for name, capture in (("all", Capture.ALL), ("hidden", Capture.HIDDEN))
    )
    traces = ", ".join(f"{n}: {a_second(n, lambda: _trace(model)):.0f}" for n in VISITORS)
    tokens = ", ".join(f"{n}: {a_second(n, lambda: write(model)):.0f}" for n in VISITORS)
    written = milliseconds(partial(write, model))
    print(f"{label}: a trace {times}; {TOKENS} tokens {written}", flush=True)
    print(f"    traces a second by visitors {traces}; tokens a second {tokens}", flush=True)


def _trace(model: LanguageModel) -> int:
    model.trace(TEXT, capture=Capture.HIDDEN)
    return 1


@contextmanager
def plainly(name: str) -> Iterator[str]:
    """The address of a model in one process without Ray: this one."""
    port = free_port()
    server = plain.server([ServedModel.load(name)], "127.0.0.1", port)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/{name}"
    server.should_exit = True
    thread.join(10)


@contextmanager
def by_ray(name: str, replicas: int, tokens: int) -> Iterator[str]:
    """The address of so many replicas, with batches of so many tokens; 0 for none."""
    from explorer.serving import deployment

    port = free_port()
    try:
        deployment.start([deployment.Plan(name, replicas, replicas, tokens=tokens)], port=port)
        yield f"http://127.0.0.1:{port}/{name}"
    finally:
        deployment.stop()


def main() -> None:
    """Print the figures that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="gpt")
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--at", default="")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before, model {asked.model}", flush=True)
    if asked.at:
        one(asked.at, explorer.load(f"serve:{asked.at}"))
        return
    here = explorer.load(asked.model)
    for name, capture in (("all", Capture.ALL), ("hidden", Capture.HIDDEN)):
        print(f"an answer with {name}: {size(here, capture) / 1e6:.2f} MB", flush=True)
    one("in the process", here)
    if not asked.ray:
        with plainly(asked.model) as at:
            one("one process without Ray", explorer.load(f"serve:{at}"))
    for replicas, tokens in [(1, 512), (1, 0), (2, 512), (2, 0)] if asked.ray else []:
        with by_ray(asked.model, replicas, tokens) as at:
            batches = "batches" if tokens else "no batches"
            one(f"Ray, {replicas} replica(s), {batches}", explorer.load(f"serve:{at}"))


def size(model: LanguageModel, capture: Capture) -> int:
    """The bytes of one answer."""
    from explorer.serving.batching import Asked, run_together

    ids = model.encode(TEXT).ids[None]
    ((found, _),) = run_together(model, [Asked(ids, None, None, None, capture)])
    return len(pack(found))


if __name__ == "__main__":
    main()
