"""The missing parts over several processes or machines, with Ray Data: each process loads the model once.

    part numbers -> Ray Data -> an actor with the model -> shards in the folder

Ray Data deals the parts out and brings those of a process that died to another. The shards are written
where they are computed, so on several machines texts and folder must be on a disk that all of them see.
https://docs.ray.io/en/latest/data/

Ray is imported by the functions alone: the rest of Riverbank runs without it.
"""

import logging
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from explorer.corpus.shards.manifest import Manifest
from explorer.corpus.shards.plan import Plan
from explorer.corpus.shards.worker import Done, compute
from explorer.errors import ExplorerError

OBJECT_STORE = 80_000_000  # bytes: part numbers and counts travel, vectors do not


@dataclass(frozen=True)
class Processes:
    """How many processes compute, each with how many threads of the processor and which share of a card.

    `cluster` is a Ray cluster that runs, such as `auto`; "" starts one on this machine alone.
    """

    count: int = 2
    threads: int = 1
    gpus: float = 0
    cluster: str = ""


class Worker:
    """One process with the model's weights, to which Ray gives one part after the other."""

    def __init__(self, manifest: Manifest, folder: str, processes: Processes) -> None:
        import torch

        import explorer
        from explorer.checkpoints.fingerprint import fingerprint

        torch.set_num_threads(processes.threads)
        self._manifest, self._folder = manifest, Path(folder)
        self._problem: ExplorerError | None = None
        try:
            self._model = explorer.load(manifest.model)
            if fingerprint(self._model) != manifest.fingerprint:
                raise ExplorerError(
                    f"On one of the machines {manifest.model} has other weights.",
                    "Give all of them the same files.",
                )
            if processes.gpus:
                self._model.network.to("cuda")
        except ExplorerError as error:  # Ray would start the process anew, for ever
            self._problem = error

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """A part, by its number: what was found, or what went wrong."""
        try:
            if self._problem is not None:
                raise self._problem
            done = compute(self._model, self._manifest, self._folder, int(row["item"]))
        except ExplorerError as error:
            return {"part": -1, "rows": [], "missing": [], "message": error.message, "hint": error.hint}
        return asdict(done) | {"message": "", "hint": ""}


def with_ray(plan: Plan, processes: Processes) -> Iterator[Done]:
    """Compute the missing parts, in whatever order they come. Raises what `compute` raises."""
    if not plan.todo:
        return
    start(processes)
    import ray.data
    import ray.exceptions

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    parts = ray.data.from_items(plan.todo, override_num_blocks=len(plan.todo)).map(
        Worker,
        fn_constructor_args=(plan.manifest, str(plan.folder.resolve()), processes),
        concurrency=min(processes.count, len(plan.todo)),
        num_cpus=processes.threads,
        num_gpus=processes.gpus or None,
    )
    try:
        for row in parts.iter_rows():
            if row["message"]:
                raise ExplorerError(row["message"], row["hint"])
            yield Done(int(row["part"]), [int(n) for n in row["rows"]], [int(n) for n in row["missing"]])
    except ray.exceptions.RayError as error:
        raise ExplorerError(
            f"Ray gave up: {str(error).strip().splitlines()[-1][:300]}",
            "Run the same command again, with fewer --processes if memory ran out.",
        ) from error


def start(processes: Processes) -> None:
    """A cluster: the one that is named, that this process has already, or one of this machine alone.

    Raises ExplorerError where none answers at the address.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    if processes.cluster:
        try:
            ray.init(address=processes.cluster, log_to_driver=False, ignore_reinit_error=True)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ExplorerError(
                f"No Ray cluster answers at {processes.cluster}.",
                "Start one (ray start --head), or name none.",
            ) from error
    elif not ray.is_initialized():
        ray.init(
            num_cpus=processes.count * processes.threads + 1,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=OBJECT_STORE,
            _node_ip_address="127.0.0.1",
        )


def stop() -> None:
    """End the processes, and the cluster where it is of this machine alone."""
    import ray

    ray.shutdown()
