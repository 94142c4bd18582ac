"""The missing parts in several processes or on several machines, with Ray Data.

    part numbers -> Ray Data -> an actor with the model -> shards in the folder

Each process loads the model once. Ray Data distributes the parts, and gives those of a process that died to
another. Shards are written where they are computed, so several machines must share a disk with the texts and
the folder. https://docs.ray.io/en/latest/data/

Only functions import Ray: the rest of Riverbank runs without it.
"""

import logging
import os
import signal
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from explorer.corpus.shards.manifest import Manifest
from explorer.corpus.shards.plan import Plan
from explorer.corpus.shards.worker import PartResult, compute
from explorer.errors import ExplorerError
from explorer.models import LanguageModel

OBJECT_STORE = 80_000_000  # bytes: part numbers and counts travel, vectors do not


@dataclass(frozen=True)
class Processes:
    """How many processes compute, each with how many processor threads and what share of a GPU.

    `cluster` is the address of a running Ray cluster, such as `auto`; "" starts one on this machine.
    """

    count: int = 2
    threads: int = 1
    gpus: float = 0
    cluster: str = ""


class Worker:
    """A process that Ray gives one part after the other."""

    def __init__(self, manifest: Manifest, folder: str, processes: Processes) -> None:
        self._manifest, self._folder, self._processes = manifest, Path(folder), processes

    @cached_property
    def _model(self) -> LanguageModel:
        """The model, loaded for the first part: Ray restarts a worker that fails at its start, without
        end."""
        import torch

        import explorer
        from explorer.checkpoints.fingerprint import fingerprint

        torch.set_num_threads(self._processes.threads)
        model = explorer.load(self._manifest.model)
        if fingerprint(model) != self._manifest.fingerprint:
            raise ExplorerError(
                f"On one of the machines {self._manifest.model} has other weights.",
                "Give all of them the same files.",
            )
        if self._processes.gpus:
            model.network.to("cuda")
        return model

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """The result of a part, by its number, or the message and hint of its error."""
        try:
            result = compute(self._model, self._manifest, self._folder, int(row["item"]))
        except ExplorerError as error:
            return {"part": -1, "rows": [], "missing": [], "message": error.message, "hint": error.hint}
        return asdict(result) | {"message": "", "hint": ""}


def compute_all(plan: Plan, processes: Processes) -> Iterator[PartResult]:
    """Compute the missing parts, in any order. Starts Ray if it is not running.

    Raises what `compute` raises, and ExplorerError if there is no cluster at the address.
    """
    if not plan.todo:
        return
    _start(processes)
    import ray.data
    import ray.exceptions

    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    results = ray.data.from_items(plan.todo, override_num_blocks=len(plan.todo)).map(
        Worker,
        fn_constructor_args=(plan.manifest, str(plan.folder.resolve()), processes),
        concurrency=min(processes.count, len(plan.todo)),
        num_cpus=processes.threads,
        num_gpus=processes.gpus or None,
    )
    try:
        for row in results.iter_rows():
            if row["message"]:
                raise ExplorerError(row["message"], row["hint"])
            yield PartResult(
                int(row["part"]), [int(n) for n in row["rows"]], [int(n) for n in row["missing"]]
            )
    except ray.exceptions.RayError as error:
        raise ExplorerError(
            f"Ray gave up: {str(error).strip().splitlines()[-1][:300]}",
            "Run the same command again, with fewer --processes if memory ran out.",
        ) from error


def _start(processes: Processes) -> None:
    """Connect to the cluster that is named, or to one of this machine alone, unless this process has one."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    if ray.is_initialized():
        return
    local: dict[str, Any] = {
        "num_cpus": processes.count * processes.threads + 1,
        "include_dashboard": False,
        "object_store_memory": OBJECT_STORE,
        "_node_ip_address": "127.0.0.1",
    }
    interrupt = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(log_to_driver=False, **{"address": processes.cluster} if processes.cluster else local)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ExplorerError(
            f"No Ray cluster answers at {processes.cluster or 'this machine'}.",
            "Start one (ray start --head), or name none.",
        ) from error
    signal.signal(signal.SIGTERM, interrupt)  # Ray has replaced the handler
