"""Fine-tuning: how fast, and in how much memory: `python -m tests.benchmarks.finetuning`.

frozen 200     the features of 200 sentences, and then the head on them (goal for the head: 2 s)
whole 200      200 texts of at most 32 tokens, five epochs, two threads (goal: 60 s)
answers 200    200 passages, two epochs, two threads (goal: 150 s)
memory         the most that the process takes by then, beyond the loaded model (goal: 600 MB)

An argument chooses one of them: frozen, "whole 200", "answers 200".
"""

import resource
import time

import torch

import explorer
from explorer.finetuning import Labelled, Question, fit, library, task_of
from explorer.models.precision import faster_in_bfloat16
from tests.command import parser, size

COUNT, TOKENS, THREADS = size(200, 20), 32, 2
KINDS = ("frozen", "whole 200", "answers 200")
GOALS = {"head on 200": 2.0, "whole 200": 60.0, "answers 200": 150.0}
MEMORY_MB = 600


def sentences() -> list[Labelled]:
    """200 texts of 32 tokens, of our own opinions on films, each twice as long as it was written."""
    films = [e for e in library.examples("films") if isinstance(e, Labelled)]
    return [Labelled(f"{i}. {e.text} {e.text} {e.text}", e.label) for i in range(5) for e in films][
        :: 200 // COUNT
    ]


def questions() -> list[Question]:
    """200 questions on our passages, each passage put after two others, some 130 tokens."""
    ours = [e for e in library.examples("passages") if isinstance(e, Question)]
    passages = list(dict.fromkeys(e.passage for e in ours))
    made = []
    for i in range(COUNT):
        e, front = ours[i % len(ours)], " ".join(passages[(i + k) % len(passages)] for k in (1, 2))
        start = None if not e.answer else len(front) + 1 + (e.start or 0)
        made.append(Question(f"{front} {e.passage}", e.question, e.answer, start))
    return made


class Clock:
    """Seconds since it was made: by the wall, and of this process's own work, which others disturb less."""

    def __init__(self) -> None:
        self.wall, self.own = time.perf_counter(), time.process_time()

    def tell(self, name: str, threads: int = 1) -> float:
        """A line of the table; the processor's time over all threads. Returns the wall's seconds."""
        wall, own = time.perf_counter() - self.wall, time.process_time() - self.own
        goal = f"   goal {GOALS[name]:.0f} s" if name in GOALS else ""
        print(f"{name:14} {wall:7.1f} s, {own / threads:7.1f} s of {threads} processors{goal}", flush=True)
        return wall


def frozen() -> None:
    """Features, and the head on them."""
    torch.set_num_threads(1)
    examples = sentences()
    run = fit(explorer.load("bert"), task_of(examples), examples)
    clock = Clock()
    for progress in run:
        if progress.stage == "reading" and progress.step == progress.of:
            features = clock.tell("features 200")
            print(f"{'':14} {COUNT / features:7.0f} texts a second", flush=True)
            clock = Clock()
    clock.tell("head on 200")


def whole(kind: str) -> None:
    """A whole body, on as many threads as the goal allows."""
    torch.set_num_threads(THREADS)
    model = explorer.load("bert")
    examples = sentences() if kind == "whole 200" else questions()
    limit = TOKENS if kind == "whole 200" else None
    clock = Clock()
    for _ in fit(model, task_of(examples), examples, how="whole", limit=limit, bfloat16=faster_in_bfloat16()):
        pass
    clock.tell(kind, THREADS)


def most() -> float:
    """The most memory that this process has ever taken, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    p = parser("tests.benchmarks.finetuning", __doc__)
    p.add_argument("kinds", nargs="*", default=KINDS[: size(None, 1)], metavar="KIND")
    explorer.load("bert").trace("A model that is loaded, and has read.")
    loaded = most()
    for kind in p.parse_args().kinds:
        frozen() if kind == "frozen" else whole(kind)
        print(
            f"{'memory':14} {most() - loaded:7.0f} MB above a loaded model   goal {MEMORY_MB} MB", flush=True
        )
