"""A training in a process of its own: `python -m explorer.finetuning.worker`, as `jobs` starts it.

The first line that it reads is the request; "stop" on a later line, or the end of its input, which is
also what it sees when the server is gone, ends the training: the best head so far is kept.
"""

import json
import os
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, TextIO


def main() -> None:
    """Train as the first line of the input asks; tell of it line by line."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no message

    def tell(**message: Any) -> None:
        out.write(json.dumps(message) + "\n")

    raw = json.loads(sys.stdin.readline())
    stopped = threading.Event()
    threading.Thread(target=_listen, args=(sys.stdin, stopped), daemon=True).start()
    try:
        if "course" in raw:
            _follow(raw["course"], tell, stopped)
        else:
            _train(raw["request"], Path(raw["head"]), tell, stopped)
    except Exception as error:
        from explorer.finetuning.messages import error_out

        tell(error=error_out(error))
        if not hasattr(error, "hint"):
            traceback.print_tb(error.__traceback__)  # its message may quote what a visitor typed
            sys.exit(1)


def _listen(source: TextIO, stopped: threading.Event) -> None:
    for line in source:
        if line.strip() == "stop":
            break
    stopped.set()


def _follow(raw: dict[str, Any], tell: Any, stopped: threading.Event) -> None:
    """Tell a course's moments."""
    import torch

    from explorer import checkpoints
    from explorer.finetuning.courses import course_in

    course = course_in(raw)
    torch.set_num_threads(course.threads)
    for moment in course.moments(checkpoints.load(course.checkpoint)):
        tell(moment=moment)
        if stopped.is_set():
            break
    tell(done=True)


def _train(raw: dict[str, Any], place: Path, tell: Any, stopped: threading.Event) -> None:
    import torch

    from explorer import checkpoints
    from explorer.finetuning import store
    from explorer.finetuning.baselines import random_body
    from explorer.finetuning.fit import fit
    from explorer.finetuning.messages import progress_out, request_in
    from explorer.models.precision import faster_in_bfloat16

    request = request_in(raw)
    torch.set_num_threads(request.threads)
    model = checkpoints.load(request.checkpoint)
    if request.random:
        model = random_body(model, request.seed)
    run = fit(
        model,
        request.task,
        request.examples,
        how=request.how,
        held_out=request.held_out,
        features=request.features,
        epochs=request.epochs,
        seed=request.seed,
        batch=request.batch,
        rate=request.rate,
        rank=request.rank,
        limit=request.limit,
        bfloat16=request.how != "frozen" and faster_in_bfloat16(),
    )
    dots = [[dot.example, dot.label, dot.text, dot.aside] for dot in run.watched]
    tell(watched=dots, left_out=run.left_out)
    for progress in run:
        tell(progress=progress_out(progress))
        if stopped.is_set():
            run.close()
            break
    if run.head is not None:
        place.write_bytes(store.dumps(run.head))
    tell(done=run.head is not None)


if __name__ == "__main__":
    main()
