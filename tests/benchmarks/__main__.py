"""What Riverbank costs, as a table in Markdown: `python -m tests.benchmarks`.

Its lines are those of other benchmarks, each in a process of its own, one after the other; `--help` of each
says how it measures. Keep the machine otherwise idle: the load before and after is printed beside the date.
"""

import os
import subprocess
import sys
from datetime import date

from tests.benchmarks.figures import figure, machine
from tests.command import parser, size

BENCHMARKS = (
    "generation smollm2 product bundled", "latency", "cold", "classroom --visitors 20 50",
    "lens", "reading_on",
)  # fmt: skip
DETAIL = "|   "  # what a line begins with that explains another


def main() -> int:
    """Print the table; returns 1 if a benchmark failed, whose own message is above."""
    parser("tests.benchmarks", __doc__).parse_args()
    failed = 0
    print(f"{date.today()}, {os.cpu_count()} cores of {machine()}, load before {os.getloadavg()[0]:.1f}\n")
    figure("what", "figure", "peer or limit")
    print("|---|---|---|", flush=True)
    for benchmark in size(BENCHMARKS, BENCHMARKS[-1:]):
        name, *arguments = benchmark.split()
        command = [sys.executable, "-m", f"tests.benchmarks.{name}", *arguments, *size([], ["--smoke"])]
        ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        lines = [line for line in ran.stdout.splitlines() if line.startswith("|")]
        print(*(line for line in lines if not line.startswith(DETAIL)), sep="\n", flush=True)
        failed += ran.returncode != 0
    print(f"\nload after {os.getloadavg()[0]:.1f}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
