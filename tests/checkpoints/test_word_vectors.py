"""Files of word vectors: gensim's as the peer, the layouts of the wild, and damage."""

import gzip
import pickle

import numpy as np
import pytest
import torch

import explorer
from explorer.analysis import vectors
from explorer.checkpoints import vector_rows, word_vectors
from explorer.errors import CheckpointError, FormatError, NotFoundError, SizeError, TextError
from explorer.tokenizers.near_words import Unread
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
    model, result = load(path)
    same(result, (words, table[1]))
    assert model.abilities == Ability.VECTORS and model.config.d_model == DIMENSIONS
    theirs = [word for word, _ in peer.most_similar("naïve", topn=5)]
    assert [n.word for n in vectors.nearest(result, "naïve", 5)] == theirs
    theirs = [word for word, _ in peer.most_similar(positive=["the", "of"], negative=["3"], topn=5)]
    assert [n.word for n in vectors.analogy(result, "the", "3", "of", 5).answers] == theirs


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
@pytest.mark.parametrize("block", [16, 61, 100, vector_rows.LONGEST_LINE])
def test_rows_across_the_edges_of_what_is_read_at_once(table, tmp_path, monkeypatch, block, end):
    table = ([word.replace(" ", "_") for word in table[0]], table[1])
    (tmp_path / "v.bin").write_bytes(binary(table, end))
    monkeypatch.setattr(vector_rows, "LONGEST_LINE", block)
    same(load(tmp_path / "v.bin")[1], table)


def test_a_word_that_looks_like_a_number_and_rows_with_long_words(tmp_path):
    (tmp_path / "v.txt").write_text("1 2 0.5 0.25\nthe 0.5 1 2\n. . . 1 1 1\n")
    result = load(tmp_path / "v.txt")[1]
    assert list(result.words) == ["1", "the", ". . ."] and result.matrix[0].tolist() == [2, 0.5, 0.25]


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
    model, result = load(tmp_path / "v.txt")
    assert model.trace("The Bank bank").tokens == ["the", "Bank", "bank"]
    assert result.id("Bank") == 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.txt", b"", "not a file of word vectors"),
        ("prose.txt", b"It was the best of times,\nit was the worst.\n", "not a file of word vectors"),
        ("words.txt", b"the\nof\nand\n", "not a file of word vectors"),
        ("row.txt", b"the 1 2 3\nof 1 2 3\nand 1 x 3\n", "Line 3"),
        ("narrow.txt", b"the 1 2 3\nof 1 2 3\nand 2 3\n", "Line 3"),
        ("nan.txt", b"the 1 2 3\nof 1 nan 3\n", "not finite"),
        ("short.txt", b"4 2\nthe 1 2\nof 2 3\n", "4 words, but ends after 2"),
        ("short.bin", b"3 2\nthe " + b"\0" * 8 + b"\nof " + b"\0" * 7, "3 words, but ends after"),
        ("wide.bin", b"1 99999999\nthe " + b"\0" * 8, "not a file of word vectors"),
        ("none.bin", b"5 0\n", "not a file of word vectors"),
        ("zeros.txt", b"0 5\nthe 1 2 3 4 5\n", "not a file of word vectors"),
        ("cut.txt.gz", gzip.compress(b"the 1 2\nof 2 3\n" * 99, mtime=0)[:-20], "cannot be read"),
    ],
)
def test_files_that_are_broken_or_something_else(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError) as caught:
        load(tmp_path / name)
    assert said in caught.value.message and caught.value.hint and name in caught.value.message


def test_plain_text_with_the_ending_of_an_archive_is_read(tmp_path):
    (tmp_path / "plain.txt.gz").write_bytes(b"the 1 2\nof 2 3\n")
    assert load(tmp_path / "plain.txt.gz")


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
    model, result = load(tmp_path / "v.txt")
    assert result.matrix.data_ptr() == model.network.tokens.weight.data_ptr()
    assert not model.network.tokens.weight.requires_grad


def test_a_file_says_how_many_words_were_read_and_where_another_stands(tmp_path, monkeypatch):
    monkeypatch.setenv(word_vectors.WORDS_VARIABLE, "5")
    words = "aardvark abacus able above as /c/en/bank Money".split()
    rows = "\n".join(f"{word} {i}.5 1 2\n" for i, word in enumerate(words))  # with empty lines
    for name, content in (("h.txt", f"7 3\n{rows}"), ("g.txt", rows), ("g.vec", rows.rstrip())):
        (tmp_path / name).write_text(content)
        model, result = load(tmp_path / name)
        assert model.notes == (
            "The file has 7 words, and only the first 5 were read; RIVERBANK_MAX_WORDS reads more.",
        )
        for look_up in (result.id, model.encode):
            for word, spelling in (("money", "“Money” is word 7"), ("bank", "“/c/en/bank” is word 6")):
                with pytest.raises(TextError, match=f"{spelling} of 7 of the file"):
                    look_up(word)
            with pytest.raises(TextError, match="has 7 words"):
                look_up("river")
    monkeypatch.setenv(word_vectors.WORDS_VARIABLE, "7")
    assert load(tmp_path / "g.txt")[0].notes == ()


def test_a_word_beyond_the_limit_is_looked_for_as_it_was_typed_first(tmp_path):
    (tmp_path / "v.txt").write_text("3 1\nriver 1\nbank 2\nRiver 3\n")
    unread = Unread(2, 3, tmp_path / "v.txt", header=1)
    assert unread.place("River") == ("River", 3) and unread.place("river") == ("river", 1)


def test_a_first_line_that_gives_too_few_words_is_said(tmp_path):
    (tmp_path / "v.txt").write_text("2 2\nthe 0 1\nof 1 0\nand 1 1\n")
    model, _ = load(tmp_path / "v.txt")
    assert len(model.tokenizer.words) == 2 and "says that the file has 2 words" in model.notes[0]
    words, matrix = ["the", "of", "and"], np.eye(3, dtype=np.float32)
    (tmp_path / "v.bin").write_bytes(binary((words, matrix)).replace(b"3 3", b"2 3"))
    assert "says that the file has 2 words" in load(tmp_path / "v.bin")[0].notes[0]


def test_of_a_word_that_comes_twice_the_first_row_counts(tmp_path):
    (tmp_path / "v.txt").write_text("3 2\nthe 0 1\nof 1 0\nthe 1 1\n")
    model, result = load(tmp_path / "v.txt")
    assert list(result.words) == ["the", "of"] and result.matrix.tolist() == [[0, 1], [1, 0]]
    assert "more than once" in model.notes[0] and "“the”" in model.notes[0]


@pytest.mark.parametrize(
    ("rows", "is_said"),
    [("the 500 12\nof 0 3\n", True), ("the 1 0.5\nof 3 4\n", False), ("the 1 -1\nof 3 4\n", False)],
)
def test_a_table_of_counts_is_said(rows, is_said, tmp_path):
    (tmp_path / "counts.txt").write_text(rows)
    assert any("table of counts" in note for note in load(tmp_path / "counts.txt")[0].notes) == is_said


def test_a_table_of_measures_is_no_vectors(tmp_path):
    (tmp_path / "eval_results.txt").write_text("eval_loss = 0.31\nepoch = 3.0\n")
    assert not word_vectors.begins_as_vectors(tmp_path / "eval_results.txt")


def test_names_with_a_path_before_them_are_suggested_and_read_whole(tmp_path):
    words = ["/c/en/river", "/c/en/coffee_pot", "coffee_pot", "/en/girl"]
    (tmp_path / "v.txt").write_text("".join(f"{word} 0 1\n" for word in words))
    model, result = load(tmp_path / "v.txt")
    for word, near in (("river", "/c/en/river"), ("girl", "/en/girl"), ("coffee pot", "coffee_pot")):
        for look_up in (result.id, model.encode):
            with pytest.raises(TextError, match=f"Did you mean “{near}”"):
                look_up(word)
    assert model.encode("/c/en/river, coffee_pot /en/girl").tokens[-2:] == ["coffee_pot", "/en/girl"]


@pytest.mark.parametrize("is_binary", [False, True])
def test_words_cut_in_mid_character_are_left_out_and_named(tmp_path, is_binary):
    words = [f"w{i}".encode() for i in range(20)]
    words[7] = ("银行" * 17).encode()[:98]
    numbers = np.arange(100, dtype="<f4").reshape(20, 5)
    rows = [row.tobytes() if is_binary else " ".join(map(str, row)).encode() for row in numbers]
    lines = [word + b" " + row + b"\n" for word, row in zip(words, rows, strict=True)]
    (tmp_path / "v.bin").write_bytes(b"20 5\n" + b"".join(lines))
    model, result = load(tmp_path / "v.bin")
    assert len(result) == 19 and result.matrix[7].tolist() == numbers[8].tolist()
    (note,) = model.notes
    assert note.startswith("1 word was left out, cut in the middle of a character: “银行")


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_is_never_opened_and_says_how_to_save_it(tmp_path, protocol):
    for name in ("v.bin", "v.kv", "v.model", "v.txt"):
        (tmp_path / name).write_bytes(pickle.dumps({"king": np.zeros(3)}, protocol))
        with pytest.raises(FormatError, match="is a pickle, as gensim’s save") as caught:
            load(tmp_path / name)
        assert 'model.wv.save_word2vec_format("v.txt")' in caught.value.hint


@pytest.mark.parametrize("name", ["v.bin.gz", "v.vec", "v.bin", "v.txt", "v.kv"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", "Git LFS pointer"),
        (b"<!DOCTYPE html>\n<html>", "a web page"),
        (b"BZh91AY&SY", "a bzip2 archive"),
        (b"PK\x03\x04" + bytes(50), "a zip archive"),
        (b"\x93NUMPY\x01\0", "a NumPy array"),
    ],
)
def test_other_kinds_of_files_are_named(tmp_path, name, content, says):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=says):
        load(tmp_path / name)
    if not name.endswith((".gz", ".kv")):  # and so inside an archive
        (tmp_path / "w.txt.gz").write_bytes(gzip.compress(content))
        with pytest.raises(FormatError, match=says):
            load(tmp_path / "w.txt.gz")


def test_an_archive_is_read_without_its_ending(tmp_path):
    (tmp_path / "v.txt").write_bytes(gzip.compress(b"the 1 2\nof 2 3\n"))
    assert list(load(tmp_path / "v.txt")[1].words) == ["the", "of"]
