"""What “Which words mattered” takes: `python -m tests.benchmarks.attributions`.

The four rows and the curve for a text of 30 tokens, on one thread as in the app, with BERT and SmolLM2; the
peer is a plain loop, one pass a variant and a step. With `captum` installed, its integrated gradients too.
"""

from collections.abc import Callable
from time import perf_counter

import torch

import explorer
from explorer.analysis.attribution.attention import rollout_shares
from explorer.analysis.attribution.faithfulness import faithfulness
from explorer.analysis.attribution.gradients import gradient_times_input, integrated_gradients
from explorer.analysis.attribution.prediction import Prediction, batch_scores, nats, word_prediction
from explorer.analysis.attribution.removal import deletion, nats_without

ROUNDS, STEPS = 3, 10
GOALS_S = {"bert": 1.5, "smollm2": 4.0}
BLANK = (
    "The keys to the old wooden cabinet that stood near the kitchen window [MASK] lost for many years, and "
    "nobody knew where my brother had put them."
)
START = (
    "The keys to the old wooden cabinet that stood in the corner of the kitchen near the window were lost "
    "for many years before my youngest brother found them in"
)


def seconds(work: Callable[[], object]) -> float:
    """The shortest of several rounds: other work on the machine only adds time."""
    times = []
    for _ in range(ROUNDS):
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return min(times)


def loop_deletion(prediction: Prediction) -> None:
    """Deletion, one text at a time."""
    for position in [None, *prediction.judged]:
        nats_without(prediction, [[] if position is None else [position]])


def captum_gradients(prediction: Prediction) -> tuple[torch.Tensor, float]:
    """Integrated gradients by Captum at the same midpoints, and its completeness error."""
    from captum.attr import IntegratedGradients

    table = prediction.model.table
    vectors = table[prediction.encoding.ids][None]
    baseline = vectors.clone()
    empty = table.mean(0) if prediction.mask is None else table[prediction.mask]
    baseline[:, prediction.judged] = empty

    def forward(inputs: torch.Tensor) -> torch.Tensor:
        added, seen = inputs - vectors, []

        def edit(site: str, layer: int, tensor: torch.Tensor) -> torch.Tensor:
            if site not in ("embedding_sum", "embedding") or seen:
                return tensor
            seen.append(site)
            return tensor + added

        count = len(inputs)
        encodings, places = [prediction.encoding] * count, [prediction.places] * count
        return prediction.nats(batch_scores(prediction, encodings, places, edit))

    values, error = IntegratedGradients(forward).attribute(
        vectors,
        baseline,
        n_steps=STEPS,
        method="riemann_middle",
        internal_batch_size=16,
        return_convergence_delta=True,
    )
    return values.sum(-1)[0, prediction.judged], float(error)


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
        "deletion": seconds(lambda: deletion(prediction)),
        "gradient x input": seconds(lambda: gradient_times_input(prediction)),
        f"integrated gradients, {STEPS} steps": seconds(lambda: integrated_gradients(prediction, STEPS)),
        "rollout": seconds(lambda: rollout_shares(prediction)),
        "curve": seconds(lambda: faithfulness(prediction, rows)),
    }
    print(f"{name}, {len(prediction.encoding)} tokens")
    for part, time in parts.items():
        print(f"  {part:35} {time:6.2f} s")
    print(f"  {'all':35} {sum(parts.values()):6.2f} s (goal {GOALS_S[name]} s)")
    print(f"  {'deletion, one text at a time':35} {seconds(lambda: loop_deletion(prediction)):6.2f} s")
    try:
        peer, error = captum_gradients(prediction)
    except ImportError:
        return
    apart = float((peer - rows["integrated gradients"]).abs().max())
    time = seconds(lambda: captum_gradients(prediction))
    print(f"  {'captum, integrated gradients':35} {time:6.2f} s, at most {apart:.1e} nats apart")
    ours = integrated_gradients(prediction, STEPS).error
    print(f"  {'completeness error':35} {ours:+.4f} nats, captum {error:+.4f}")


def main() -> None:
    """Measure with both models."""
    torch.set_num_threads(1)
    for name, text in (("bert", BLANK), ("smollm2", START)):
        if name in map(str, explorer.available()):
            measure(name, text)


if __name__ == "__main__":
    main()
