"""Files of word vectors: gensim's as the peer, the layouts of the wild, and damage."""

import gzip
import struct

import numpy as np
import pytest
import torch

import explorer
from explorer.analysis import vectors
from explorer.checkpoints import vector_rows, word_vectors
from explorer.errors import CheckpointError, FormatError, NotFoundError, SizeError
from explorer.trace import Ability

WORDS = ["the", "of", "new york", "naïve", "'s", "3", "0.5", "königin", "東京", "a b c"]
ROWS, DIMENSIONS = 53, 7


@pytest.fixture
def table() -> tuple[list[str], np.ndarray]:
    words = [*WORDS, *(f"word{i}" for i in range(ROWS - len(WORDS)))]
    matrix = np.random.default_rng(0).normal(size=(ROWS, DIMENSIONS)).astype(np.float32)
    return words, matrix


def text(table, header: bool = False, end: str = "\n") -> bytes:
    words, matrix = table
    rows = [f"{word} {' '.join(map(repr, row.tolist()))}{end}" for word, row in zip(words, matrix)]
    return (f"{len(words)} {matrix.shape[1]}\n" * header + "".join(rows)).encode()


def binary(table, end: bytes = b"\n") -> bytes:
    words, matrix = table
    rows = [word.encode() + b" " + row.astype("<f4").tobytes() + end for word, row in zip(words, matrix)]
    return f"{len(words)} {matrix.shape[1]}\n".encode() + b"".join(rows)


def load(path) -> tuple[explorer.models.LanguageModel, vectors.Vectors]:
    model = explorer.load(f"folder:{path}")
    return model, vectors.of(model)


def same(found: vectors.Vectors, table, rows: int = ROWS) -> None:
    words, matrix = table
    assert list(found.words) == words[:rows]
    assert found.matrix.dtype == torch.float32
    np.testing.assert_allclose(found.matrix.numpy(), matrix[:rows], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_files_that_gensim_wrote(table, tmp_path, binary, ending):
    from gensim.models import KeyedVectors

    words = [word.replace(" ", "_") for word in table[0]]  # gensim's text files hold no spaces
    peer = KeyedVectors(DIMENSIONS)
    peer.add_vectors(words, table[1])
    path = tmp_path / (("v.bin" if binary else "v.txt") + ending)
    peer.save_word2vec_format(str(path), binary=binary)
    model, found = load(path)
    same(found, (words, table[1]))
    assert model.abilities == Ability.VECTORS and model.config.d_model == DIMENSIONS
    theirs = [word for word, _ in peer.most_similar("naïve", topn=5)]
    assert [n.word for n in vectors.nearest(found, "naïve", 5)] == theirs
    theirs = [word for word, _ in peer.most_similar(positive=["the", "of"], negative=["3"], topn=5)]
    assert [n.word for n in vectors.analogy(found, "the", "3", "of", 5).answers] == theirs


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("glove.txt", lambda t: text(t)),
        ("spaces.txt", lambda t: text(t, header=True, end=" \n")),  # the original ends each row with one
        ("crlf.vec", lambda t: text(t, header=True, end="\r\n")),
        ("open.vec", lambda t: text(t).rstrip(b"\n")),
    ],
)
def test_layouts_of_text(table, tmp_path, name, write):
    (tmp_path / name).write_bytes(write(table))
    same(load(tmp_path / name)[1], table)


@pytest.mark.parametrize("end", [b"\n", b""])
def test_layouts_of_binary(table, tmp_path, end):
    table = ([word.replace(" ", "_") for word in table[0]], table[1])
    (tmp_path / "v.bin").write_bytes(binary(table, end))
    same(load(tmp_path / "v.bin")[1], table)


@pytest.mark.parametrize("block", [16, 61, 100])
def test_rows_across_the_edges_of_what_is_read_at_once(table, tmp_path, monkeypatch, block):
    table = ([word.replace(" ", "_") for word in table[0]], table[1])
    (tmp_path / "v.bin").write_bytes(binary(table))
    monkeypatch.setattr(vector_rows, "LONGEST_LINE", block)
    same(load(tmp_path / "v.bin")[1], table)


def test_a_word_that_looks_like_a_number_and_rows_with_long_words(tmp_path):
    (tmp_path / "v.txt").write_text("1 2 0.5 0.25\nthe 0.5 1 2\n. . . 1 1 1\n")
    found = load(tmp_path / "v.txt")[1]
    assert list(found.words) == ["1", "the", ". . ."] and found.matrix[0].tolist() == [2, 0.5, 0.25]


def test_only_the_first_words_are_read(table, tmp_path, monkeypatch):
    monkeypatch.setenv(word_vectors.WORDS_VARIABLE, "11")
    table = ([word.replace(" ", "_") for word in table[0]], table[1])
    for name, content in (
        ("g.txt", text(table)),
        ("t.txt", text(table, header=True)),
        ("b.bin", binary(table)),
    ):
        (tmp_path / name).write_bytes(content)
        same(load(tmp_path / name)[1], table, rows=11)
    for wrong in ("many", "0", "-3"):
        monkeypatch.setenv(word_vectors.WORDS_VARIABLE, wrong)
        with pytest.raises(CheckpointError):
            load(tmp_path / "g.txt")


def test_the_size_is_checked_before_anything_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("RIVERBANK_MAX_WEIGHT_GB", "0.001")
    (tmp_path / "v.bin").write_bytes(b"100000 300\nthe " + b"\0" * 1200)
    with pytest.raises(SizeError) as caught:
        load(tmp_path / "v.bin")
    assert "0.1 GB" in caught.value.message


def test_text_meets_the_vectors_of_a_folder(table, tmp_path):
    (tmp_path / "only.txt").write_bytes(text(table))
    model, _ = load(tmp_path)
    trace = model.trace("The word7 OF Zanzibar's")
    assert trace.tokens == ["the", "word7", "of", "'s"] and trace.hidden_states.shape == (1, 4, DIMENSIONS)
    (tmp_path / "other.vec").write_bytes(text(table))
    with pytest.raises(NotFoundError) as caught:
        load(tmp_path)
    assert "several" in caught.value.message and str(tmp_path / "only.txt") in caught.value.hint


def test_a_vocabulary_with_capitals_keeps_them(tmp_path):
    (tmp_path / "v.txt").write_text("the 0 1\nBank 1 0\nbank 1 1\n")
    model, found = load(tmp_path / "v.txt")
    assert model.trace("The Bank bank").tokens == ["the", "Bank", "bank"]
    assert found.id("Bank") == 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.txt", b"", "not a file of word vectors"),
        ("prose.txt", b"It was the best of times,\nit was the worst.\n", "not a file of word vectors"),
        ("words.txt", b"the\nof\nand\n", "not a file of word vectors"),
        ("fasttext.bin", struct.pack("<ii", 793712314, 12) + b"\n" * 50, "fastText's own binary"),
        ("row.txt", b"the 1 2 3\nof 1 2 3\nand 1 x 3\n", "Line 3"),
        ("narrow.txt", b"the 1 2 3\nof 1 2 3\nand 2 3\n", "Line 3"),
        ("nan.txt", b"the 1 2 3\nof 1 nan 3\n", "not finite"),
        ("short.txt", b"4 2\nthe 1 2\nof 2 3\n", "4 words, but ends after 2"),
        ("short.bin", b"3 2\nthe " + b"\0" * 8 + b"\nof " + b"\0" * 7, "3 words, but ends after"),
        ("wide.bin", b"1 99999999\nthe " + b"\0" * 8, "not a file of word vectors"),
        ("none.bin", b"5 0\n", "not a file of word vectors"),
        ("zeros.txt", b"0 5\nthe 1 2 3 4 5\n", "not a file of word vectors"),
        ("plain.txt.gz", b"the 1 2\nof 2 3\n", "cannot be read"),
        ("cut.txt.gz", gzip.compress(b"the 1 2\nof 2 3\n" * 99, mtime=0)[:-20], "cannot be read"),
    ],
)
def test_files_that_are_broken_or_something_else(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError) as caught:
        load(tmp_path / name)
    assert said in caught.value.message and caught.value.hint and name in caught.value.message


def test_no_file_of_that_name(tmp_path):
    with pytest.raises(NotFoundError) as caught:
        load(tmp_path / "absent.txt")
    assert ".vec" in caught.value.hint


def test_a_shared_server_reads_no_files(table, tmp_path, monkeypatch):
    (tmp_path / "v.txt").write_bytes(text(table))
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "0")
    with pytest.raises(CheckpointError):
        load(tmp_path / "v.txt")


def test_the_matrix_is_in_memory_once(table, tmp_path):
    (tmp_path / "v.txt").write_bytes(text(table))
    model, found = load(tmp_path / "v.txt")
    assert found.matrix.data_ptr() == model.network.tokens.weight.data_ptr()
    assert not model.network.tokens.weight.requires_grad
