"""Lines of progress on the console, or wherever its output goes."""

import sys
from typing import TextIO


def report(line: str, file: TextIO | None = None) -> None:
    """Print a line at once.

    What the stream cannot hold is written as its code: on Windows, output that goes into a file has an old
    encoding of 256 letters, and a Chinese word would end the command.
    """
    stream = file or sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)
