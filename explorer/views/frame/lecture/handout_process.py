"""The page of a lecture, written for a visitor by a process of its own: one at a time on this server.

It loads the models once more, so none begins where memory is short, and it ends after MOST_S. It goes, with
its folder, once it is stopped or its visitor has left; the page is in the visitor's session alone.
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import streamlit as st

from explorer.assets import ROOT
from explorer.errors import ExplorerError
from explorer.files.writing import disk_errors
from explorer.locale import N_, _, in_this_language, language, localised
from explorer.server import hosts, visitors
from explorer.server.background import NICE
from explorer.server.session import Session
from explorer.system.as_long_as_parent import as_long_as_us
from explorer.system.free_memory import free_bytes
from explorer.views.frame import problem
from explorer.views.frame.lecture import lecture_changes
from explorer.views.widgets.visually_hidden import hidden_label

COMMAND = [sys.executable, "-m", "explorer.commands.cli", "handout"]
NEEDED_BYTES = 3_000_000_000  # of memory: all models that a lecture may use
MOST_S = 900.0
LOOK_S = 1.0  # between two looks at how far it is
ENDED = N_("The process that writes the page ended early. Try again, with fewer stops.")
ABOUT = N_("The lecture as one file, which opens without Riverbank: each picture with its question.")
LONGEST = 600  # characters of what it says at its end
PROGRESS = re.compile(r"Stop (\d+) of (\d+)")

_one_at_a_time = threading.Lock()


class HandoutProcess:
    """The page of one lecture, which is there once it is whole. Any thread may read all attributes.

    `progress` says how far it is, and at its end `notes` what could not be recorded, or why there is none.
    """

    def __init__(self, text: str) -> None:
        self.text, self.progress, self.notes, self.page = text, _("Getting ready"), "", b""
        self.language = language()
        self.going, self._stopped = True, False
        self._process: subprocess.Popen[str] | None = None

    def stop(self) -> None:
        """End it, and forget the page."""
        self._stopped, self.page = True, b""
        if self._process is not None:
            self._process.kill()

    def run(self) -> None:
        """Run the process to its end. A thread of its own does this, with which Linux ends the process."""
        try:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, disk_errors(Path(folder)):
                self._run(Path(folder) / "lecture.md", Path(folder) / "lecture.html")
        except ExplorerError as error:
            self.notes = str(error)
        except OSError as error:
            self.notes = _("The page could not be written: {reason}.", reason=error.strerror)
        finally:
            _one_at_a_time.release()
            self.going = False

    def _run(self, lecture: Path, page: Path) -> None:
        lecture.write_text(self.text, encoding="utf-8")
        command = [*as_long_as_us(), *COMMAND, str(lecture), "-o", str(page), "--language", self.language]
        pipe, nothing, both = subprocess.PIPE, subprocess.DEVNULL, subprocess.STDOUT
        with subprocess.Popen(
            command, cwd=ROOT, stdin=nothing, stdout=pipe, stderr=both, encoding="utf-8", errors="replace"
        ) as process:
            self._process = process
            if self._stopped:
                process.kill()
            if sys.platform == "linux":
                with suppress(ProcessLookupError):  # it has ended already
                    os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            limit = threading.Timer(MOST_S, process.kill)
            limit.start()
            said = self._read(process.stdout or ())
            limit.cancel()
        if page.is_file() and not self._stopped:
            self.page = page.read_bytes()
            self.notes = "\n".join(said).partition(f"{page}: ")[2].partition("\n")[2][:LONGEST]
        else:
            killed = (process.returncode or 0) < 0  # at its limit, or where memory ended
            self.notes = "\n".join(said[-2:] if said and not killed else [_(ENDED)])[-LONGEST:]

    def _read(self, lines: Iterable[str]) -> list[str]:
        """Follow what the command says; what is no progress is returned."""
        said = []
        for line in map(str.strip, lines):
            if match := PROGRESS.match(line):
                self.progress = _("Stop {here} of {count}", here=match[1], count=match[2])
            elif line:
                said.append(line)
        return said


WRITING = Session[HandoutProcess | None]("/handout", None)


def begin(text: str) -> HandoutProcess:
    """Start to write the page of a lecture.

    Raises ExplorerError where another one is being written, or too little memory is free.
    """
    free = free_bytes()
    if free is not None and free < NEEDED_BYTES:
        message = _(
            "Writing the page of a lecture takes {needed} GB of memory, and {free} GB are free.",
            needed=f"{NEEDED_BYTES / 1e9:.0f}",
            free=localised(f"{free / 1e9:.1f}"),
        )
        raise ExplorerError(message, _("Close other programs, and try again."))
    if not _one_at_a_time.acquire(blocking=False):
        raise ExplorerError(_("The page of another lecture is being written."), _("Try again in a minute."))
    writing = HandoutProcess(text)
    threading.Thread(target=in_this_language(writing.run), name="handout", daemon=True).start()
    return writing


def draw() -> None:
    """What writes the lecture as a page, for a visitor at this computer: a button, and then the file."""
    if hosts.shared() or not hosts.at_this_computer(st.context.headers):
        return
    with st.popover(hidden_label(_("As one web page")), icon=":material/web:", key="lecture/handout"):
        writing = _current()
        if writing is not None and writing.going:
            st.fragment(_progress, run_every=LOOK_S)(writing)
            st.button(_("Cancel"), key="lecture/handout/cancel", on_click=stop)
        elif writing is not None and writing.page:
            st.download_button(
                _("Save the page · {size} MB", size=localised(f"{max(len(writing.page) / 1e6, 0.1):.1f}")),
                lambda: writing.page,
                "lecture.html",
                "text/html",
                key="lecture/handout/save",
                on_click="ignore",
            )
        else:
            about = _(
                "The lecture as one file, which opens without Riverbank: each picture with its question."
            )
            st.html(f'<p class="rb-point">{about}</p>')
            st.button(_("Write it"), key="lecture/handout/begin", on_click=_begin)
        if writing is not None and writing.notes:
            st.text(writing.notes)


def _progress(writing: HandoutProcess) -> None:
    if not writing.going:
        st.rerun()
    st.text(writing.progress)


def stop() -> None:
    """End what is being written, and forget it."""
    if (writing := WRITING.take()) is not None:
        writing.stop()


def _current() -> HandoutProcess | None:
    """What was begun for the lecture as it is now."""
    writing = WRITING.get()
    if writing is not None and writing.text != lecture_changes.text():
        stop()
        return None
    return writing


@problem.keep_errors
def _begin() -> None:
    writing = begin(lecture_changes.text())
    WRITING.set(writing)
    visitors.on_session_end(f"handout/{id(writing)}", writing.stop)
