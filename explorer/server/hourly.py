"""One line an hour for whoever runs a server, on stderr: how it does, and never what anybody types."""

import asyncio
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from explorer import __version__
from explorer.server import streamlit_private, turns

HOUR_S = 3600.0


def line() -> str:
    """The version, visitors, memory, and the slowest page since the last line, waiting for its turn too."""
    memory = ""
    with suppress(OSError, ValueError, AttributeError):  # Linux alone says it
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        memory = f", {pages * os.sysconf('SC_PAGE_SIZE') / 1e6:,.0f} MB"
    visitors = len(streamlit_private.sessions())
    return f"Riverbank {__version__}: {visitors} visitors{memory}, slowest page {turns.slowest():.1f} s"


async def run() -> None:
    """Print a line every hour until cancelled."""
    while True:
        await asyncio.sleep(HOUR_S)
        print(time.strftime("%Y-%m-%d %H:%M"), line(), file=sys.stderr, flush=True)
