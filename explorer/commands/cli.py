"""`riverbank`: start the app in the browser, for oneself, for a network or for a large class."""

import argparse
import os
import runpy
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from explorer.assets import ROOT
from explorer.errors import ExplorerError, NotFoundError, at_least_one
from explorer.system.invocation import COMMAND, short_path

LECTURE_VARIABLE = "RIVERBANK_LECTURE"  # the path of a lecture with which every visit begins
PORT = 8501
DISTRIBUTION = "riverbank"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; it ends with Ctrl+C. Exits with 1 and a clear line if it cannot be run."""
    options = _parser().parse_args(arguments)
    os.environ[COMMAND] = short_path(sys.argv[0])
    try:
        _run_as(options)
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


def _run_as(options: argparse.Namespace) -> None:
    at_least_one(workers=options.workers)
    if options.lecture is not None:
        path = options.lecture.expanduser().absolute()
        if not path.is_file():
            raise NotFoundError(f"There is no file {path}.", "Give the path of a Markdown or text file.")
        os.environ[LECTURE_VARIABLE] = str(path)
    if options.workers > 1:
        from explorer.workers.__main__ import main as start_workers

        lan = ["--lan"] if options.share else []
        start_workers(["--workers", str(options.workers), "--port", str(options.port), *lan])
    else:
        from explorer.workers.supervisor import require_free

        require_free(options.port, options.share)
        _run(streamlit_arguments(options.port, options.share, options.headless))


def streamlit_arguments(port: int, share: bool, headless: bool) -> list[str]:
    """The arguments of Streamlit's own command.

    >>> streamlit_arguments(8600, True, False)[2:]
    ['--server.port=8600', '--server.address=0.0.0.0']
    """
    return [
        "run",
        str(ROOT / "app.py"),
        f"--server.port={port}",
        *(["--server.address=0.0.0.0"] if share else []),
        *(["--server.headless=true"] if headless else []),
    ]


def _version() -> str:
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:  # a checkout, whose files are run as they are
        return "(not installed)"


def _run(arguments: Sequence[str]) -> None:
    sys.argv = ["streamlit", *arguments]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="riverbank", description="Watch language models at work.")
    parser.add_argument("--share", action="store_true", help="let other computers of the network in")
    parser.add_argument("--port", type=int, default=PORT, help="where the app answers (%(default)s)")
    parser.add_argument(
        "--workers", type=int, default=1, help="processes behind one address, for a large class (needs Caddy)"
    )
    parser.add_argument("--lecture", type=Path, metavar="FILE", help="a lecture that every visit begins with")
    parser.add_argument("--headless", action="store_true", help="open no browser")
    parser.add_argument("--version", action="version", version=f"riverbank {_version()}")
    return parser


if __name__ == "__main__":
    main()
