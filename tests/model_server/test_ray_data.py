"""`explorer.corpus embed` with Ray Data: the vectors of a run without it, whatever dies on the way."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest
import torch

import explorer
from explorer.corpus.vectors import occurrences, ray_data
from explorer.corpus.vectors.computing import Request, create
from explorer.corpus.vectors.reader import Corpus
from explorer.errors import ExplorerError

ray = pytest.importorskip("ray")
psutil = pytest.importorskip("psutil")  # Ray brings one along
pytestmark = [pytest.mark.scale, pytest.mark.xdist_group("ray"), pytest.mark.timeout(120)]

ONE = ray_data.Processes(explorer.load, count=1)


@pytest.fixture
def model(bert_folder):
    return explorer.load(f"folder:{bert_folder}")


@pytest.fixture
def wanted(tmp_path, monkeypatch):
    """Some lines with the tiny model's words, in some 9 files."""
    monkeypatch.setattr(occurrences, "ROWS", 270)
    monkeypatch.setattr(ray_data, "ROWS", 270)
    lines = [f"The {'old' if i % 3 else 'deep'} bank by the river was {i}." for i in range(2400)]
    (tmp_path / "texts.txt").write_text("\n".join(lines))
    return Request(str(tmp_path / "texts.txt"), ["bank", "river"])


def read(folder):
    """The vectors and the senses of a word by its sentence."""
    corpus = Corpus.open(folder)
    texts = [one.text for one in corpus.occurrences("bank", range(corpus.total("bank")))]
    vectors = torch.cat(list(corpus.vectors("bank", corpus.manifest.layers[-1])))
    return dict(zip(texts, vectors, strict=True))


@pytest.mark.parametrize("dies", [False, True])
def test_the_vectors_of_a_run_without_ray(cluster, model, wanted, tmp_path, dies):
    plain = create(model, wanted, tmp_path / "plain")
    with ThreadPoolExecutor(1) as other:
        killed = other.submit(kill_a_worker) if dies else None
        by_ray = create(model, wanted, tmp_path / "ray", ONE.compute)
        if killed:
            killed.result()
    assert by_ray == plain and by_ray.totals == [2400, 2400]
    one, two = read(tmp_path / "plain"), read(tmp_path / "ray")
    assert one.keys() == two.keys() and len(one) == 2400
    for text, vector in one.items():
        torch.testing.assert_close(two[text], vector, atol=2e-3, rtol=2e-3)  # of float16


def kill_a_worker():
    """End the process that computes, as a machine that fails would."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # others of Ray's processes end while they are looked at
                if "MapBatches(Embedder)" in " ".join(child.cmdline()):
                    child.kill()
                    return
        time.sleep(0.02)
    raise AssertionError("no process of Ray Data was seen")


def test_what_goes_wrong_far_away_is_said_here(cluster, model, wanted, tmp_path):
    def compute(manifest, source, target):
        ONE.compute(replace(manifest, fingerprint="0" * 32), source, target)

    with pytest.raises(ExplorerError, match="has other weights"):
        create(model, wanted, tmp_path / "ray", compute)
    assert not (tmp_path / "ray").exists()
