"""Train and measure the heads that ship: `python -m training.finetuning ready sst2 --data FOLDER`.

Each is a low-rank change of the bundled BERT with its head, stored in assets/finetuning/heads. A JSON file
beside it describes the training and its scores on the test set, which is used once, at the end.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import explorer
from explorer.assets import FINETUNING
from explorer.finetuning import TaskHead, fit, store, task_of
from explorer.finetuning.baselines import bag_of_words, majority
from explorer.finetuning.examples import Example, Question
from explorer.finetuning.features import Features
from explorer.finetuning.scores import scores
from explorer.finetuning.tasks import Classes, Pairs, Task
from explorer.models.base import Model
from explorer.models.precision import faster_in_bfloat16
from training.finetuning.data import SETS, Sets

HEADS = FINETUNING / "heads"
BODY = "bert"
DIGITS = 4
LIMIT = 256  # tokens of a text for a frozen head
# The best on SST-2's dev set, of single layers, the last four, sums, mixes, with [CLS] and with maxima.
WHOLE_TEXTS = Features("all side by side", "mean")
WORDS = Features("last four side by side")

DevScores = list[tuple[int, dict[str, float]]]  # steps, and scores on the dev set


@dataclass(frozen=True)
class Plan:
    """Examples and hyperparameters of a head."""

    examples: int
    epochs: int
    batch: int
    rate: float
    rank: int = 8
    limit: int = 256
    frozen: int = 2_000  # examples of the frozen head to compare with
    shortest: int = 1  # words of a training example
    dev: int = 200  # examples of the dev set that the best step is chosen by


PLANS = {
    # Its sentences come with their phrases; the shortest of them teach a head least.
    "sst2": Plan(48_807, 1, 32, 1e-3, frozen=48_807, dev=872, shortest=4),
    "slots": Plan(13_084, 3, 32, 2e-3),
    "intents": Plan(4_000, 1, 32, 2e-3, rank=1),
    "names": Plan(2_000, 3, 16, 2e-3, rank=2, frozen=600, dev=100),
    "rte": Plan(1_244, 2, 16, 2e-3, rank=2, frozen=600),
    "answers": Plan(17_899, 1, 8, 2e-3, rank=12, frozen=200),
}


def draw(examples: Sequence[Example], count: int, seed: int = 0) -> list[Example]:
    """Random `count` examples."""
    order = list(examples)
    random.Random(seed).shuffle(order)
    return order[:count]


def training_examples(plan: Plan, sets: Sets, count: int) -> list[Example]:
    """Random examples that are long enough."""
    return draw([e for e in sets.train if words_in(e) >= plan.shortest], count)


def words_in(example: Example) -> int:
    """Number of words of a sentence, or of a question's passage."""
    return len((example.passage if isinstance(example, Question) else example.text).split())


def frozen(
    model: Model,
    task: Task,
    train: Sequence[Example],
    test: Sequence[Example],
    features: Features | None = None,
) -> dict[str, float]:
    """Test scores of a head on frozen vectors, by default of many layers: each text's mean, or each word."""
    features = features or (WHOLE_TEXTS if isinstance(task, Classes | Pairs) else WORDS)
    run = fit(model, task, train, held_out=0.0, features=features, limit=LIMIT)
    for _ in run:
        pass
    assert run.head is not None
    return scores(test, run.head.predict(test))


def train_head(name: str, folder: Path) -> tuple[TaskHead, Sets, DevScores]:
    """Low-rank head of a plan, best on a part of the dev set, and its scores there during training."""
    plan, sets = PLANS[name], SETS[name](folder)
    train, dev = training_examples(plan, sets, plan.examples), list(sets.dev)[: plan.dev]
    run = fit(
        explorer.load(BODY),
        task_of([*train, *dev]),
        train,
        how="low rank",
        held_out=dev,
        epochs=plan.epochs,
        batch=plan.batch,
        rate=plan.rate,
        rank=plan.rank,
        limit=plan.limit,
        bfloat16=faster_in_bfloat16(),
    )
    for progress in run:
        if progress.scores:
            position = f"{progress.step} of {progress.of}, {progress.seconds:.0f} s"
            print(name, position, progress.scores, flush=True)
    assert run.head is not None
    return run.head, sets, run.evaluations


def score_table(name: str, head: TaskHead, sets: Sets) -> dict[str, Any]:
    """Test scores of a stored head, beside a frozen head and two baselines."""
    plan = PLANS[name]
    test = [e for e in sets.test if set(getattr(e, "tags", ())) <= {*head.task.labels}]
    train = training_examples(plan, sets, plan.frozen)
    table = {
        "tuned": scores(test, head.predict(test)),
        "frozen": frozen(explorer.load(BODY), head.task, train, test),
        "bag of words": bag_of_words(sets.train, test),
        "majority": majority(sets.train, test),
    }
    return {
        "command": f"python -m training.finetuning ready {name}",
        "body": BODY,
        "plan": asdict(plan),
        "test": len(test),
        "of": len(sets.test),
        "scores": {row: rounded(figures) for row, figures in table.items()},
    }


def make(name: str, folder: Path) -> None:
    """Train a head, store it, and measure the stored head on its test set."""
    trained, sets, course = train_head(name, folder)
    HEADS.mkdir(parents=True, exist_ok=True)
    file = HEADS / f"{name}.safetensors"
    file.write_bytes(store.dumps(trained))
    head = store.load(file, explorer.load(BODY))
    steps = [[step, rounded(figures)] for step, figures in course]
    content = score_table(name, head, sets) | {"chosen": dict(head.about).get("scores", {}), "course": steps}
    file.with_suffix(".json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    print(name, content["scores"], flush=True)


def rounded(figures: dict[str, float]) -> dict[str, float]:
    """Figures with four decimals."""
    return {name: round(value, DIGITS) for name, value in figures.items()}
