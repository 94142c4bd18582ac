"""Training that takes only what nothing else uses: start it, pause it, resume it, ask how it goes.

    python -m training.background start bert -- bert --text en-1.txt en-3.txt --seconds 6600
    python -m training.background pause          # all of them; or by name
    python -m training.background resume bert
    python -m training.background status

What stands after `--` is handed to `python -m training`, with `--run` in the run's folder.
A run gets the lowest priority there is (`chrt -i 0 nice -n 19`; where chrt is missing, nice alone) and one
thread (`OMP_NUM_THREADS=1`). Pausing stops the processes where they are (SIGSTOP) and costs no step: do it
before anything is timed. Everything a run leaves lies outside the checkout, in
`~/.local/state/explorer-training/NAME` or below `--folder`: `pid`, `log`, and what it resumes from.
After a restart of the machine, the same `start` goes on from the state that was saved last.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.errors import ExplorerError, NotFoundError

FOLDER = Path.home() / ".local" / "state" / "explorer-training"
PROC = Path("/proc")
RUNNING, PAUSED, ENDED = "running", "paused", "ended"
TRAINING = (sys.executable, "-m", "training")


@dataclass(frozen=True)
class Background:
    """One run under its name: its folder holds the pid file, the log and the training's own state."""

    name: str
    folder: Path

    @property
    def log(self) -> Path:
        """What the run writes."""
        return self.folder / "log"

    @property
    def pid(self) -> int | None:
        """The process that was started last, whether it still runs or not; None before the first."""
        kept = self._kept()
        return kept["pid"] if kept else None

    @property
    def state(self) -> str:
        """`running`, `paused`, or `ended`."""
        kept = self._kept()
        found = _process(kept["pid"]) if kept else None
        # A number is used again after the machine's restart: the time of its start says whose it is.
        if kept is None or found is None or found[1] != kept["began"] or found[0] in "ZX":
            return ENDED
        return PAUSED if found[0] in "Tt" else RUNNING

    def start(self, command: Sequence[str]) -> int:
        """Run a command at idle priority, detached from the terminal; its process id.

        Raises ExplorerError where a run of this name is under way, paused ones included.
        """
        if self.state != ENDED:
            raise ExplorerError(f"“{self.name}” is {self.state} already.", "Give the new run another name.")
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [*idle(), *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=os.environ | {"OMP_NUM_THREADS": "1"},
            )
        _give_way(process.pid)
        found = _process(process.pid)
        kept = {"pid": process.pid, "began": found[1] if found else ""}
        (self.folder / "pid").write_text(json.dumps(kept), encoding="utf-8")
        return process.pid

    def pause(self) -> bool:
        """Stop the run where it is, with what it started; whether there was one to stop."""
        return self._signal(RUNNING, signal.SIGSTOP)

    def resume(self) -> bool:
        """Let a paused run go on; whether there was one."""
        return self._signal(PAUSED, signal.SIGCONT)

    def told(self) -> str:
        """One line: name, state, and the last line of the log."""
        lines = (
            self.log.read_text(encoding="utf-8", errors="replace").splitlines() if self.log.exists() else []
        )
        return "  ".join(
            filter(None, [f"{self.name:<10} {self.state:<8}", lines[-1] if lines else ""])
        ).rstrip()

    def _kept(self) -> dict[str, Any] | None:
        path = self.folder / "pid"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def _signal(self, state: str, number: signal.Signals) -> bool:
        if self.state != state or (pid := self.pid) is None:
            return False
        os.killpg(pid, number)  # the run leads a session of its own: the group holds it and its workers
        return True


def idle() -> list[str]:
    """What a command is started with, so that it gets only what nothing else uses."""
    chrt, nice = shutil.which("chrt"), shutil.which("nice")
    return [*([chrt, "-i", "0"] if chrt else []), *([nice, "-n", "19"] if nice else [])]


def _give_way(pid: int) -> None:
    """Linux shares the processor among sessions first, and `nice` counts within one: it is last there too."""
    with suppress(OSError):  # a system that does not group so
        (PROC / str(pid) / "autogroup").write_text("19")


def known(folder: Path) -> list[Background]:
    """The runs that were ever started below a folder, by name."""
    return [Background(path.parent.name, path.parent) for path in sorted(folder.glob("*/pid"))]


def _process(pid: int) -> tuple[str, str] | None:
    """A process's state letter and when it began, None where there is none (proc(5); elsewhere ps(1))."""
    if PROC.is_dir():
        try:
            fields = (PROC / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            return None
        return fields[0], fields[19]  # fields 3 and 22: the second, the name, may hold spaces
    asked = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    letter, _, began = said.partition(" ")
    return (letter[0], began.strip()) if letter else None


def chosen(folder: Path, names: Sequence[str]) -> list[Background]:
    """The runs that are named, or all. Raises NotFoundError for a name that no run has."""
    runs = {run.name: run for run in known(folder)}
    unknown = [name for name in names if name not in runs]
    if unknown:
        raise NotFoundError(f"No run is called “{unknown[0]}”.", f"There are: {', '.join(runs) or 'none'}.")
    return [runs[name] for name in names or runs]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(
        prog="python -m training.background",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("--folder", type=Path, default=FOLDER, help="where runs live; default: %(default)s")
    what = p.add_subparsers(dest="what", required=True)
    start = what.add_parser("start", help="start a run, or go on with it")
    start.add_argument("name", help="what to call it")
    start.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="-- MODEL ...", help="for python -m training"
    )
    for name in ("pause", "resume", "status"):
        what.add_parser(name).add_argument("names", nargs="*", metavar="NAME", help="default: all")
    return p


def main(arguments: list[str] | None = None, training: Sequence[str] = TRAINING) -> None:
    """Do what the command says, and tell the state of the runs it is about."""
    a = parser().parse_args(arguments)
    try:
        if a.what == "start":
            runs = [Background(a.name, a.folder.resolve() / a.name)]
            given = a.arguments[1:] if a.arguments[:1] == ["--"] else a.arguments
            runs[0].start([*training, *given, "--run", str(runs[0].folder / "run")])
        else:
            runs = chosen(a.folder, a.names)
            for run in runs:
                if a.what == "pause":
                    run.pause()
                elif a.what == "resume":
                    run.resume()
    except ExplorerError as error:
        raise SystemExit(f"{error.message} {error.hint}") from error
    sys.stdout.write("".join(f"{run.told()}\n" for run in runs) or "No run was started yet.\n")


if __name__ == "__main__":
    main()
