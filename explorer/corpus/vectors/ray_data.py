"""The vectors of occurrences in several processes or on several machines, with Ray Data.

    read_parquet(occurrences) -> map_batches(Embedder) -> write_parquet(vectors)

Each process loads the model once. Ray Data hands the files out, and those of a process that died to another.
Several machines must share a disk with the folder. https://docs.ray.io/en/latest/data/

Only functions import Ray: the rest of Riverbank runs without it.
"""

import logging
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from explorer.checkpoints.fingerprint import fingerprint
from explorer.corpus.vectors.computing import with_vectors
from explorer.corpus.vectors.manifest import Manifest
from explorer.corpus.vectors.occurrences import ROWS
from explorer.errors import ExplorerError
from explorer.models import LanguageModel

OBJECT_STORE = 200_000_000  # bytes: for the blocks under way


@dataclass(frozen=True)
class Processes:
    """How many processes compute, each with how many processor threads and what share of a GPU.

    `load` gives each of them the model by its name. `cluster` is the address of a running Ray cluster, such
    as `auto`; "" starts one on this machine.
    """

    load: Callable[[str], LanguageModel]
    count: int = 2
    threads: int = 1
    gpus: float = 0
    cluster: str = ""

    def compute(self, manifest: Manifest, source: Path, target: Path) -> None:
        """Compute what is in a folder of occurrences, into another folder (see `computing.Compute`).

        Starts Ray if it is not running. Raises what `with_vectors` raises, and ExplorerError if there is no
        cluster at the address.
        """
        self._start()
        import ray.data
        import ray.exceptions

        ray.data.DataContext.get_current().raise_original_map_exception = True
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        rows = ray.data.read_parquet(str(source)).repartition(target_num_rows_per_block=ROWS)
        vectors = rows.map_batches(
            Embedder,
            fn_constructor_args=(manifest, self),
            batch_format="pyarrow",
            batch_size=None,
            concurrency=min(self.count, len(list(source.iterdir()))),
            num_cpus=self.threads,
            num_gpus=self.gpus or None,
        )
        try:
            vectors.write_parquet(str(target), partition_cols=["word"])
        except ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, ExplorerError):  # our own, from another process
                raise cause from error
            raise ExplorerError(
                f"Ray gave up: {str(error).strip().splitlines()[-1][:300]}",
                "Run the same command again, with fewer --processes if memory ran out.",
            ) from error

    def _start(self) -> None:
        """Connect to the cluster that is named, or to one of this machine alone, unless there is one."""
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        import ray

        if ray.is_initialized():
            return
        local: dict[str, Any] = {
            "num_cpus": self.count * self.threads + 1,
            "include_dashboard": False,
            "object_store_memory": OBJECT_STORE,
            "_node_ip_address": "127.0.0.1",
        }
        interrupt = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(log_to_driver=False, **{"address": self.cluster} if self.cluster else local)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ExplorerError(
                f"No Ray cluster answers at {self.cluster or 'this machine'}.",
                "Start one (ray start --head), or name none.",
            ) from error
        signal.signal(signal.SIGTERM, interrupt)  # Ray has replaced the handler


class Embedder:
    """A process that Ray gives one table of occurrences after the other."""

    def __init__(self, manifest: Manifest, processes: Processes) -> None:
        self._manifest, self._processes = manifest, processes

    @cached_property
    def _model(self) -> LanguageModel:
        """The model, loaded for the first table: Ray restarts what fails at its start, without end."""
        import torch

        torch.set_num_threads(self._processes.threads)
        model = self._processes.load(self._manifest.model)
        if fingerprint(model) != self._manifest.fingerprint:
            raise ExplorerError(
                f"On one of the machines {self._manifest.model} has other weights.",
                "Give all of them the same files.",
            )
        if self._processes.gpus:
            model.network.to("cuda")
        return model

    def __call__(self, table: pa.Table) -> pa.Table:
        """The table with its vectors."""
        return with_vectors(self._model, self._manifest, table)
