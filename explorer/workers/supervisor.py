"""Workers and proxy together: started one after another, started again when they end, stopped as one."""

import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from explorer.errors import ExplorerError, at_least_one
from explorer.files.writing import disk_errors
from explorer.workers import proxy
from explorer.workers.processes import Process, end, worker

START_S = 120.0  # within which a process must answer for the first time
FAILURES = 5  # times in a row that a process may end soon after its start
STABLE_S = 60.0  # what is not soon
CHECK_S = 1.0  # between two checks of the processes


class Supervisor:
    """Workers and, as the last, their proxy; `report` is called with a line whenever something happens."""

    def __init__(self, processes: Sequence[Process], report: Callable[[str], None]) -> None:
        self.processes, self.report = processes, report
        self.ending = threading.Event()

    def start(self) -> None:
        """Start the workers one after another, then let visitors in. Raises ExplorerError if one fails.

        One after another, since all at once would take the cores from each other.
        """
        for each in self.processes:
            each.start()
            deadline = time.monotonic() + START_S
            while not each.healthy():
                if not each.alive or time.monotonic() > deadline:
                    raise ExplorerError(f"The {each.name} did not start.", each.log_end())
                time.sleep(0.2)
            self.report(f"The {each.name} is ready.")

    def watch(self) -> None:
        """Start again what ends, until `ending` is set. Raises ExplorerError if a process keeps ending."""
        while not self.ending.wait(CHECK_S):
            for each in self.processes:
                if each.alive:
                    continue
                each.failures = each.failures + 1 if time.monotonic() - each.began < STABLE_S else 1
                if each.failures > FAILURES:
                    raise ExplorerError(f"The {each.name} ended {FAILURES} times in a row.", each.log_end())
                self.report(f"The {each.name} ended; it is started again, the others go on.")
                each.start()

    def stop(self) -> None:
        """Accept no more requests, then end the workers. `watch` must have returned."""
        end(self.processes[-1:])
        end(self.processes)


def require_free(port: int, lan: bool) -> None:
    """Raises ExplorerError, which names another port, if somebody listens here: Caddy would share it."""
    for address in proxy.addresses(lan).split():
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        try:
            socket.create_server((address, port), family=family).close()
        except OSError as error:
            raise ExplorerError(
                f"Port {port} cannot be opened at {address}: {error.strerror or error}.",
                "If another Riverbank runs there, end it with Ctrl+C in its window; or choose another "
                f"port: --port {port + 1}.",
            ) from error


@contextmanager
def serving(count: int, port: int, lan: bool, report: Callable[[str], None]) -> Iterator[Supervisor]:
    """A running supervisor; its processes and its folder with logs end with the block."""
    at_least_one(workers=count)
    require_free(port, lan)
    caddy, secret = proxy.find(), secrets.token_hex(32)
    with (
        disk_errors(Path(tempfile.gettempdir())),
        tempfile.TemporaryDirectory(prefix="riverbank-workers-", ignore_cleanup_errors=True) as name,
    ):
        folder = Path(name)
        workers = [worker(n + 1, folder, secret, lan) for n in range(count)]
        front = proxy.process(caddy, folder, port, [each.port for each in workers], lan)
        supervisor = Supervisor([*workers, front], report)
        try:
            supervisor.start()
            yield supervisor
        finally:
            supervisor.stop()
