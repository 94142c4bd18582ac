"""ELMo's training step against `torch.nn.LSTM` with `proj_size`, and its reading; one thread.

    python -m tests.benchmarks.elmo

Prints medians of five alternating runs and their ratio (below 1: we are faster), in processor time:
    a step         two layers in both directions, 32 words x 64 rows, forward and backward, in float32
                   and in bfloat16; `nn.LSTM` (float32) has no clipping, no skip and cannot forget
    256 sentences  all hidden states, for the bundled checkpoint, beside bert
"""

import statistics
import time
from collections.abc import Callable

import torch
from torch import nn

import explorer
from explorer.models.elmo import ElmoConfig, Reader
from explorer.trace import Capture
from tests.benchmarks.backend import RUNS, sentences
from training.elmo.task import CONFIG, read

LENGTH, ROWS = 32, 64


def compare(what: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """Run both in turn and print what they took."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS + 1):
        for call, seconds in zip((ours, theirs), times, strict=True):
            start = time.process_time()
            call()
            seconds.append(time.process_time() - start)
    mine, peer = (statistics.median(seconds[1:]) * 1e3 for seconds in times)  # the first run warms up
    print(f"{what:44} {mine:7.0f} ms   beside {peer:7.0f} ms   ratio {mine / peer:.2f}", flush=True)


def step(config: ElmoConfig, x: torch.Tensor, bf16: bool) -> Callable[[], None]:
    """Our step: both directions, both layers."""
    readers = [[Reader(config) for _ in range(config.layers)] for _ in range(2)]
    for direction in readers:
        for reader in direction:
            for parameter in reader.parameters():
                nn.init.normal_(parameter, std=0.05)
    keep = torch.ones(*x.shape[:2], 1)

    def run() -> None:
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            for direction in readers:
                hidden = x
                for i, reader in enumerate(direction):
                    above = read(reader, hidden, keep)
                    hidden = above + hidden if i else above
                hidden.float().sum().backward()

    return run


def peer(config: ElmoConfig, x: torch.Tensor) -> Callable[[], None]:
    """PyTorch's own."""
    networks = [
        nn.LSTM(config.d_half, config.d_hidden, config.layers, proj_size=config.d_half) for _ in range(2)
    ]

    def run() -> None:
        for network in networks:
            network(x)[0].sum().backward()

    return run


def reading(name: str) -> Callable[[], None]:
    """All hidden states of 256 sentences."""
    model, texts = explorer.load(name), sentences(256)

    def run() -> None:
        for _ in model.trace_many(texts, Capture.HIDDEN):
            pass

    return run


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    x = torch.randn(LENGTH, ROWS, CONFIG.d_half)
    for bf16 in (False, True):
        what = f"a step in {'bfloat16' if bf16 else 'float32'}, beside nn.LSTM in float32"
        compare(what, step(CONFIG, x, bf16), peer(CONFIG, x))
    compare("256 sentences, elmo beside bert", reading("elmo"), reading("bert"))


if __name__ == "__main__":
    main()
