"""`riverbank doctor`: whether all is here, a line for each fact; ends with 1 if something is in the way."""

import os
import platform
import shutil
import sys
import webbrowser
from collections.abc import Iterator
from importlib import import_module, metadata
from typing import NamedTuple

from explorer import __version__
from explorer.assets import ROOT
from explorer.catalogue.manifest import missing
from explorer.commands import models
from explorer.errors import ExplorerError
from explorer.system import console, free_memory
from explorer.system.invocation import riverbank
from explorer.system.users_cache import users_cache

PYTHONS = ((3, 11), (3, 14))  # from the first, below the second, as pyproject.toml says
PACKAGES = ("torch", "streamlit")  # those that cannot be imported if a library of the system is missing
FREE_GB = 2  # the app with SmolLM2, one visitor and some room
UNPACKED_GB = 0.6  # SmolLM2's weights, as they are kept in the user's cache


class Fact(NamedTuple):
    """Something about this computer, and whether it is in the way."""

    text: str
    in_the_way: bool = False


def show(port: int) -> int:
    """Print the facts; returns the status to exit with."""
    faults = 0
    for fact in facts(port):
        console.report(f"{'FAULT' if fact.in_the_way else 'ok':5}  {fact.text}")
        faults += fact.in_the_way
    console.report(f"{faults} in the way." if faults else "Nothing is in the way.")
    return int(faults > 0)


def facts(port: int) -> Iterator[Fact]:
    """What a start needs, one fact after the other, since the imports take seconds."""
    yield Fact(f"Riverbank {__version__} in {ROOT}, on {platform.platform()}")
    first, end = PYTHONS
    wanted = f"; Riverbank runs with 3.{first[1]} to 3.{end[1] - 1}"
    wrong = not first <= sys.version_info[:2] < end
    yield Fact(f"Python {platform.python_version()}{wanted if wrong else ''}", wrong)
    yield from map(_package, PACKAGES)
    yield _memory()
    yield Fact(f"Processor: {platform.machine()}, {os.cpu_count()} cores; one process uses about one")
    yield _disk()
    yield _port(port)
    yield from (Fact(line, line.startswith("Weights missing")) for line in models.lines())
    if missing():
        yield Fact(f"Smaller models take their place; {riverbank('models --fetch')} brings them")
    caddy = "here" if shutil.which("caddy") else "not here"
    yield Fact(f"Caddy, which only several workers need: {caddy}")
    yield _browser()


def _package(name: str) -> Fact:
    try:
        import_module(name)
        return Fact(f"{name} {metadata.version(name)}")
    except Exception as error:  # OSError for a library of the system that is missing, or the package's own
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        return Fact(f"{name} cannot be imported: {reason}. Install Riverbank anew, as its README says", True)


def _memory() -> Fact:
    free, every = free_memory.free_bytes(), free_memory.machine_bytes()
    if free is None:
        return Fact(f"Memory: the system does not say; {FREE_GB} GB must be free")
    total = f" of {every / 1e9:.0f}" if every else ""
    little = free < FREE_GB * 1e9
    return Fact(
        f"Memory: {free / 1e9:.1f}{total} GB free{f'; close other programs until {FREE_GB} are' * little}",
        little,
    )


def _disk() -> Fact:
    try:
        cache = users_cache()
        free = shutil.disk_usage(next(folder for folder in (cache, *cache.parents) if folder.exists())).free
    except (OSError, RuntimeError) as error:
        return Fact(f"The cache folder cannot be read: {error}. SmolLM2 opens more slowly")
    little = free < UNPACKED_GB * 1e9
    return Fact(f"Disk: {free / 1e9:.1f} GB free for {cache}{f'; free {UNPACKED_GB} GB' * little}", little)


def _port(port: int) -> Fact:
    from explorer.workers.supervisor import require_free

    try:
        require_free(port, lan=False)
    except ExplorerError as error:
        return Fact(f"{error.message} {error.hint}", True)
    return Fact(f"Port {port} is free")


def _browser() -> Fact:
    try:
        webbrowser.get()
    except webbrowser.Error:
        return Fact("Browser: Python knows none here; open the address that is printed yourself")
    return Fact("Browser: one opens by itself")
