"""Trainings for a room full of people: each in a process of its own, few at a time, in a queue.

    job = room().submit(Request("bert", task, examples, how="whole"))
    job.state, job.place, job.progress       "waiting", third in line, [...]
    job.stop()                               ends it; job.head(model) is the best so far

A job belongs to nobody: who leaves finds it again by `room().find(job.id)`. Its process has its own
threads and seeds, ends when the server does, and hands over numbers alone, never code.
"""

import json
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

from explorer.errors import ExplorerError
from explorer.finetuning import store
from explorer.finetuning.courses import Course, Moment, course_out
from explorer.finetuning.heads import TrainedHead
from explorer.finetuning.messages import Request, progress_in, request_out
from explorer.finetuning.progress import Progress, Watched
from explorer.models.base import Model

State = Literal["waiting", "running", "done", "stopped", "failed"]
WHOLE, FROZEN = 1, 2  # trainings at a time
KEPT = 60  # jobs that are remembered; the oldest finished one goes first
MOST_WAITING = 40
FOLDER = Path(__file__).parents[2]  # where `python -m explorer...` works


class Job:
    """One training that was asked for. All its attributes may be read at any time, by any thread.

    `progress` grows at its end; `watched` is known with its first entry; `error` is there when `state`
    is "failed". A course has `moments` instead, and no head.
    """

    def __init__(self, request: Request | Course, room: "Room") -> None:
        self.id = uuid.uuid4().hex[:12]
        self.request = request
        self.state: State = "waiting"
        self.progress: list[Progress] = []
        self.moments: list[Moment] = []
        self.watched: list[Watched] = []
        self.left_out = 0
        self.error: ExplorerError | None = None
        self._room = room
        self._stopping = False
        self._process: subprocess.Popen[str] | None = None
        self._data: bytes | None = None

    @property
    def place(self) -> int:
        """How many of its kind go first: 0 when it runs, or is over."""
        return self._room.place(self)

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "stopped", "failed")

    def stop(self) -> None:
        """End it soon. What it has learnt by then stays; a job that waits leaves the queue."""
        self._room.stop(self)

    def head(self, model: Model) -> TrainedHead | None:
        """The head on the model that it was trained on; None while there is none."""
        return None if self._data is None else store.loads(self._data, model)

    @property
    def data(self) -> bytes | None:
        """The head as a file to download (see `explorer.finetuning.store`)."""
        return self._data

    def run(self, ended: Callable[["Job"], None]) -> None:
        """Train in a child process and read what it tells, to the end. A thread of its own does this."""
        try:
            with tempfile.TemporaryDirectory(prefix="riverbank-head-") as folder:
                self._run(Path(folder) / "head.safetensors")
        except OSError as error:
            self.error = ExplorerError(f"The training could not begin: {error}.", "Try again.")
        except ValueError:  # half a line: the process was ended from outside
            self.error = ExplorerError("The training’s process ended early.", "Try again.")
        finally:
            self.state = "failed" if self.error else "stopped" if self._stopping else "done"
            self._process = None
            ended(self)

    def _run(self, place: Path) -> None:
        command = [sys.executable, "-m", "explorer.finetuning.worker"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=FOLDER) as process:
            assert process.stdin is not None and process.stdout is not None
            self._process = process
            self._say(json.dumps(_wish(self.request, place)))
            if self._stopping:
                self._say("stop")
            for line in process.stdout:
                self._hear(json.loads(line))
            process.wait()
            if place.exists():
                self._data = place.read_bytes()
            elif (
                self.error is None
                and not self._stopping
                and (isinstance(self.request, Request) or process.returncode)
            ):
                self.error = ExplorerError(
                    f"The training's process ended early (code {process.returncode}).", "Try again."
                )

    def _hear(self, message: dict[str, Any]) -> None:
        if "watched" in message:
            self.watched = [Watched(*dot) for dot in message["watched"]]
            self.left_out = message["left_out"]
        elif "progress" in message:
            self.progress.append(progress_in(message["progress"]))
        elif "moment" in message:
            self.moments.append(message["moment"])
        elif "error" in message:
            self.error = ExplorerError(message["error"]["message"], message["error"]["hint"])

    def _say(self, line: str) -> None:
        """A line to the process; it may be gone already."""
        process = self._process
        if process is None or process.stdin is None:
            return
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
        except (OSError, ValueError):
            pass

    def tell_to_stop(self) -> None:
        """Pass the wish on."""
        self._stopping = True
        self._say("stop")


class Room:
    """The queue: whole bodies one at a time, frozen ones two, first come, first served."""

    def __init__(self, whole: int = WHOLE, frozen: int = FROZEN) -> None:
        self._most = {True: whole, False: frozen}
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def submit(self, request: Request | Course) -> Job:
        """Ask for a training. Raises ExplorerError for examples that do not fit, and for a full queue."""
        request.check()
        job = Job(request, self)
        with self._lock:
            if sum(other.state == "waiting" for other in self._jobs.values()) >= MOST_WAITING:
                raise ExplorerError("Too many trainings are waiting already.", "Come back in a few minutes.")
            self._jobs[job.id] = job
            for old in [other for other in self._jobs.values() if other.over][: len(self._jobs) - KEPT]:
                del self._jobs[old.id]
        self._start()
        return job

    def find(self, id: str) -> Job | None:
        """The job of that id; None where it was forgotten."""
        return self._jobs.get(id)

    def place(self, job: Job) -> int:
        """How many of its kind go before a job."""
        if job.state != "waiting":
            return 0
        with self._lock:
            before = list(self._jobs.values())
        before = before[: before.index(job)] if job in before else []
        return sum(not other.over and other.request.heavy == job.request.heavy for other in before)

    def stop(self, job: Job) -> None:
        """End a job, or take it out of the queue."""
        with self._lock:
            waiting = job.state == "waiting"
            if waiting:
                job.state = "stopped"
        if not waiting:
            job.tell_to_stop()

    def _start(self) -> None:
        """Let those begin for whom there is room."""
        with self._lock:
            for heavy, most in self._most.items():
                mine = [job for job in self._jobs.values() if job.request.heavy == heavy]
                free = most - sum(job.state == "running" for job in mine)
                for job in [job for job in mine if job.state == "waiting"][: max(0, free)]:
                    job.state = "running"
                    threading.Thread(target=job.run, args=(lambda _: self._start(),), daemon=True).start()


def _wish(request: Request | Course, place: Path) -> dict[str, Any]:
    """The first line that a process reads."""
    if isinstance(request, Course):
        return {"course": course_out(request)}
    return {"request": request_out(request), "head": str(place)}


@cache
def room() -> Room:
    """The one queue of this server."""
    return Room()
