"""The first picture of a cold server, in real Chromium: `python -m tests.benchmarks.cold`.

Cold: before each round the files of Python, of its packages and of the checkout are put out of the system's
file cache, and home and caches are empty. What of them other processes hold in memory stays there; the
megabytes that the server read from the disk are printed beside each figure. The clock starts when the browser
asks for the address, at once after the server's first answer to `/_stcore/health`; what passed before, from
the start of the command, is `start`. Chromium is new each time, with an empty profile, and up before the
server. Words stand when title and caption can be seen, the picture with its first mark.

Each round is run again at once, now with the files in the cache, and the same of a bare Streamlit script that
imports torch and draws one Plotly chart. `--all-caches` (Linux, as root) empties the whole system's caches,
those of folders and inodes too, and slows whatever else runs there. A figure is the median (the worst).
"""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import BrowserType, Page, TimeoutError, sync_playwright

from tests.benchmarks.figures import figure
from tests.browser.conftest import QUIET, ROOT, SIZE, start_server
from tests.browser.running import CHROMIUM, running_app
from tests.command import parser, size

WORDS_S, PICTURE_S, PATIENCE_MS = 2.0, 4.0, 60_000
# Each page's address, and what the first mark of its picture is.
PAGES = {"home": ("/", ".row"), "attention": ("/attention", ".lines path"), "masked": ("/masked", ".row")}
PAGES |= {"continuations": ("/continuations", ".chip")}
BARE = "bare"
BARE_MARK = ".point path"
SCRIPT = """
import streamlit as st

st.title("Bare")
st.html('<p class="rb-caption">One chart.</p>')
import plotly.graph_objects as go
import torch

with st.container(key="picture"):
    st.plotly_chart(go.Figure(go.Bar(y=torch.arange(1, 6).tolist())))
"""
# What our .streamlit/config.toml sets, as far as it takes time at a start.
AS_OURS = ("--server.fileWatcherType", "none", "--browser.gatherUsageStats", "false")
PROBE = """(() => {
  const stands = (element) => Boolean(element?.getClientRects().length);
  const drawn = (root) =>
    stands(root.querySelector(MARK)) ||
    [...root.querySelectorAll('*')].some((element) => element.shadowRoot && drawn(element.shadowRoot));
  window.seen = {};
  const look = () => {
    const now = performance.now();
    if (['h1', '.rb-caption'].every((part) => stands(document.querySelector(part)))) seen.words ??= now;
    const picture = document.querySelector('.st-key-picture');
    if (picture && drawn(picture)) seen.picture = now;
    else setTimeout(look, 20);
  };
  look();
})()"""
CACHES = Path("/proc/sys/vm/drop_caches")


@dataclass(frozen=True)
class Round:
    """Seconds until health, words and picture; megabytes read from the disk, NaN where nobody counts."""

    start: float
    words: float
    picture: float
    read: float


def evict(folders: Iterable[Path]) -> None:
    """Put the files of these folders out of the system's cache, as far as nobody uses them."""
    if not hasattr(os, "posix_fadvise"):
        sys.exit("This system does not let a program empty its file cache; Linux does.")
    os.sync()  # what is not yet written cannot be put out
    for folder in folders:
        for where, _, names in os.walk(folder):
            for name in names:
                try:
                    file = os.open(os.path.join(where, name), os.O_RDONLY | os.O_NONBLOCK)
                except OSError:  # a socket, a link to nowhere
                    continue
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(file)


def read_from_disk(pid: int) -> float:
    """Megabytes that a process had fetched from the disk."""
    try:
        lines = Path(f"/proc/{pid}/io").read_text(encoding="utf-8").splitlines()
    except OSError:
        return float("nan")
    return next(int(line.split()[1]) for line in lines if line.startswith("read_bytes")) / 1e6


def see(page: Page, url: str, name: str) -> dict[str, float]:
    """Milliseconds until words and picture stand, from the moment when a new page asks for the address."""
    path, mark = PAGES.get(name, ("/", BARE_MARK))
    page.add_init_script(PROBE.replace("MARK", json.dumps(mark)))
    page.goto("about:blank")
    page.goto(url + path, wait_until="commit")
    try:
        page.wait_for_function("() => seen.words && seen.picture", timeout=PATIENCE_MS)
    except TimeoutError as error:
        raise SystemExit(f"{path} has no title, no caption, or no {mark} in its picture") from error
    return page.evaluate("seen")


def run(chromium: BrowserType, name: str) -> Round:
    """One server, one browser, one page."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        root, options = (home, AS_OURS) if name == BARE else (ROOT, ())
        if name == BARE:
            (home / "app.py").write_text(SCRIPT)
        browser = chromium.launch(args=QUIET, executable_path=CHROMIUM)
        page = browser.new_page(viewport=SIZE)
        began = time.perf_counter()
        process, url = start_server(home, root, arguments=options, cache=home / "cache")
        start = time.perf_counter() - began
        try:
            seen = see(page, url, name)
            read = read_from_disk(process.pid)
        finally:
            browser.close()
            process.terminate()
            process.wait(30)
    return Round(start, seen["words"] / 1000, seen["picture"] / 1000, read)


def report(name: str, rounds: list[Round], goals: bool = False) -> None:
    """One line: the median and the worst of each figure, and whether the worst is within its goal."""
    parts = []
    for moment, goal in (("start", None), ("words", WORDS_S), ("picture", PICTURE_S)):
        times = [getattr(each, moment) for each in rounds]
        verdict = f" {'met' if max(times) < goal else 'missed'}" if goals and goal else ""
        parts.append(f"{moment} {statistics.median(times):.2f} ({max(times):.2f}) s{verdict}")
    read = statistics.median(each.read for each in rounds)
    figure(name, ", ".join(parts[2:] + parts[:1]), f"{parts[1]}; read {read:.0f} MB")


def compare(name: str, cold: list[Round], warm: list[Round]) -> None:
    """A page's cold rounds, its warm ones, and how many times as long the cold ones took."""
    report(f"{name}, cold", cold, goals=name != BARE)
    report(f"{name}, warm", warm)
    ratios = []
    for moment in ("start", "words", "picture"):
        times = [getattr(c, moment) / getattr(w, moment) for c, w in zip(cold, warm)]
        ratios.append(f"{moment} {statistics.median(times):.2f}")
    figure(f"{name}, cold / warm", ", ".join(ratios))


def main() -> None:
    """Measure what was asked for."""
    p = parser("tests.benchmarks.cold", __doc__)
    p.add_argument("--pages", nargs="+", default=[*PAGES, BARE], choices=[*PAGES, BARE])
    p.add_argument("--rounds", type=int, default=size(5, 1))
    p.add_argument("--all-caches", action="store_true", help="empty all caches of the system")
    asked = p.parse_args()
    if asked.smoke:  # the marks of all pages, on one server
        with running_app() as app:
            for name in PAGES:
                seen = see(app.browser.new_page(viewport=SIZE), app.url, name)
                compare(name, *2 * [[Round(1, seen["words"], seen["picture"], 0)]])
        asked.pages = []
    with sync_playwright() as playwright:
        run(playwright.chromium, BARE)  # Chromium itself is in the cache from now on
        for name in asked.pages:
            cold, warm = [], []
            for _ in range(asked.rounds):
                evict([Path(sys.prefix), Path(sys.base_prefix), ROOT])
                if asked.all_caches:
                    CACHES.write_text("3", encoding="utf-8")
                cold.append(run(playwright.chromium, name))
                warm.append(run(playwright.chromium, name))
            compare(name, cold, warm)


if __name__ == "__main__":
    main()
