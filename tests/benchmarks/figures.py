"""What the benchmarks have in common: lines of a table, contenders in turn, percentiles."""

import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from tests.command import size

RUNS = size(5, 1)


def machine() -> str:
    """The name of the processor, on Linux."""
    (name, *_) = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"))
    return name.replace("(R)", "")


def figure(what: str, value: str, limit: str = "") -> None:
    """Print a line of the table: what was measured, and a peer or a limit."""
    print(f"| {what:40} | {value:44} | {limit:36} |", flush=True)


def percentile_95(times: list[float]) -> float:
    """Of every twenty times, the longest but for one."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]


def medians(contenders: dict[str, Callable[[], float]], runs: int = RUNS) -> dict[str, float]:
    """What each reports, as a median over runs in turn; the first run warms up.

    A busy moment then hits all alike.
    """
    values: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(runs + 1):
        for name, run in contenders.items():
            values[name].append(run())
    return {name: statistics.median(each[1:]) for name, each in values.items()}


def seconds_of(
    act: Callable[[], object], clock: Callable[[], float] = time.process_time
) -> Callable[[], float]:
    """How long an act takes, of the processor, which other work disturbs less than the clock on the wall."""

    def run() -> float:
        start = clock()
        act()
        return clock() - start

    return run
