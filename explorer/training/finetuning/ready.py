"""Train and measure the heads that ship: `python -m explorer.training.finetuning ready sst2 --data FOLDER`.

Each is a low-rank change of the bundled BERT with its head, stored in assets/finetuning/heads, and a JSON
beside it says how it was trained and how good it is on the test set, which is measured once, at the end.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

import explorer
from explorer.assets import FINETUNING
from explorer.finetuning import TaskHead, fit, store, task_of
from explorer.finetuning.baselines import bag_of_words, majority
from explorer.finetuning.examples import Example, Question
from explorer.finetuning.scores import scores
from explorer.finetuning.tasks import Answers
from explorer.models.precision import faster_in_bfloat16
from explorer.training.finetuning.data import SETS, Sets
from explorer.training.finetuning.frozen import frozen
from explorer.training.finetuning.threshold import no_answers

HEADS = FINETUNING / "heads"
BODY = "bert"
DIGITS = 4
TOLD = 50  # steps between two lines of news


@dataclass(frozen=True)
class Plan:
    """What a head is trained on, and how: all of the recipe's numbers."""

    examples: int
    epochs: int
    batch: int
    rate: float
    rank: int = 8
    limit: int = 256
    frozen: int = 2_000  # examples of the frozen head that stands beside it
    shortest: int = 1  # words of an example that is learnt from
    dev: int = 200  # examples of the dev set that the best moment is chosen by


PLANS = {
    # Its sentences come with their phrases, of which the shortest teach a head least.
    "sst2": Plan(48_807, 1, 32, 1e-3, frozen=48_807, dev=872, shortest=4),
    "slots": Plan(13_084, 3, 32, 2e-3),
    "intents": Plan(4_000, 1, 32, 2e-3, rank=1),
    "names": Plan(2_000, 3, 16, 2e-3, rank=2, frozen=600, dev=100),
    "rte": Plan(1_244, 2, 16, 2e-3, rank=2, frozen=600),
    "answers": Plan(17_899, 1, 8, 2e-3, rank=12, frozen=200),
}


def drawn(examples: Sequence[Example], count: int, seed: int = 0) -> list[Example]:
    """Some of the examples, drawn by a seed."""
    some = list(examples)
    random.Random(seed).shuffle(some)
    return some[:count]


def learnt_from(plan: Plan, sets: Sets, count: int) -> list[Example]:
    """Some of the examples that are long enough."""
    return drawn([e for e in sets.train if words_in(e) >= plan.shortest], count)


def words_in(example: Example) -> int:
    """How many words a sentence has; of a passage and its question, those of the passage."""
    return len((example.passage if isinstance(example, Question) else example.text).split())


Course = list[tuple[int, dict[str, float]]]


def trained(name: str, folder: Path, state: Path | None = None) -> tuple[TaskHead, Sets, Course]:
    """The head of a plan, low rank, best on some of the dev set; and its scores there as it learnt.

    A state's file lets it go on.
    """
    plan, sets = PLANS[name], SETS[name](folder)
    learn, dev = learnt_from(plan, sets, plan.examples), list(sets.dev)[: plan.dev]
    run = fit(
        explorer.load(BODY),
        task_of([*learn, *dev]),
        learn,
        how="low rank",
        held_out=dev,
        epochs=plan.epochs,
        batch=plan.batch,
        rate=plan.rate,
        rank=plan.rank,
        limit=plan.limit,
        bfloat16=faster_in_bfloat16(),
        state=state,
    )
    losses: list[float] = []
    for progress in run:
        if progress.loss is not None:
            losses = [*losses, progress.loss][-TOLD:]
        if progress.scores or (progress.step % TOLD == 0 and losses):
            loss = f"{sum(losses) / len(losses):.3f}" if losses else ""
            at = f"{progress.step} of {progress.of}, {progress.seconds:.0f} s"
            print(name, at, loss, progress.scores or "", flush=True)
    assert run.head is not None
    return run.head, sets, run.evaluations


def measured(name: str, head: TaskHead, sets: Sets) -> dict[str, Any]:
    """The test scores of a stored head beside what it is compared with."""
    plan = PLANS[name]
    known = [e for e in sets.test if set(getattr(e, "tags", ())) <= {*head.task.labels}]
    table = {
        "tuned": scores(known, head.predict(known)),
        "frozen": frozen(explorer.load(BODY), head.task, learnt_from(plan, sets, plan.frozen), known),
        "bag of words": bag_of_words(sets.train, known),
        "majority": majority(sets.train, known),
    }
    asked = [[e for e in some if isinstance(e, Question)] for some in (sets.dev[: plan.dev], known)]
    more = {"no answer": no_answers(head, *asked)} if isinstance(head.task, Answers) else {}
    return {
        "command": f"python -m explorer.training.finetuning ready {name}",
        "body": BODY,
        "plan": asdict(plan),
        "test": len(known),
        "of": len(sets.test),
        "scores": {
            row: {measure: round(value, DIGITS) for measure, value in found.items()}
            for row, found in table.items()
        },
    } | more


def make(name: str, folder: Path, state: Path | None = None) -> None:
    """Train a head, store it, and measure what was stored."""
    if state is not None:
        state.parent.mkdir(parents=True, exist_ok=True)
    head, sets, course = trained(name, folder, state)
    HEADS.mkdir(parents=True, exist_ok=True)
    (HEADS / f"{name}.safetensors").write_bytes(store.dumps(head))
    measure(name, folder, sets, course)


def measure(name: str, folder: Path, sets: Sets | None = None, course: Course | None = None) -> None:
    """Measure a stored head on its test set, and store the figures; `course` None keeps the stored one."""
    sets, file = sets or SETS[name](folder), HEADS / f"{name}.json"
    head = store.load(HEADS / f"{name}.safetensors", explorer.load(BODY))
    if course is None:
        known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        looks = known.get("course", [])
    else:
        looks = [[step, {k: round(v, DIGITS) for k, v in found.items()}] for step, found in course]
    found = measured(name, head, sets) | {"chosen": dict(head.about).get("scores", {}), "course": looks}
    file.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(name, found["scores"], flush=True)


def threads(count: int) -> None:
    """One thread gives the same figures each time."""
    torch.set_num_threads(count)
