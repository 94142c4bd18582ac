"""Programs as they are typed here, for messages that say what to run next."""

import os
import shutil
import sys
from pathlib import Path

COMMAND = "RIVERBANK_COMMAND"  # how `riverbank` was typed: what it starts has other arguments


def short_path(path: str) -> str:
    """A program by its name if the shell finds it, else by its path from the current folder.

    >>> short_path("/opt/venv/bin/riverbank")
    '/opt/venv/bin/riverbank'
    """
    program = Path(path)
    if program.suffix == ".py":  # typed as `python -m`, of which only the file is known
        return f"{short_path(sys.executable)} -m {'.'.join(program.parts[-3:]).removesuffix('.py')}"
    if shutil.which(program.name) == str(program.absolute()):
        return program.name
    below = program.is_absolute() and program.is_relative_to(Path.cwd())
    return str(program.relative_to(Path.cwd()) if below else program)


def for_more_visitors() -> str:
    """The command that starts several processes for a network, as Riverbank was started."""
    if command := os.environ.get(COMMAND):
        return f"{command} --share --workers 2"
    return f"{short_path(sys.executable)} -m explorer.workers --workers 2 --lan"


def riverbank(arguments: str) -> str:
    """The command `riverbank` with arguments, as it can be typed here."""
    command = os.environ.get(COMMAND) or f"{short_path(sys.executable)} -m explorer.commands.cli"
    return f"{command} {arguments}"
