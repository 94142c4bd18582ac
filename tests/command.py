"""What the tests' commands have in common: a parser with `--smoke`, which shows that they run."""

import argparse
import sys
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
SMOKE = "--smoke" in sys.argv[1:]


def parser(name: str, text: str | None) -> argparse.ArgumentParser:
    """A parser for `python -m name` that says what the module's docstring says.

    >>> parser("tests.browser.clicks", "Presses at random.").parse_args(["--smoke"])
    Namespace(smoke=True)
    """
    p = argparse.ArgumentParser(
        prog=f"python -m {name}", description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument(
        "--smoke", action="store_true", help="the smallest sizes, to see that it runs; no figure is kept"
    )
    return p


def size(usual: T, smallest: T) -> T:
    """A constant of a command, and what it is with `--smoke`."""
    return smallest if SMOKE else usual


def store(path: Path, text: str) -> None:
    """Write a file of figures, but not with `--smoke`."""
    if not SMOKE:
        path.write_text(text, encoding="utf-8")
