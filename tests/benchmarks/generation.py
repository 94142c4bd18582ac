"""Generation against `transformers`: the same weights, dtype and text, one thread each.

    python -m tests.benchmarks.generation [bundled] [small]

bundled   the gpt that comes with the project; whole continuations, the prompt's reading included,
          greedy and drawn
small     GPT-2 small's sizes with random weights, in float32. A token needs every weight once, so
          bytes of weights / seconds a token cannot be more than the bandwidth of memory, which is
          measured in the same minute: the fastest of three ways to read as many bytes once

Contenders run in turn, in short bursts, and medians of five are compared: other work on the machine
then disturbs all alike. Times are of the processor, which it disturbs less than the clock on the wall.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.assets import CHECKPOINTS
from explorer.models import LanguageModel
from tests import tiny

PROMPT = "the light on the water by the old river bank was deep"
RUNS = 5
SMALL = {
    "vocab_size": 50257,
    "n_embd": 768,
    "n_layer": 12,
    "n_head": 12,
    "n_inner": 3072,
    "n_positions": 1024,
    "bos_token_id": None,
    "eos_token_id": None,
}


def medians(contenders: dict[str, Callable[[], float]]) -> dict[str, float]:
    """What each reports, as a median over runs in turn; the first run warms up."""
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(RUNS + 1):
        for name, run in contenders.items():
            found[name].append(run())
    return {name: statistics.median(values[1:]) for name, values in found.items()}


def ours(model: LanguageModel, sampling: Sampling, ids: list[int] | None = None) -> Callable[[], float]:
    """Seconds a token of a whole continuation; its ids go into a list."""

    def run() -> float:
        start = time.process_time()
        generation = generate(model, PROMPT, sampling)
        for _ in generation:
            pass
        seconds = time.process_time() - start
        if ids is not None:
            ids[:] = generation.ids
        return seconds / len(generation.ids)

    return run


def theirs(
    peer, prompt: torch.Tensor, sampling: Sampling, ids: list[int] | None = None
) -> Callable[[], float]:
    """The same by `transformers`, which stops at no token."""
    settings = {"max_new_tokens": sampling.max_new_tokens, "eos_token_id": None, "pad_token_id": 0}
    settings["do_sample"] = not sampling.greedy
    if not sampling.greedy:
        settings |= {"temperature": sampling.temperature, "top_k": 0}

    def run() -> float:
        start = time.process_time()
        with torch.inference_mode():
            out = peer.generate(prompt, attention_mask=torch.ones_like(prompt), **settings)
        seconds = time.process_time() - start
        if ids is not None:
            ids[:] = out[0, prompt.shape[1] :].tolist()
        return seconds / (out.shape[1] - prompt.shape[1])

    return run


def bandwidth(size: int) -> Callable[[], float]:
    """Bytes a second: the fastest of a sum, an inner product, and a matrix times a vector, over `size`."""
    numbers = torch.ones(size // 4)
    half, table = numbers.view(2, -1), numbers[: size // 4 // 1024 * 1024].view(-1, 1024)
    vector = torch.ones(1024)
    ways = (numbers.sum, lambda: torch.dot(half[0], half[1]), lambda: torch.mv(table, vector))

    def run() -> float:
        times = []
        for way in ways:
            start = time.process_time()
            way()
            times.append(time.process_time() - start)
        return size / min(times)

    return run


def weights(model: LanguageModel) -> int:
    """Bytes that every token needs: all parameters but the table of positions, of which it takes a row."""
    network = model.network
    return sum(p.nbytes for p in network.parameters()) - network.positions.weight.nbytes


def compare_bundled() -> None:
    """The project's own model: many small products, so calls count as much as bytes."""
    import transformers

    model = explorer.load("gpt")
    peer = transformers.GPT2LMHeadModel.from_pretrained(CHECKPOINTS / "gpt", dtype=torch.float32).eval()
    prompt = model.tokenizer.encode(PROMPT).ids[None]
    greedy, drawn = Sampling(greedy=True, max_new_tokens=64), Sampling(temperature=0.7, max_new_tokens=64)
    found, expected = [], []
    got = medians(
        {
            "greedy": ours(model, greedy, found),
            "their greedy": theirs(peer, prompt, greedy, expected),
            "drawn": ours(model, drawn),
            "their drawn": theirs(peer, prompt, drawn),
        }
    )
    if found != expected[: len(found)]:
        raise SystemExit("bundled gpt: the two continuations differ")
    for name in ("greedy", "drawn"):
        mine, rival = 1 / got[name], 1 / got["their " + name]
        print(
            f"bundled gpt, {name}: {mine:.0f} tokens/s, transformers {rival:.0f}, {mine / rival:.2f} times",
            flush=True,
        )


def compare_small() -> None:
    """GPT-2 small's sizes: memory decides."""
    import transformers

    with tempfile.TemporaryDirectory() as folder:
        tiny.write_gpt(Path(folder), **SMALL)
        model = explorer.load(f"folder:{folder}")
        peer = transformers.GPT2LMHeadModel.from_pretrained(folder, dtype=torch.float32).eval()
    prompt = model.tokenizer.encode(PROMPT).ids[None]
    found, expected = [], []
    greedy, drawn = Sampling(greedy=True, max_new_tokens=16), Sampling(temperature=0.7, max_new_tokens=16)
    ours(model, greedy, found)()
    theirs(peer, prompt, greedy, expected)()
    if found != expected:
        raise SystemExit("GPT-2 small: the two continuations differ")
    got = medians(
        {
            "bandwidth": bandwidth(weights(model)),
            "ours": ours(model, drawn),
            "theirs": theirs(peer, prompt, drawn),
        }
    )
    share = weights(model) / got["ours"] / got["bandwidth"]
    print(f"memory: {got['bandwidth'] / 1e9:.1f} GB/s", flush=True)
    print(f"GPT-2 small, drawn: {1 / got['ours']:.1f} tokens/s, {share:.0%} of the memory's bandwidth")
    print(f"    transformers: {1 / got['theirs']:.1f} tokens/s; ours {got['theirs'] / got['ours']:.2f} times")


def main() -> None:
    """The models named, or both."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.set_num_threads(1)
    chosen = sys.argv[1:] or ["bundled", "small"]
    for name in chosen:
        {"bundled": compare_bundled, "small": compare_small}[name]()


if __name__ == "__main__":
    main()
