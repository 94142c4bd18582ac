"""A script: `as_long_as_parent.py PID COMMAND...` becomes the command, which Linux ends when its parent ends.

However the parent ends: also by kill -9, where it can end nobody itself.
"""

import argparse
import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>; kept by exec


def as_long_as_us() -> list[str]:
    """What goes before a command so that Linux ends it with this process; [] on other systems."""
    return [sys.executable, "-S", __file__, str(os.getpid())] if sys.platform == "linux" else []


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parent", type=int, metavar="PID")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() == options.parent:  # else it has ended before the call
        os.execvp(options.command[0], options.command)
