"""Workers and proxy together: started one after another, brought back when they die, stopped as one."""

import secrets
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.errors import ExplorerError, at_least_one
from explorer.serve import proxy
from explorer.serve.workers import Worker, end, environment, free_port

START = 120.0  # seconds in which a worker must answer for the first time
HUNG = 60.0  # seconds without an answer after which a worker is started again
TRIES = 5  # starts in a row that fail before we give up
LOOK = 1.0  # seconds between two looks at the workers


class Supervisor:
    """`count` workers behind the proxy at `port`; `say` is told what happens, a line at a time.

    A supervisor lives in `serving(...)`, which starts and stops it.
    """

    def __init__(
        self,
        count: int,
        port: int,
        lan: bool,
        folder: Path,
        say: Callable[[str], None],
        kind: type[Worker] = Worker,
    ) -> None:
        at_least_one(workers=count)
        self.caddy = proxy.find()
        self.port, self.folder, self.say = port, folder, say
        shared = environment(secrets.token_hex(32), lan)
        self.workers = [kind(free_port(), shared, folder / f"worker-{n + 1}.log") for n in range(count)]
        self.configuration = proxy.configuration(
            port, [worker.port for worker in self.workers], secrets.token_hex(16), lan
        )
        self.written = folder / "Caddyfile"
        self.written.write_text(self.configuration, encoding="utf-8")
        self.proxy: subprocess.Popen[bytes] | None = None
        self.ending = threading.Event()
        self._starting = threading.RLock()  # nothing is started any more once it has ended
        self._failed = dict.fromkeys(range(count), 0)
        self._answered = dict.fromkeys(range(count), 0.0)

    def start(self) -> None:
        """Start the workers one after another, then let visitors in. Raises ExplorerError where one fails.

        One after another, since all at once would take the cores from each other.
        """
        for number, worker in enumerate(self.workers):
            worker.start()
            deadline = time.monotonic() + START
            while not worker.healthy():
                if not worker.alive or time.monotonic() > deadline:
                    raise ExplorerError(f"Worker {number + 1} did not start.", _last_words(worker.log))
                if self.ending.wait(0.2):
                    return
            self._answered[number] = time.monotonic()
            self.say(f"worker {number + 1} of {len(self.workers)} is ready")
        self._start_proxy()

    def _start_proxy(self) -> None:
        self.proxy = proxy.start(self.caddy, self.written)
        if self.ending.wait(0.5) or self.proxy.poll() is None:
            return
        said = _last_words(self.folder / "proxy.log")
        if "address already in use" in said:
            raise ExplorerError(f"Port {self.port} is taken.", "Choose another with --port.")
        raise ExplorerError("The proxy did not start.", said)

    def watch(self) -> None:
        """Bring back what dies, until `ending` is set. Raises ExplorerError where a worker cannot be kept."""
        while not self.ending.wait(LOOK):
            for number, worker in enumerate(self.workers):
                self._look_after(number, worker)
            with self._starting:
                if self.proxy and self.proxy.poll() is not None and not self.ending.is_set():
                    self.say("the proxy ended; it is started again")
                    self._start_proxy()

    def _look_after(self, number: int, worker: Worker) -> None:
        now = time.monotonic()
        if worker.alive:
            if worker.healthy():
                self._answered[number], self._failed[number] = now, 0
                return
            # A worker that starts may be silent for as long as it takes to load.
            patience = START if self._answered[number] < worker.began else HUNG
            if now - max(worker.began, self._answered[number]) < patience:
                return
            self.say(f"worker {number + 1} has not answered for {patience:.0f} s; it is started again")
            end([worker.process], 5)
        else:
            self.say(f"worker {number + 1} ended; it is started again, the others go on")
        self._failed[number] += 1
        if self._failed[number] > TRIES:
            raise ExplorerError(f"Worker {number + 1} ended {TRIES} times in a row.", _last_words(worker.log))
        with self._starting:
            if not self.ending.is_set():
                worker.start()

    def stop(self) -> None:
        """Let nobody in any more, then end the workers; each has ten seconds for what it is about."""
        with self._starting:
            self.ending.set()
        end([self.proxy], 10)
        end([worker.process for worker in self.workers], 10)


@contextmanager
def serving(count: int, port: int, lan: bool, say: Callable[[str], None]) -> Iterator[Supervisor]:
    """A running supervisor; when the block ends, so do its processes, and its folder goes."""
    folder = Path(tempfile.mkdtemp(prefix="riverbank-serve-"))
    supervisor = None
    try:
        supervisor = Supervisor(count, port, lan, folder, say)
        supervisor.start()
        yield supervisor
    finally:
        if supervisor:
            supervisor.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _last_words(log: Path) -> str:
    """The end of a log, for whoever must find out why."""
    try:
        return log.read_text(encoding="utf-8", errors="replace").strip()[-1500:]
    except OSError:
        return ""
