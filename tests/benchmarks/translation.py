"""A sentence of twelve words translated, on one thread, beside `transformers` on the same weights.

    python -m tests.benchmarks.translation                    the bundled translator
    python -m tests.benchmarks.translation folder:/a/path     another one, from its folder

First the clock on the wall against the goals: from the text to the first token with its candidates, and to
the end with four beams. Then medians of alternating runs and their ratio (below 1: we are faster), in
processor time: the first token, greedy decoding, and four beams. Tokenizing is part of all; the texts that
come out are compared first.
"""

from pathlib import Path
from time import perf_counter

import torch
import transformers

import explorer
from explorer.analysis import translation
from explorer.assets import CHECKPOINTS
from tests.benchmarks.figures import compare, figure, medians, seconds_of
from tests.command import parser

TEXT = "My brother bought a red car because his old one was broken."
FIRST_MS, WHOLE_MS = 200, 1000
MOST = 60  # tokens


def main() -> None:
    """Measure one translator."""
    p = parser("tests.benchmarks.translation", __doc__)
    p.add_argument("model", nargs="?", default="translator")
    name = p.parse_args().model
    torch.set_num_threads(1)
    folder = CHECKPOINTS / name if ":" not in name else Path(name.partition(":")[2])
    ours = explorer.load(name)
    theirs = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def peer(beams: int, most: int = MOST) -> str:
        read = tokenizer(TEXT, return_tensors="pt")
        with torch.no_grad():
            ids = theirs.generate(**read, num_beams=beams, max_new_tokens=most, do_sample=False)[0]
        return tokenizer.decode(ids, skip_special_tokens=True)

    def mine(beams: int) -> str:
        return translation.translate(ours, TEXT, beams, limit=MOST).text

    def first() -> object:
        return translation.Search(ours, [ours.encode(TEXT)]).step()

    for beams in (1, 4):
        assert mine(beams) == peer(beams), (mine(beams), peer(beams))
    print(f"{TEXT}\n{mine(4)}")
    acts = {"first token": first, "whole, 4 beams": lambda: mine(4)}
    times = medians({what: seconds_of(act, perf_counter) for what, act in acts.items()})
    for (what, seconds), goal in zip(times.items(), (FIRST_MS, WHOLE_MS)):
        figure(what, f"{1e3 * seconds:.0f} ms by the clock", f"goal {goal} ms")
    compare("first token, 4 beams", first, lambda: peer(4, 1))
    compare("whole, greedy", lambda: mine(1), lambda: peer(1))
    compare("whole, 4 beams", lambda: mine(4), lambda: peer(4))


if __name__ == "__main__":
    main()
