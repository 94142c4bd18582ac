"""Trainings in processes of their own, few at a time, in a queue.

    job = queue().submit(HeadSpec("bert", examples, how="whole"))
    job.state, job.place, job.records        "waiting", third in line, [...]
    job.stop()                               ends it; job.head(model) is the best so far

A job's process has its own threads and seeds, ends with the server, and sends JSON, never code.
"""

import base64
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

from explorer.errors import ExplorerError
from explorer.finetuning import store
from explorer.finetuning.messages import progress_from_json
from explorer.finetuning.progress import MapPoint
from explorer.finetuning.task_head import TaskHead
from explorer.finetuning.training_specs import HeadSpec, TrainingSpec, spec_to_json
from explorer.locale import _, language, translate, use
from explorer.models.base import Model

State = Literal["waiting", "running", "done", "stopped", "failed"]
LIMITS = {True: 1, False: 2}  # trainings at a time, heavy and light ones
MAX_WAITING = 40
FOLDER = Path(__file__).parents[2]  # where `python -m explorer...` works


class Job:
    """One training. All attributes may be read at any time, by any thread.

    `records` grows at its end: a HeadSpec's are `Progress`, those of others dictionaries. `watched` has the
    points of a HeadSpec's map, from its first record on; `error` is set if `state` is "failed".
    """

    def __init__(self, spec: TrainingSpec, queue: "Queue") -> None:
        self.spec = spec
        self.state: State = "waiting"
        self.records: list[Any] = []
        self.watched: list[MapPoint] = []
        self.error: ExplorerError | None = None
        self._queue = queue
        self._stopping = False
        self._language = language()
        self._process: subprocess.Popen[str] | None = None
        self._head: bytes | None = None

    @property
    def place(self) -> int:
        """How many jobs of its kind go first: 0 once it runs."""
        return self._queue.place(self)

    @property
    def over(self) -> bool:
        """Whether no more records will come."""
        return self.state in ("done", "stopped", "failed")

    def head(self, model: Model) -> TaskHead | None:
        """The trained head on the model that it was trained on; None while there is none."""
        return None if self._head is None else store.loads(self._head, model)

    def stop(self) -> None:
        """End it soon. Its records and its best head stay; a waiting job leaves the queue."""
        if not self._queue.remove(self):
            self._stopping = True
            self._send("stop")

    def run(self, ended: Callable[[], None]) -> None:
        """Run the process and read its records to the end. A thread of its own does this."""
        use(self._language)
        try:
            self._run()
        except OSError as error:
            self.error = ExplorerError(
                _("The training could not begin: {error}.", error=error), _("Try again.")
            )
        except ValueError:  # half a line: the process was ended from outside
            self.error = ExplorerError(_("The training’s process ended early."), _("Try again."))
        finally:
            self.state = "failed" if self.error else "stopped" if self._stopping else "done"
            self._process = None
            ended()

    def _run(self) -> None:
        command = [sys.executable, "-m", "explorer.finetuning.worker"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8", cwd=FOLDER) as process:
            assert process.stdout is not None
            self._process = process
            self._send(json.dumps(spec_to_json(self.spec)))
            if self._stopping:
                self._send("stop")
            for line in process.stdout:
                self._receive(json.loads(line))
            code = process.wait()
        if isinstance(self.spec, HeadSpec) and self._head is None:
            code = code or -1
        if code and not self._stopping and self.error is None:
            text = _("The training’s process ended early (code {code}).", code=code)
            self.error = ExplorerError(text, _("Try again."))

    def _receive(self, record: dict[str, Any]) -> None:
        match record:
            case {"watched": points}:
                self.watched = [MapPoint(**point) for point in points]
            case {"progress": progress}:
                self.records.append(progress_from_json(progress))
            case {"head": data}:
                self._head = base64.b64decode(data)
            case {"error": error}:
                self.error = ExplorerError(translate(error["message"]), translate(error["hint"]))
            case _:
                self.records.append(record)

    def _send(self, line: str) -> None:
        """Write a line to the process, unless it has ended already."""
        process = self._process
        if process is None or process.stdin is None:
            return
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
        except (OSError, ValueError):
            pass


class Queue:
    """Jobs in order of arrival: one heavy at a time, and two light ones."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []  # waiting and running
        self._lock = threading.Lock()

    def submit(self, spec: TrainingSpec) -> Job:
        """Add a training. Raises ExplorerError for unsuitable examples, and if the queue is full."""
        spec.check()
        job = Job(spec, self)
        with self._lock:
            if sum(other.state == "waiting" for other in self._jobs) >= MAX_WAITING:
                text = _("Too many trainings are waiting already.")
                raise ExplorerError(text, _("Come back in a few minutes."))
            self._jobs.append(job)
        self._start()
        return job

    def place(self, job: Job) -> int:
        """How many jobs of its kind go before a job."""
        if job.state != "waiting":
            return 0
        with self._lock:
            jobs = [other for other in self._jobs if not other.over and other.spec.heavy == job.spec.heavy]
        return jobs.index(job) if job in jobs else 0

    def remove(self, job: Job) -> bool:
        """Take a job out of the queue; False if it is not waiting."""
        with self._lock:
            waiting = job.state == "waiting"
            if waiting:
                job.state = "stopped"
        return waiting

    def _start(self) -> None:
        """Start the jobs that have come to the front."""
        with self._lock:
            self._jobs = [job for job in self._jobs if not job.over]
            for heavy, limit in LIMITS.items():
                jobs = [job for job in self._jobs if job.spec.heavy == heavy]
                free = limit - sum(job.state == "running" for job in jobs)
                for job in [job for job in jobs if job.state == "waiting"][: max(0, free)]:
                    job.state = "running"
                    threading.Thread(target=job.run, args=(self._start,), daemon=True).start()


@cache
def queue() -> Queue:
    """The one queue of this server."""
    return Queue()
