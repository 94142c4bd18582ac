"""Fine-tuning: how fast, and in how much memory: `python -m tests.benchmarks.finetuning`.

frozen 200     the features of 200 sentences, and then the head on them (goal for the head: 2 s)
whole 200      200 texts of at most 32 tokens, five epochs, two threads (goal: 60 s)
answers 200    200 passages, two epochs, two threads (goal: 150 s)
features       texts a second, one thread
memory         the most that a whole training's process takes, beyond a process that has loaded the model
               alone (goal: 600 MB)
"""

import resource
import subprocess
import sys
import time

import torch

import explorer
from explorer.finetuning import Labelled, Question, fit, library, task_of
from explorer.models.precision import faster_in_bfloat16

COUNT, TOKENS, THREADS = 200, 32, 2
GOALS = {"head on 200": 2.0, "whole 200": 60.0, "answers 200": 150.0}
MEMORY_MB = 600


def sentences() -> list[Labelled]:
    """200 texts of 32 tokens, of our own opinions on films, each twice as long as it was written."""
    films = [e for e in library.examples("films") if isinstance(e, Labelled)]
    return [Labelled(f"{i}. {e.text} {e.text} {e.text}", e.label) for i in range(5) for e in films]


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


def told(name: str, seconds: float) -> None:
    """A line of the table."""
    goal = f"   goal {GOALS[name]:.0f} s" if name in GOALS else ""
    print(f"{name:14} {seconds:7.1f} s{goal}", flush=True)


def frozen() -> None:
    """Features, and the head on them."""
    torch.set_num_threads(1)
    examples = sentences()
    run = fit(explorer.load("bert"), task_of(examples), examples)
    started, features = time.perf_counter(), 0.0
    for progress in run:
        if progress.stage == "reading":
            features = time.perf_counter() - started
    told("features 200", features)
    told("head on 200", time.perf_counter() - started - features)
    print(f"{'features':14} {COUNT / features:7.0f} texts a second", flush=True)


def whole(kind: str) -> None:
    """A whole body, on as many threads as the goal allows."""
    torch.set_num_threads(THREADS)
    model = explorer.load("bert")
    examples = sentences() if kind == "whole 200" else questions()
    limit = TOKENS if kind == "whole 200" else None
    started = time.perf_counter()
    for _ in fit(model, task_of(examples), examples, how="whole", limit=limit, bfloat16=faster_in_bfloat16()):
        pass
    told(kind, time.perf_counter() - started)


def most(code: str) -> float:
    """The most memory of a fresh process, in MB."""
    end = "; import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    out = subprocess.run([sys.executable, "-c", code + end], capture_output=True, text=True, check=True)
    return float(out.stdout.split()[-1])


def memory() -> None:
    """A training's memory above that of a process with the model loaded."""
    loaded = "import explorer; explorer.load('bert').trace('a')"
    training = "from tests.benchmarks.finetuning import whole; whole('whole 200')"
    above = most(training) - most(loaded)
    print(f"{'memory':14} {above:7.0f} MB above a loaded model   goal {MEMORY_MB} MB", flush=True)


if __name__ == "__main__":
    frozen()
    whole("whole 200")
    whole("answers 200")
    memory()
    print(f"{'this process':14} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:7.0f} MB at most")
