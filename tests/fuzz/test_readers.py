"""Every reader on damaged files: 100 of them here, 10,000 under the marker `long`.

`pytest -m long tests/fuzz -s` draws new cases every time and prints the seed that repeats them
(`RIVERBANK_SEED=...`).
"""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import tiny
from tests.fuzz.readers import READERS

ROOT = Path(__file__).parents[2]
MOST_MB = 1000
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured by /proc")


@pytest.fixture(scope="session")
def models(tmp_path_factory) -> tuple[Path, Path]:
    """A BERT and a GPT as small as can be: thousands of them are read."""
    folder = tmp_path_factory.mktemp("fuzz")
    tiny.write_bert(folder / "bert", num_hidden_layers=1, max_position_embeddings=16)
    tiny.write_gpt(folder / "gpt", n_layer=1, n_positions=16)
    return folder / "bert", folder / "gpt"


def fuzzed(
    readers: Sequence[str], count: int, seed: int, folder: Path, models: tuple[Path, Path]
) -> list[dict]:
    what = [",".join(readers), count, seed, folder, *models]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run", *map(str, what)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=3600,
    )
    assert ran.returncode == 0, ran.stderr[-6000:]
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [told["reader"] for told in found] == list(readers)
    for told in found:
        assert told["grown_mb"] < MOST_MB, told
        assert told["cases"] >= count and told["refused"] > told["cases"] / 10, told
    return found


@pytest.mark.slow
def test_thirty_damaged_files_of_each_kind(tmp_path, models):
    fuzzed(READERS, 30, 0, tmp_path, models)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("reader", READERS)
def test_ten_thousand_damaged_files(reader, tmp_path, models):
    seed = int(os.environ.get("RIVERBANK_SEED") or secrets.randbits(32))
    print(f"\n{reader}: RIVERBANK_SEED={seed}", flush=True)
    print(*fuzzed([reader], 10_000, seed, tmp_path, models), flush=True)
