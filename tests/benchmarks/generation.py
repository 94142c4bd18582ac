"""Generation of 64 tokens, against `transformers` on the same weights: float32, one thread, greedy.

    python -m tests.benchmarks.generation

Prints the median of five alternating runs for each, their ratio (below 1: we are faster), and
the time to our first token. GPT-2 small's sizes with random weights, then the bundled gpt.
"""

import statistics
import tempfile
import time
from pathlib import Path

import torch

import explorer
from explorer.analysis.generation import Sampling, generate
from explorer.models import LanguageModel
from tests import tiny

PROMPT = "the light on the water by the old river bank was deep"
TOKENS, RUNS = 64, 5
SMALL = {
    "vocab_size": 50257, "n_embd": 768, "n_layer": 12, "n_head": 12, "n_inner": 3072, "n_positions": 1024,
    "bos_token_id": None, "eos_token_id": None,
}  # fmt: skip


def ours(model: LanguageModel) -> tuple[list[int], float]:
    """The ids of one continuation, and the seconds until its first."""
    start = time.perf_counter()
    generation = generate(model, PROMPT, Sampling(greedy=True, max_new_tokens=TOKENS))
    ids = [next(generation).id]
    first = time.perf_counter() - start
    return ids + [step.id for step in generation], first


def theirs(peer, ids: torch.Tensor) -> list[int]:
    """The ids of the same continuation by `transformers`, which stops at no token."""
    with torch.inference_mode():
        attended = torch.ones_like(ids)
        settings = {"max_new_tokens": TOKENS, "do_sample": False, "eos_token_id": None, "pad_token_id": 0}
        out = peer.generate(ids, attention_mask=attended, **settings)
    return out[0, ids.shape[1] :].tolist()


def compare(name: str, folder: Path) -> None:
    """Run both in turn and print what they took."""
    import transformers

    model = explorer.load(f"folder:{folder}")
    peer = transformers.GPT2LMHeadModel.from_pretrained(folder, dtype=torch.float32).eval()
    ids = model.tokenizer.encode(PROMPT).ids[None]
    our_times, their_times, firsts = [], [], []
    for run in range(RUNS + 1):
        start = time.perf_counter()
        found, first = ours(model)
        middle = time.perf_counter()
        expected = theirs(peer, ids)
        end = time.perf_counter()
        if found != expected[: len(found)]:
            raise SystemExit(f"{name}: the two continuations differ")
        if run:  # the first run warms both up
            our_times.append((middle - start) / len(found))
            their_times.append((end - middle) / len(expected))
            firsts.append(first)
    a, b = statistics.median(our_times), statistics.median(their_times)
    print(
        f"{name}: {a * 1e3:.1f} ms a token, transformers {b * 1e3:.1f} ms, ratio {a / b:.2f}; "
        f"first token {statistics.median(firsts) * 1e3:.0f} ms"
    )


def main() -> None:
    """Both models, one after the other."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        tiny.write_gpt(Path(folder), **SMALL)
        compare("GPT-2 small, random weights", Path(folder))
    bundled = Path(explorer.__file__).parents[1] / "assets" / "checkpoints" / "gpt"
    if (bundled / "config.json").exists():
        compare("bundled gpt", bundled)


if __name__ == "__main__":
    main()
