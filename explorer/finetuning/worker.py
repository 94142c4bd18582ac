"""A training in a process of its own: `python -m explorer.finetuning.worker`, started by `jobs`.

The first line of its input is a training spec. "stop" on a later line, or the end of the input, which also
comes when the server is gone, ends the training; a task head is then the best so far.
"""

import argparse
import json
import os
import sys
import threading
from typing import Any, TextIO

from explorer.errors import ExplorerError
from explorer.system.logs import places


def main() -> None:
    """Run the training of the first input line, and write its records, a line each."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no record
    raw = json.loads(sys.stdin.readline())
    stopped = threading.Event()
    threading.Thread(target=_listen, args=(sys.stdin, stopped), daemon=True).start()
    try:
        _train(raw, out, stopped)
    except ExplorerError as error:
        _write(out, {"error": {"message": error.message, "hint": error.hint}})
    except Exception as error:
        message = f"The training broke off: {type(error).__name__}."
        _write(out, {"error": {"message": message, "hint": "Try again."}})
        print(places(error), file=sys.stderr)
        sys.exit(1)


def _listen(source: TextIO, stopped: threading.Event) -> None:
    for line in source:
        if line.strip() == "stop":
            break
    stopped.set()


def _train(raw: dict[str, Any], out: TextIO, stopped: threading.Event) -> None:
    import torch

    from explorer import checkpoints
    from explorer.finetuning.training_specs import spec_from_json

    spec = spec_from_json(raw)
    torch.set_num_threads(spec.threads)
    model = checkpoints.load(spec.checkpoint, device="cpu", dtype=torch.float32)  # what a layer is trained in
    for record in spec.records(model, stopped.is_set):
        _write(out, record)


def _write(out: TextIO, record: dict[str, Any]) -> None:
    out.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
