"""Fuzz readers, each in a process of its own: `python -m tests.fuzz.run gguf,config 100 SEED DIR BERT GPT`.

Prints for each what came of it as JSON. A reader that crashes takes its process along, not the suite; the
status is 1 where one failed. What all need is imported once, before they part.
"""

import contextlib
import io
import json
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import torch
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from tests.command import parser
from tests.fuzz.damage import DAMAGE, damaged
from tests.fuzz.readers import cases

ROOM = 4 << 30  # bytes beyond the start that the process may map: a mistake must not stop the computer


def memory(of: str) -> int:
    """Megabytes of this process: `VmRSS` now, `VmHWM` at its highest."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
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
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * os.sysconf("SC_PAGE_SIZE")


def apart(reader: str, count: int, number: int, folder: Path, bert: Path, gpt: Path) -> int:
    """Fuzz one reader in a copy of this process; its status, as the shell has it."""
    copy = os.fork()
    if copy:
        return os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    status = 1
    try:
        (folder / reader).mkdir()
        with contextlib.redirect_stdout(io.StringIO()):
            told = fuzz(reader, count, number, folder / reader, bert, gpt)
        print(json.dumps(told), flush=True)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    p = parser("tests.fuzz.run", __doc__)
    p.add_argument("readers", type=lambda text: text.split(","), metavar="READERS", help="gguf,config")
    for name in ("count", "seed"):
        p.add_argument(name, type=int)
    p.add_argument("places", type=Path, nargs=3, metavar="PATH", help="DIR BERT GPT")
    options = p.parse_args()
    number = options.seed
    ended = {reader: apart(reader, options.count, number, *options.places) for reader in options.readers}
    for reader, status in ended.items():
        if status:
            how = f"by {signal.Signals(-status).name}" if status < 0 else f"with {status}"
            print(f"{reader}, seed {number}, ended {how}", file=sys.stderr)
    sys.exit(any(ended.values()))
