"""The logit lens over a text of twelve tokens, beside the bare product of its states with the vocabulary.

    python -m tests.benchmarks.lens            the model that pages write with
    python -m tests.benchmarks.lens gpt        another one

Milliseconds by the clock on the wall, with all threads, alternating, after one run that warms up.
"""

import time

import torch

import explorer
from explorer.analysis.prediction import text_lens
from explorer.trace import Capture, captured
from explorer.views.frame.default_models import WRITER
from tests.benchmarks.figures import figure, medians, seconds_of
from tests.command import parser, size

TEXT = "When the ice melted, the polar bear began to swim."  # twelve tokens of SmolLM2
GOAL_MS = 400


def main() -> None:
    """Measure one model."""
    p = parser("tests.benchmarks.lens", __doc__)
    p.add_argument("model", nargs="?", default=size(WRITER, "gpt"))
    model = explorer.load(p.parse_args().model)
    states = captured(model.trace(TEXT, capture=Capture.HIDDEN).hidden_states).flatten(0, 1)
    matrix = model.network.get_parameter("tokens.weight").detach()

    def bare() -> None:
        with torch.no_grad():
            states @ matrix.T

    acts = {"ours": lambda: text_lens.over_text(model, TEXT), "bare": bare}
    times = medians({name: seconds_of(act, time.perf_counter) for name, act in acts.items()})
    ours, product = (1e3 * times[name] for name in ("ours", "bare"))
    what = f"Layer by layer: {len(states)} states, {len(matrix):,} words"
    figure(what, f"{ours:.0f} ms", f"bare product {product:.0f} ms, goal {GOAL_MS} ms")


if __name__ == "__main__":
    main()
