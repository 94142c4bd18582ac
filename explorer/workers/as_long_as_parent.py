"""A script: `as_long_as_parent.py PID COMMAND...` becomes the command, which Linux ends when its parent ends.

However the parent ends: also by kill -9, where it can end nobody itself.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>; kept by exec

if __name__ == "__main__":
    parent, command = int(sys.argv[1]), sys.argv[2:]
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() == parent:  # else it has ended before the call
        os.execvp(command[0], command)
