"""What a model on a server costs beside the same model in the process.

    python -m tests.benchmarks.model_server                      a server in this process
    python -m tests.benchmarks.model_server --at http://host:8000/gpt     a server that runs

Prints the milliseconds of a trace here and over the wire (with all that a page may draw, and with the hidden
states alone), the bytes of its answer, and for visitors who ask at the same time: traces a second, and
tokens a second of streams. Medians of several; client and server share the processor where both are here.
The processor's time is of this process: of client and server together, unless the server runs elsewhere.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import torch

import explorer
from explorer.analysis import patching
from explorer.analysis.generation.steps import Sampling, generate
from explorer.model_server import passes
from explorer.model_server.application import create_server
from explorer.model_server.served import ServedModel
from explorer.model_server.wire import pack
from explorer.models import LanguageModel
from explorer.trace import Ability, Capture
from explorer.workers.processes import free_port
from tests.benchmarks.figures import medians, seconds_of
from tests.command import parser, size

TEXT = "The old man sat by the river bank and watched the boats go by in the evening light."
RUNS, SECONDS, VISITORS, TOKENS = size((30, 4.0, (1, 8, 16), 40), (1, 0.1, (2,), 2))


def milliseconds(act: Callable[[], object]) -> str:
    """The median time of an act by the clock, and on the processor, which others disturb less."""
    runs = {str(clock): seconds_of(act, clock) for clock in (time.perf_counter, time.process_time)}
    wall, processor = (1e3 * seconds for seconds in medians(runs, RUNS).values())
    return f"{wall:.1f} ms (processor {processor:.1f})"


def a_second(visitors: int, act: Callable[[], int]) -> float:
    """How much is done in a second by visitors who each act again and again."""
    counts = [0] * visitors
    start = time.perf_counter()
    until = start + SECONDS

    def visit(number: int) -> None:
        while time.perf_counter() < until:
            counts[number] += act()

    with ThreadPoolExecutor(visitors) as pool:
        list(pool.map(visit, range(visitors)))
    return sum(counts) / (time.perf_counter() - start)


def write(model: LanguageModel) -> int:
    """One short text, drawn."""
    return sum(1 for _ in generate(model, "Once upon a time", Sampling(seed=1, max_new_tokens=TOKENS)))


def measure(label: str, model: LanguageModel) -> None:
    """Print all figures of one model, here or elsewhere."""
    times = ", ".join(
        f"{name} {milliseconds(partial(model.trace, TEXT, capture=capture))}"
        for name, capture in (("all", Capture.ALL), ("hidden", Capture.HIDDEN))
    )
    traces = ", ".join(f"{n}: {a_second(n, lambda: _trace(model)):.0f}" for n in VISITORS)
    print(f"{label}: a trace {times}\n    traces a second by visitors {traces}", flush=True)
    if Ability.GENERATE in model.abilities:
        tokens = ", ".join(f"{n}: {a_second(n, lambda: write(model)):.0f}" for n in VISITORS)
        pair = patching.contrast(model, "The dogs in the garden", "The dog in the garden", "were", "was")
        maps = (patching.patch_states, patching.patch_heads, patching.estimate_states)
        costs = ", ".join(f"{act.__name__} {milliseconds(partial(act, model, pair))}" for act in maps)
        print(f"    {costs}", flush=True)
        writing = milliseconds(partial(write, model))
        print(f"    {TOKENS} tokens {writing}; tokens a second by visitors {tokens}", flush=True)


def _trace(model: LanguageModel) -> int:
    model.trace(TEXT, capture=Capture.HIDDEN)
    return 1


@contextmanager
def served(name: str) -> Iterator[str]:
    """The address of a model in this process."""
    port = free_port()
    server = create_server([ServedModel.load(name)], "127.0.0.1", port)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/{name}"
    server.should_exit = True
    thread.join(10)


def main() -> None:
    """Print the figures that are asked for."""
    p = parser("tests.benchmarks.model_server", __doc__)
    p.add_argument("--model", default="gpt")
    p.add_argument("--at", default="")
    options = p.parse_args()
    torch.set_num_threads(1)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before, model {options.model}", flush=True)
    if options.at:
        measure(options.at, explorer.load(f"serve:{options.at}"))
        return
    here = explorer.load(options.model)
    for name, capture in (("all", Capture.ALL), ("hidden", Capture.HIDDEN)):
        print(f"an answer with {name}: {answer_bytes(here, capture) / 1e6:.2f} MB", flush=True)
    measure("in the process", here)
    with served(options.model) as at:
        measure("over the wire", explorer.load(f"serve:{at}"))


def answer_bytes(model: LanguageModel, capture: Capture) -> int:
    """The bytes of one answer."""
    request = passes.PassRequest.parse({"ids": model.encode(TEXT).ids[None]}, {"capture": capture.value})
    return len(pack(passes.run(model, request)))


if __name__ == "__main__":
    main()
