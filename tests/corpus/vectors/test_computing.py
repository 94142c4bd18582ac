"""A folder of vectors: each occurrence once with its own vector; it is there as a whole or not at all."""

import errno
from dataclasses import replace

import pyarrow.parquet as pq
import pytest
import torch

import explorer
from explorer.analysis import senses
from explorer.corpus.vectors import manifest
from explorer.corpus.vectors.computing import create
from explorer.corpus.vectors.reader import Corpus
from explorer.errors import ExplorerError, FormatError, NotFoundError
from tests.corpus.vectors.conftest import LINES


def test_each_occurrence_has_its_own_vectors(made, tiny_bert):
    corpus = Corpus.open(made())
    assert corpus.manifest.totals == [15 + 30 + 15 + 10 + 20 + 10]
    assert len(list(corpus.folder.glob("word=0/*.parquet"))) == 5
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
            torch.testing.assert_close(found[i], expected[layer].half().float(), atol=2e-3, rtol=2e-3)


def test_several_words_and_their_forms(made):
    corpus = Corpus.open(made(words=["bank", "river"], forms=True))
    assert corpus.manifest.totals == [125, 50]
    assert {occurrence.form for occurrence in corpus.occurrences("bank", range(125))} == {"bank", "Banks"}
    only = Corpus.open(made("only", words=["bank", "steam"]))
    assert only.total("steam") == 0 and only.total("bank") == 100
    assert not list(only.vectors("steam", 0)) and not only.occurrences("steam", [])


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"layers": [9]}, "has no layer 9"),
        ({"words": [" "]}, "is no word to look for"),
        ({"words": []}, "no word to look for"),
        ({"words": ["steam"]}, "“steam” does not occur"),
        ({"texts": "nowhere"}, "no file or folder nowhere"),
    ],
)
def test_what_cannot_be_computed_leaves_nothing(wanted, tiny_bert, tmp_path, other, said):
    with pytest.raises(ExplorerError, match=said):
        create(tiny_bert, replace(wanted, **other), tmp_path / "out" / "v")
    assert not list((tmp_path / "out").glob("*"))


def test_a_model_without_contexts(wanted, tmp_path):
    with pytest.raises(ExplorerError, match="word2vec"):
        create(explorer.load("word2vec"), wanted, tmp_path / "v")


def test_a_folder_that_holds_something_is_left_alone(wanted, tiny_bert, made):
    folder = made()
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    with pytest.raises(ExplorerError, match="not empty"):
        create(tiny_bert, wanted, folder)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_an_empty_folder_may_be_there(made, tmp_path):
    (tmp_path / "made").mkdir()
    assert Corpus.open(made()).total("bank") == 100


def test_a_place_where_no_folder_can_be(wanted, tiny_bert, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExplorerError, match="cannot be written"):
        create(tiny_bert, wanted, tmp_path / "file" / "v")


def test_a_full_disk_says_so_and_leaves_nothing(made, tmp_path, monkeypatch):
    tables = []

    def write(table, *places, **options):
        if len(tables) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        tables.append(table)

    monkeypatch.setattr(pq, "write_to_dataset", write)
    with pytest.raises(ExplorerError, match="The disk is full"):
        made()
    assert [path.name for path in tmp_path.iterdir()] == ["texts"]


def test_a_damaged_file_is_said_so(made):
    folder = made()
    path = next(folder.glob("word=0/*.parquet"))
    path.write_bytes(path.read_bytes()[:-20])
    corpus = Corpus.open(folder)
    for reading in (lambda: list(corpus.vectors("bank", 0)), lambda: corpus.occurrences("bank", [1])):
        with pytest.raises(FormatError, match="cannot be read"):
            reading()


def test_a_folder_that_is_no_folder_of_vectors(tmp_path):
    with pytest.raises(NotFoundError, match=r"it has no manifest\.json"):
        Corpus.open(tmp_path)
    (tmp_path / manifest.NAME).write_text("{}")
    with pytest.raises(FormatError, match="no manifest of ours"):
        Corpus.open(tmp_path)
    (tmp_path / manifest.NAME).write_text('{"riverbank": "corpus", "version": 1}')
    with pytest.raises(FormatError, match="is of version 1"):
        Corpus.open(tmp_path)


def test_sentences_that_repeat_are_run_once(texts, made, monkeypatch):
    """Boilerplate is frequent in large texts; each occurrence has its row all the same."""
    for path in texts.rglob("*.*"):
        path.unlink()
    (texts / "same.txt").write_text("\n".join(LINES * 50))
    ran = []
    real = senses.occurrences
    monkeypatch.setattr(senses, "occurrences", lambda m, some, w: ran.extend(some) or real(m, some, w))
    corpus = Corpus.open(made())
    assert corpus.total("bank") == 200 and len(ran) == 3 * 10
    numbers = [one.sentence for one in corpus.occurrences("bank", range(200)) if one.text == LINES[0]]
    assert corpus.some("bank", 0, numbers).unique(dim=0).shape[0] == 1
