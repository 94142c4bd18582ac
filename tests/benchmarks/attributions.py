"""What “Which words mattered” takes: `python -m tests.benchmarks.attributions`.

The four rows and the curve for a text of 30 tokens, on one thread as in the app, with BERT and SmolLM2; the
peer is a plain loop, one pass a variant. The shortest of several rounds: other work only adds time.
"""

from dataclasses import replace
from time import perf_counter

import torch

import explorer
from explorer.analysis.attribution.attention import rollout_shares
from explorer.analysis.attribution.faithfulness import faithfulness
from explorer.analysis.attribution.gradients import gradient_times_input, integrated_gradients
from explorer.analysis.attribution.prediction import Prediction, nats, word_prediction
from explorer.analysis.attribution.removal import deletion, nats_without
from tests.benchmarks.figures import figure, seconds_of
from tests.command import parser, size

ROUNDS, STEPS = size(3, 1), size(10, 2)
GOALS_S = {"bert": 1.5, "smollm2": 4.0}
BLANK = (
    "The keys to the old wooden cabinet that stood near the kitchen window [MASK] lost for many years, and "
    "nobody knew where my brother had put them."
)
START = (
    "The keys to the old wooden cabinet that stood in the corner of the kitchen near the window were lost "
    "for many years before my youngest brother found them in"
)


def curve(prediction: Prediction, rows: dict[str, torch.Tensor]) -> None:
    """The curve after deletion, as on the page."""
    fresh = replace(prediction)
    fresh.values.update(prediction.values)
    faithfulness(fresh, rows)


def loop_deletion(prediction: Prediction) -> None:
    """Deletion, one text at a time."""
    for position in [None, *prediction.judged]:
        nats_without(replace(prediction), [[] if position is None else [position]])


def measure(name: str, text: str) -> None:
    """Print what each part takes with one model."""
    prediction = word_prediction(explorer.load(name), text)
    nats(prediction, [prediction.encoding])
    rows = {
        "deletion": deletion(prediction),
        "gradient x input": gradient_times_input(prediction),
        "integrated gradients": integrated_gradients(prediction, STEPS).values,
        "rollout": rollout_shares(prediction),
    }
    parts = {
        "deletion": lambda: deletion(replace(prediction)),  # which knows nothing
        "gradient x input": lambda: gradient_times_input(prediction),
        f"integrated gradients, {STEPS} steps": lambda: integrated_gradients(prediction, STEPS),
        "rollout": lambda: rollout_shares(prediction),
        "curve": lambda: curve(prediction, rows),
        "one text at a time": lambda: loop_deletion(prediction),
    }
    runs = {part: seconds_of(act, perf_counter) for part, act in parts.items()}
    times = {part: min(run() for _ in range(ROUNDS)) for part, run in runs.items()}
    loop = times.pop("one text at a time")
    for part, time in times.items():
        peer = f"one text at a time {loop:.2f} s" if part == "deletion" else ""
        figure(f"  {name}, {part}", f"{time:.2f} s", peer)
    goal = f"goal {GOALS_S[name]} s"
    figure(f"attributions, {name}, {len(prediction.encoding)} tokens", f"{sum(times.values()):.2f} s", goal)


def main() -> None:
    """Measure with both models."""
    p = parser("tests.benchmarks.attributions", __doc__)
    p.add_argument("models", nargs="*", default=list(GOALS_S), metavar="MODEL", help=", ".join(GOALS_S))
    torch.set_num_threads(1)
    for name in p.parse_args().models[: size(None, 1)]:
        if name in map(str, explorer.available()):
            measure(name, size(BLANK, "We saw a [MASK].") if name == "bert" else START)


if __name__ == "__main__":
    main()
