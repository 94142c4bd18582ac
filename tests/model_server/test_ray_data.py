"""`explorer.corpus embed` with Ray Data: the shards of a run without it, whatever dies on the way."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.corpus.shards import ray_data
from explorer.corpus.shards.plan import Request, compute_all, prepare
from explorer.corpus.shards.reader import Corpus
from explorer.errors import ExplorerError

ray = pytest.importorskip("ray")
psutil = pytest.importorskip("psutil")  # Ray brings one along
pytestmark = [pytest.mark.scale, pytest.mark.xdist_group("ray"), pytest.mark.timeout(120)]

ONE = ray_data.Processes(count=1)


@pytest.fixture
def wanted(tmp_path, bert_folder):
    """Some lines with the tiny model's words, in some 9 parts."""
    lines = [f"The {'old' if i % 3 else 'deep'} bank by the river was {i}." for i in range(2400)]
    (tmp_path / "texts.txt").write_text("\n".join(lines))
    model = f"folder:{bert_folder}"
    return Request(str(tmp_path / "texts.txt"), ["bank"], model, precision="float32", part_mb=0.01)


@pytest.fixture
def plain(wanted, tmp_path):
    """The folder of a run without Ray."""
    (tmp_path / "plain").mkdir()
    run = prepare(wanted, tmp_path / "plain")
    list(compute_all(run))
    run.finish()
    return tmp_path / "plain"


def begun(wanted, folder):
    folder.mkdir(exist_ok=True)
    return prepare(wanted, folder)


def same(one, other):
    """Two folders: the same rows, in the same order, with the same vectors."""
    first, second = Corpus.open(one), Corpus.open(other)
    assert first.manifest == second.manifest and first.total("bank") == 2400
    for path in sorted(one.glob("*.parquet")):
        table, against = pq.read_table(path), pq.read_table(other / path.name)
        assert table.drop_columns(["layer_3"]) == against.drop_columns(["layer_3"])
        vectors, expected = (
            np.frombuffer(b"".join(one["layer_3"].to_pylist()), "<f4") for one in (table, against)
        )
        np.testing.assert_allclose(vectors, expected, atol=1e-5, rtol=1e-5)


def test_the_shards_of_a_run_without_ray(cluster, wanted, plain, tmp_path):
    run = begun(wanted, tmp_path / "ray")
    done = list(ray_data.compute_all(run, ONE))
    assert sorted(one.part for one in done) == run.todo and len(run.todo) > 5
    run.finish()
    same(plain, tmp_path / "ray")


def test_a_process_that_dies_and_a_run_that_goes_on(cluster, wanted, plain, tmp_path):
    """The parts of a dead process are computed by the next; those of a run that was left, not again."""
    folder = tmp_path / "ray"
    first = ray_data.compute_all(begun(wanted, folder), ONE)
    next(first)
    first.close()
    time.sleep(0.2)  # a part that is under way may end
    run = begun(wanted, folder)
    there = {path.name: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    assert there and 0 < len(run.todo) < len(run.manifest.parts)
    with ThreadPoolExecutor(1) as other:
        killed = other.submit(kill_a_worker)
        assert sorted(one.part for one in ray_data.compute_all(run, ONE)) == run.todo
        killed.result()
    run.finish()
    same(plain, folder)
    assert all((folder / name).stat().st_mtime_ns == at for name, at in there.items())


def kill_a_worker():
    """End the process that computes, as a machine that fails would."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # others of Ray's processes end while they are looked at
                if "Map(Worker)" in " ".join(child.cmdline()):
                    child.kill()
                    return
        time.sleep(0.02)
    raise AssertionError("no process of Ray Data was seen")


def test_what_goes_wrong_far_away_is_said_here(cluster, wanted, tmp_path):
    run = begun(wanted, tmp_path / "ray")
    other = replace(run, manifest=replace(run.manifest, fingerprint="0" * 32))
    with pytest.raises(ExplorerError, match="has other weights"):
        list(ray_data.compute_all(other, ONE))
    gone = replace(run, folder=tmp_path / "nowhere")
    with pytest.raises(ExplorerError, match="cannot be written to"):
        list(ray_data.compute_all(gone, ONE))
    assert json.loads((tmp_path / "ray" / "manifest.json").read_text())["occurrences"] is None
