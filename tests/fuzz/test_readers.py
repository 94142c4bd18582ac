"""Every reader on damaged files: 30 of them here, 10,000 under the marker `long`.

`pytest -m long tests/fuzz -s` draws new cases every time and prints the seed that repeats them
(`RIVERBANK_SEED=...`).
"""

import contextlib
import io
import os
import resource
import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from tests import tiny
from tests.fuzz.damage import DAMAGE, damaged
from tests.fuzz.readers import READERS, cases

ROOM = 4 << 30  # bytes beyond the start that the process may map: a mistake must not stop the computer
MOST_MB = 1000  # that reading takes at its highest
SELF = Path("/proc/self")
pytestmark = pytest.mark.skipif(not (SELF / "status").exists(), reason="memory is measured by /proc")


@pytest.fixture(scope="session")
def models(tmp_path_factory) -> tuple[Path, Path]:
    """A BERT and a GPT as small as can be: thousands of them are read."""
    folder = tmp_path_factory.mktemp("fuzz")
    tiny.write_bert(folder / "bert", num_hidden_layers=1, max_position_embeddings=16)
    tiny.write_gpt(folder / "gpt", n_layer=1, n_positions=16)
    return folder / "bert", folder / "gpt"


def memory(of: str) -> int:
    """Megabytes of this process: `VmRSS` now, `VmHWM` at its highest."""
    status = (SELF / "status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith(of))


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Within it, an allocation beyond ROOM raises MemoryError, and `VmHWM` counts from its beginning."""
    mapped = int((SELF / "statm").read_text(encoding="utf-8").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    (SELF / "clear_refs").write_text("5", encoding="utf-8")
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (mapped + ROOM, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def fuzz(reader: str, count: int, number: int, folder: Path, models: tuple[Path, Path]) -> Counter[str]:
    """Read damaged files; raises whatever is no ExplorerError, with the smallest damage that makes it."""
    known = list(cases(reader, folder, *models))
    whole = [case.file.read_bytes() for case in known]
    found: Counter[str] = Counter()
    for case in known:
        case.read(case.file.parent)  # undamaged, it reads: and all that is imported late, is imported

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, len(known) - 1), DAMAGE)
    def one(which: int, damage: bytes | list) -> None:
        case = known[which]
        case.file.write_bytes(damaged(whole[which], damage))
        try:
            case.read(case.file.parent)
            found["read"] += 1
        except ExplorerError as error:
            assert (error.message and "\n" not in error.message[:-1]) or len(error.message) < 2000
            found["refused"] += 1
        finally:
            case.file.write_bytes(whole[which])

    start = memory("VmRSS")
    with bounded(), contextlib.redirect_stdout(io.StringIO()):
        one()
    assert memory("VmHWM") - start < MOST_MB
    assert found.total() >= count and found["refused"] > found.total() / 10, found
    return found


@pytest.mark.timeout(3600)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "count", [pytest.param(30, marks=pytest.mark.slow), pytest.param(10_000, marks=pytest.mark.long)]
)
def test_damaged_files(reader, count, tmp_path, models):
    drawn = os.environ.get("RIVERBANK_SEED") or secrets.randbits(32)
    number = 0 if count == 30 else int(drawn)
    print(f"\n{reader}: RIVERBANK_SEED={number}", flush=True)
    print(dict(fuzz(reader, count, number, tmp_path, models)), flush=True)
