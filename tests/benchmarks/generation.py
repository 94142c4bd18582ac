"""Generation against `transformers`: the same weights, dtype and text, one thread each.

    python -m tests.benchmarks.generation [smollm2] [product] [bundled] [small]

smollm2   SmolLM2, greedy, by the clock on the wall, on one thread and on two
product   a row times a matrix of 1536 x 576, whose weights are in no cache; the same in four bits by PyTorch
bundled   the gpt that comes with the project; whole continuations, the prompt's reading included,
          greedy and drawn
small     GPT-2 small's sizes with random weights, in float32. A token needs every weight once, so
          bytes of weights / seconds a token cannot be more than the bandwidth of memory, which is
          measured in the same minute: the fastest of three ways to read as many bytes once

Contenders run in turn, in short bursts, and medians of five are compared: other work on the machine
then disturbs all alike. But for SmolLM2, times are of the processor, which it disturbs less.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

import torch

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.assets import CHECKPOINTS
from explorer.models import LanguageModel
from tests import tiny
from tests.benchmarks.figures import figure, medians, seconds_of
from tests.command import parser, size

PROMPT = "the light on the water by the old river bank was deep"
MOST = size(64, 4)  # tokens of a continuation
WIDE, NARROW, MATRICES, GROUP = 1536, 576, size(100, 2), 32  # 100 of them are larger than any cache
SMALL = {
    "vocab_size": 50257, "n_embd": 768, "n_layer": size(12, 1), "n_head": 12, "n_inner": 3072,
    "n_positions": 1024, "bos_token_id": None, "eos_token_id": None,
}  # fmt: skip


def ours(
    model: LanguageModel, sampling: Sampling, ids: list[int] | None = None, clock=process_time
) -> Callable[[], float]:
    """Seconds a token of a whole continuation; its ids go into a list."""

    def run() -> float:
        start = clock()
        generation = generate(model, PROMPT, sampling)
        for _ in generation:
            pass
        seconds = clock() - start
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
        start = process_time()
        with torch.inference_mode():
            out = peer.generate(prompt, attention_mask=torch.ones_like(prompt), **settings)
        seconds = process_time() - start
        if ids is not None:
            ids[:] = out[0, prompt.shape[1] :].tolist()
        return seconds / (out.shape[1] - prompt.shape[1])

    return run


def bandwidth(count: int) -> Callable[[], float]:
    """Bytes a second: the fastest of a sum, an inner product, and a matrix times a vector, over `count`."""
    numbers = torch.ones(count // 4)
    half, table = numbers.view(2, -1), numbers[: count // 4 // 1024 * 1024].view(-1, 1024)
    vector = torch.ones(1024)
    ways = (numbers.sum, lambda: torch.dot(half[0], half[1]), lambda: torch.mv(table, vector))

    def run() -> float:
        return count / min(seconds_of(way)() for way in ways)

    return run


def weights(model: LanguageModel) -> int:
    """Bytes that every token needs: all parameters but the table of positions, of which it takes a row."""
    return sum(p.nbytes for name, p in model.network.named_parameters() if name != "positions.weight")


def compare_bundled() -> None:
    """The project's own model: many small products, so calls count as much as bytes."""
    import transformers

    model = explorer.load("gpt")
    peer = transformers.GPT2LMHeadModel.from_pretrained(CHECKPOINTS / "gpt", dtype=torch.float32).eval()
    prompt = model.tokenizer.encode(PROMPT).ids[None]
    greedy, drawn = Sampling(greedy=True, max_new_tokens=MOST), Sampling(temperature=0.7, max_new_tokens=MOST)
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
        times = got["their " + name] / got[name]
        peer = f"transformers {1 / got['their ' + name]:.0f}"
        figure(f"bundled gpt, {name}", f"{1 / got[name]:.0f} tokens a second, {times:.2f} times theirs", peer)


def compare_small() -> None:
    """GPT-2 small's sizes: memory decides."""
    import transformers

    with tempfile.TemporaryDirectory() as folder:
        tiny.write_gpt(Path(folder), **SMALL)
        model = explorer.load(f"folder:{folder}")
        peer = transformers.GPT2LMHeadModel.from_pretrained(folder, dtype=torch.float32).eval()
    prompt = model.tokenizer.encode(PROMPT).ids[None]
    found, expected = [], []
    greedy, drawn = (
        Sampling(greedy=True, max_new_tokens=size(16, 2)),
        Sampling(temperature=0.7, max_new_tokens=size(16, 2)),
    )
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
    times = got["theirs"] / got["ours"]
    figure("memory", f"{got['bandwidth'] / 1e9:.1f} GB a second")
    figure("GPT-2 small's sizes", f"{share:.0%} of the memory's bandwidth, {times:.2f} times", "transformers")


def measure_smollm2() -> None:
    """SmolLM2's tokens a second, and how many the memory lets through in float32."""
    model, greedy = explorer.load("smollm2"), Sampling(greedy=True, max_new_tokens=MOST)
    for threads in (1, 2):
        torch.set_num_threads(threads)
        got = medians(
            {"seconds": ours(model, greedy, clock=perf_counter), "bandwidth": bandwidth(weights(model))}
        )
        most = got["bandwidth"] / weights(model) * threads
        limit = f"float32 lets through at most {most:.0f}"
        figure(f"SmolLM2, greedy, threads: {threads}", f"{1 / got['seconds']:.1f} tokens a second", limit)
    torch.set_num_threads(1)


def measure_product() -> None:
    """A row times each of many matrices, in float32, and packed into four bits with bfloat16 inputs."""
    row = torch.randn(1, NARROW)
    matrices = [torch.randn(WIDE, NARROW) for _ in range(MATRICES)]
    codes = torch.randint(0, 16, (WIDE, NARROW), dtype=torch.int32)
    packed = [torch.ops.aten._convert_weight_to_int4pack_for_cpu(codes, 2) for _ in range(MATRICES)]
    scales = torch.ones(NARROW // GROUP, WIDE, 2, dtype=torch.bfloat16)
    short = row.bfloat16()

    def in_float32() -> None:
        for matrix in matrices:
            torch.mv(matrix, row[0])

    def in_four_bits() -> None:
        for matrix in packed:
            torch.ops.aten._weight_int4pack_mm_for_cpu(short, matrix, GROUP, scales)

    got = medians({"float32": seconds_of(in_float32), "four bits": seconds_of(in_four_bits)})
    times = {name: f"{1e6 * seconds / MATRICES:.0f} us" for name, seconds in got.items()}
    figure(f"a row times {WIDE} x {NARROW}, float32", times["float32"], f"in four bits {times['four bits']}")


def main() -> None:
    """What is named, or all."""
    from transformers.utils import logging

    p = parser("tests.benchmarks.generation", __doc__)
    p.add_argument("names", nargs="*", default=list(WAYS), metavar="NAME", help=", ".join(WAYS))
    names = p.parse_args().names
    logging.disable_progress_bar()
    torch.set_num_threads(1)
    for name in names:
        WAYS[name]()


WAYS = {
    "smollm2": measure_smollm2,
    "product": measure_product,
    "bundled": compare_bundled,
    "small": compare_small,
}

if __name__ == "__main__":
    main()
