"""Fuzz one reader in a process of its own: `python -m tests.fuzz.run hdf5 10000 SEED FOLDER BERT GPT`.

Prints what came of it as JSON. A reader that crashes takes this process along, not the suite.
"""

import contextlib
import io
import json
import os
import resource
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import torch
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from tests.fuzz.damage import DAMAGE, damaged
from tests.fuzz.readers import cases

ROOM = 4 << 30  # bytes beyond the start that the process may map: a mistake must not stop the computer


def memory(of: str) -> int:
    """Megabytes of this process: `VmRSS` now, `VmHWM` at its highest."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith(of))


def fuzz(reader: str, count: int, number: int, folder: Path, bert: Path, gpt: Path) -> dict[str, Any]:
    """Read damaged files; raises whatever is no ExplorerError, with the smallest damage that makes it."""
    known = list(cases(reader, folder, bert, gpt))
    whole = [case.file.read_bytes() for case in known]
    found: Counter[str] = Counter()
    slowest = 0.0
    for case in known:
        case.read(case.file.parent)  # undamaged, it reads: and all that is imported late, is imported
    start = memory("VmRSS")
    with contextlib.suppress(FileNotFoundError):
        resource.setrlimit(resource.RLIMIT_AS, (_mapped() + ROOM, resource.RLIM_INFINITY))

    @seed(number)
    @settings(
        max_examples=count,
        derandomize=False,
        database=None,
        deadline=None,
        print_blob=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, len(known) - 1), DAMAGE)
    def one(which: int, hits: list) -> None:
        nonlocal slowest
        case = known[which]
        case.file.write_bytes(damaged(whole[which], hits))
        begun = time.monotonic()
        try:
            case.read(case.file.parent)
            found["read"] += 1
        except ExplorerError as error:
            assert (error.message and "\n" not in error.message[:-1]) or len(error.message) < 2000
            found["refused"] += 1
        finally:
            case.file.write_bytes(whole[which])
            slowest = max(slowest, time.monotonic() - begun)

    one()
    return {
        "reader": reader,
        "seed": number,
        "cases": sum(found.values()),
        **found,
        "grown_mb": memory("VmHWM") - start,
        "slowest_s": round(slowest, 2),
    }


def _mapped() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    reader, count, number, *places = sys.argv[1:]
    with contextlib.redirect_stdout(io.StringIO()):
        told = fuzz(reader, int(count), int(number), *map(Path, places))
    print(json.dumps(told))
