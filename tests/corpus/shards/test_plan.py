"""A run over texts: each occurrence once with its own vector; stopped at any time, it goes on."""

import errno
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import torch

from explorer.analysis import senses
from explorer.corpus.shards import manifest, plan, shard, worker
from explorer.corpus.shards.plan import compute_all, prepare
from explorer.corpus.shards.reader import Corpus
from explorer.errors import CheckpointError, ExplorerError, FormatError, TextError
from tests.corpus.shards.conftest import LINES

ROOT = Path(__file__).parents[3]


def contents(folder):
    """All shards by name, byte by byte."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def test_each_occurrence_has_its_own_vectors(made, tiny_bert):
    corpus = Corpus.open(made())
    assert corpus.manifest.totals == {"bank": 15 + 30 + 15 + 10 + 20 + 10}
    assert len(corpus.manifest.parts) > 3
    numbers = list(range(corpus.total("bank")))
    all_of_them = corpus.occurrences("bank", numbers)
    assert {occurrence.sense for occurrence in all_of_them} == {None, "s0", "s1"}
    vectors = {layer: corpus.some("bank", layer, numbers) for layer in (0, tiny_bert.config.layers)}
    for i in numbers[::7]:
        one = all_of_them[i]
        assert one.form.lower() == "bank"
        plain = senses.occurrences(tiny_bert, [one.text], "bank")
        expected = plain.vectors[plain.span.index(one.span)]
        for layer, found in vectors.items():
            torch.testing.assert_close(found[i], expected[layer], atol=1e-5, rtol=1e-5)


def test_half_the_size_in_half_the_precision(made):
    exact, half = Corpus.open(made()), Corpus.open(made("half", precision="float16"))
    last = exact.manifest.layers[-1]
    numbers = list(range(20))
    one, other = (corpus.some("bank", last, numbers) for corpus in (exact, half))
    torch.testing.assert_close(one, other, atol=1e-3, rtol=1e-3)
    assert not torch.equal(one, other)


def test_several_words_and_their_forms(made):
    corpus = Corpus.open(made(words=["bank", "river"], forms=True))
    assert corpus.manifest.totals == {"bank": 125, "river": 50}
    assert {occurrence.form for occurrence in corpus.occurrences("bank", range(125))} == {"bank", "Banks"}
    only = Corpus.open(made("only", words=["bank", "steam"]))
    assert only.total("steam") == 0 and only.total("bank") == 100


def test_a_run_that_is_stopped_goes_on(wanted, made, tmp_path, monkeypatch):
    folder = tmp_path / "stopped"
    folder.mkdir()
    first = compute_all(prepare(wanted, folder))
    next(first), next(first)
    first.close()
    (folder / ".part-00002.word-0.parquet.77.tmp").write_bytes(b"half of it")
    there = contents(folder)
    asked = []
    monkeypatch.setattr(plan, "compute", lambda *a: asked.append(a[-1]) or worker.compute(*a))
    with pytest.raises(ExplorerError, match="not complete: 2 of"):
        Corpus.open(folder)
    again = prepare(wanted, folder)
    assert again.todo == list(range(2, len(again.manifest.parts)))
    list(compute_all(again))
    again.finish()
    assert asked == again.todo, "what is complete is not computed again"
    assert there.items() <= contents(folder).items() and contents(folder) == contents(made())
    assert not list(folder.glob(".part*")) and prepare(wanted, folder).todo == []


@pytest.mark.slow
def test_a_process_that_is_killed(wanted, made, tmp_path):
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "explorer.corpus", "embed", wanted.texts, "--words", "bank", "--plain"]
    command += ["--model", wanted.model, "--out", str(folder), "--part-mb", "0.001", "--float32"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    process = subprocess.Popen([*command, "--layers", "0", "-1"], cwd=ROOT, env=environment)
    until = time.monotonic() + 60
    while not list(folder.glob("part-*")):
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    again = prepare(wanted, folder)
    with plan.lock_folder(folder):  # the dead process holds nothing
        list(compute_all(again))
    again.finish()
    assert contents(folder) == contents(made())


def test_a_damaged_shard_is_computed_again(wanted, made):
    folder = made()
    path = folder / shard.name(1, 0)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(FormatError, match=r"part-00001\.word-0\.parquet cannot be read"):
        list(Corpus.open(folder).vectors("bank", 0))
    again = prepare(wanted, folder)
    assert again.todo == [1]
    list(compute_all(again))
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"words": ["river"]}, "begun with words bank, not river"),
        ({"layers": [0]}, r"begun with layers 0, \d, not 0"),
        ({"forms": True}, "begun with word forms off, not on"),
        ({"precision": "float16"}, "begun with precision float32, not float16"),
        ({"layers": [9]}, "has no layer 9"),
        ({"words": [" "]}, "is no word to look for"),
        ({"model": "word2vec"}, "word2vec"),
        ({"model": "bret"}, "No checkpoint called “bret”"),
    ],
)
def test_another_thing_than_the_folder_holds(wanted, made, other, said):
    folder = made()
    with pytest.raises(ExplorerError, match=said):
        prepare(replace(wanted, **other), folder)


def test_another_model_than_the_folder_holds(wanted, made, gpt_folder, monkeypatch):
    folder = made()
    with pytest.raises(ExplorerError, match=r"holds vectors of folder:.*bert.*, not of folder:.*gpt"):
        prepare(replace(wanted, model=f"folder:{gpt_folder}"), folder)
    monkeypatch.setattr(plan, "fingerprint", lambda model: "0" * 32)
    with pytest.raises(ExplorerError, match="with other weights"):
        prepare(wanted, folder)


def test_texts_that_are_others_by_now(wanted, made, texts):
    folder = made()
    (texts / "c.txt").write_text("One more bank.")
    with pytest.raises(ExplorerError, match=r"c\.txt is new"):
        prepare(wanted, folder)
    (texts / "c.txt").unlink()
    (texts / "a.txt").write_text("Another bank.")
    with pytest.raises(ExplorerError, match=r"a\.txt has changed"):
        prepare(wanted, folder)
    (texts / "a.txt").unlink()
    with pytest.raises(ExplorerError, match=r"a\.txt is gone"):
        prepare(wanted, folder)


def test_a_word_that_does_not_occur_leaves_nothing(wanted, tmp_path):
    folder = tmp_path / "none"
    folder.mkdir()
    begun = prepare(replace(wanted, words=["steam"]), folder)
    list(compute_all(begun))
    with pytest.raises(TextError, match="“steam” does not occur"):
        begun.finish()
    assert not list(folder.iterdir()), "another word may be tried"


def test_a_full_disk_says_so_and_loses_nothing(wanted, made, tmp_path, monkeypatch):
    folder = tmp_path / "full"
    folder.mkdir()
    begun = prepare(wanted, folder)
    written = []
    real = pq.ParquetWriter.write_table

    def write(self, table, *more):
        if len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(table)
        return real(self, table, *more)

    monkeypatch.setattr(pq.ParquetWriter, "write_table", write)
    with pytest.raises(ExplorerError, match="The disk is full"):
        list(compute_all(begun))
    assert len(list(folder.glob("*.parquet"))) == 2 and not list(folder.glob(".part*"))
    monkeypatch.undo()
    again = prepare(wanted, folder)
    list(compute_all(again))
    again.finish()
    assert contents(folder) == contents(made())


def test_two_runs_at_once(tmp_path):
    with (
        plan.lock_folder(tmp_path),
        pytest.raises(ExplorerError, match="Another run is using"),
        plan.lock_folder(tmp_path),
    ):
        pass
    with plan.lock_folder(tmp_path):
        pass


def test_a_folder_that_is_no_folder_of_vectors(wanted, tmp_path):
    with pytest.raises(CheckpointError, match=r"it has no manifest\.json"):
        Corpus.open(tmp_path)
    (tmp_path / manifest.NAME).write_text("{}")
    with pytest.raises(FormatError, match="no manifest of ours"):
        Corpus.open(tmp_path)
    (tmp_path / manifest.NAME).write_text('{"riverbank": "corpus", "version": 99}')
    with pytest.raises(FormatError, match="is of version 99"):
        Corpus.open(tmp_path)
    (tmp_path / manifest.NAME).unlink()
    (tmp_path / "mine.parquet").write_bytes(b"")
    with pytest.raises(ExplorerError, match=r"holds mine\.parquet and no manifest"):
        prepare(wanted, tmp_path)


def test_sentences_that_repeat_are_run_once(texts, made, monkeypatch):
    """Boilerplate is frequent in large texts; each occurrence has its row all the same."""
    for path in texts.rglob("*.*"):
        path.unlink()
    (texts / "same.txt").write_text("\n".join(LINES * 50))
    ran = []
    real = senses.occurrences
    monkeypatch.setattr(senses, "occurrences", lambda m, some, w: ran.extend(some) or real(m, some, w))
    corpus = Corpus.open(made(part_mb=1))
    assert corpus.total("bank") == 200 and len(ran) == 3
    numbers = [one.sentence for one in corpus.occurrences("bank", range(200)) if one.text == LINES[0]]
    assert corpus.some("bank", 0, numbers).unique(dim=0).shape[0] == 1
