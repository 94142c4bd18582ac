"""One worker: a Streamlit server of its own, which only the proxy on this computer reaches."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEALTH = "_stcore/health"


def free_port() -> int:
    """A port of this computer that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(secret: str, lan: bool) -> dict[str, str]:
    """What a worker is told: the one secret of all, that it stands behind a proxy, no free names.

    The secret signs the cookie that guards uploads: with one for all, a file that a page sends is taken by
    whichever worker the visitor has moved to. It goes by the environment, since arguments are seen by all
    users of the machine.
    """
    return {
        "RIVERBANK_OPEN_SOURCES": "0",
        **os.environ,
        "STREAMLIT_SERVER_COOKIE_SECRET": secret,
        "RIVERBANK_PROXY": "lan" if lan else "local",
    }


@dataclass
class Worker:
    """One server process at `port`; it is started again at the same port, so that its cookie stays true."""

    port: int
    environment: dict[str, str] = field(repr=False)
    log: Path
    process: subprocess.Popen[bytes] | None = None
    began: float = 0.0

    def command(self) -> list[str]:
        """What is run."""
        server = [
            "--server.address",
            "127.0.0.1",
            "--server.port",
            str(self.port),
            "--server.headless",
            "true",
        ]
        return [sys.executable, "-m", "streamlit", "run", "app.py", *server]

    def start(self) -> None:
        """Start the process; it answers some seconds later (`healthy`)."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # Streamlit's greeting would name the worker's own address
                stderr=log,
                start_new_session=sys.platform != "win32",
            )
        self.began = time.monotonic()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def healthy(self) -> bool:
        """Whether it answers within two seconds."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{HEALTH}", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


def end(processes: Iterable[subprocess.Popen[bytes] | None], seconds: float) -> None:
    """Ask processes to end, all before any is waited for; what still runs after so many seconds is killed."""
    running = [process for process in processes if process is not None and process.poll() is None]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + seconds
    for process in running:
        try:
            process.wait(max(deadline - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
