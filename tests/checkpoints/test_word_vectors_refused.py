"""Files of word vectors with a mistake in them: refused with the line, as gensim refuses them."""

import struct
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

import explorer
from explorer.analysis import vectors
from explorer.errors import FormatError
from tests.checkpoints.refusal import refused

WORDS, DIMENSIONS = 20, 50
NUMBERS = np.random.default_rng(0).normal(size=(WORDS, DIMENSIONS)).round(4)


def rows(numbers=NUMBERS, space: str = " ") -> list[str]:
    return [space.join([f"word{i}", *map(str, row.tolist())]) for i, row in enumerate(numbers)]


def written(header: str, lines: list[str]) -> bytes:
    return "\n".join([*filter(None, [header]), *lines, ""]).encode()


def first(change, header: str = "20 50") -> bytes:
    one, *others = rows()
    return written(header, [change(one), *others])


def binary(dimensions: int) -> bytes:
    content = b"".join(f"word{i} ".encode() + row.astype("<f4").tobytes() for i, row in enumerate(NUMBERS))
    return f"{WORDS} {dimensions}\n".encode() + content


BROKEN = {
    "header one too high": (written("20 51", rows()), "Line 2", "51 numbers"),
    "header one too low": (written("20 49", rows()), "Line 2", "49 numbers"),
    "decimal commas": (written("20 50", [row.replace(".", ",") for row in rows()]), "Line 2", "point"),
    "decimal commas, no header": (written("", [r.replace(".", ",") for r in rows()]), "line 1", "word0"),
    "a short first row": (first(lambda row: row.rsplit(" ", 1)[0]), "Line 2", "49 numbers"),
    "a short first row, no header": (first(lambda row: row.rsplit(" ", 1)[0], ""), "Line 1", "49 numbers"),
    "a bad first row": (first(lambda row: row[:-1] + "x"), "Line 2", "no numbers"),
    "double spaces": (written("20 50", [row.replace(" ", "  ") for row in rows()]), "Line 2", "two spaces"),
    "double spaces, no header": (written("", [row.replace(" ", "  ") for row in rows()]), "1", "spaces"),
    "two spaces after each word": (written("", [row.replace(" ", "  ", 1) for row in rows()]), "1", "spaces"),
    "tabs": (written("20 50", rows(space="\t")), "Line 2", "not tabs"),
    "a tab after each word": (written("", [row.replace(" ", "\t", 1) for row in rows()]), "1", "not tabs"),
    "a header below zero": (written("-3 50", rows()), "line 1", "-3 words"),
    "one number too many": (first(lambda row: row + " 0.5"), "Line 2", "51 numbers"),
    "one number too many, no header": (first(lambda row: row + " 0.5", ""), "Line 1", "51 numbers"),
    "too many later": (written("20 50", [*rows()[:8], rows()[8] + " 1", *rows()[9:]]), "Line 10", "51"),
    "no word": (first(lambda row: row.split(" ", 1)[1]), "Line 2", "no word"),
    "a word in latin-1": (first(lambda row: row).replace(b"word7", b"caf\xe9"), "Line 9", "caf\\xe9"),
    "binary, header too low": (binary(49), "Word 2", "dimensions"),
    "binary, header too high": (binary(51), "20 words", "ends after 19"),
    "binary, a word in latin-1": (binary(50).replace(b"word7", b"caf\xe9"), "Word 8", "UTF-8"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_it_is_refused_with_its_place_and_so_does_gensim(tmp_path, kind):
    content, place, said = BROKEN[kind]
    path = tmp_path / "v.vec"
    path.write_bytes(content)
    error = refused(path, FormatError)
    assert place in error.message and said in str(error) and len(str(error)) < 330
    headless = "no header" in kind or not content[:1].isdigit()
    if "after each word" not in kind and "no header" not in kind:  # gensim reads on with other words
        with pytest.raises((ValueError, EOFError, RuntimeError, OverflowError)):
            KeyedVectors.load_word2vec_format(
                str(path), binary="binary" in kind, no_header=headless and kind != "a header below zero"
            )


def test_a_byte_order_mark_is_no_part_of_a_word(tmp_path):
    for header in ("20 50", ""):
        (tmp_path / "v.txt").write_bytes(b"\xef\xbb\xbf" + written(header, rows()))
        result = vectors.of(explorer.load(f"folder:{tmp_path / 'v.txt'}"))
        assert result.words[0] == "word0"
        np.testing.assert_allclose(result.matrix.numpy(), NUMBERS, rtol=1e-6)
    (tmp_path / "v.txt").write_bytes(written("20 50", rows()).decode().encode("utf-16"))
    assert "UTF-16" in refused(tmp_path / "v.txt", FormatError).message


def test_fasttext_is_named_with_the_way_out(tmp_path):
    (tmp_path / "wiki.bin").write_bytes(struct.pack("<ii", 793712314, 12) + bytes(500))
    error = refused(tmp_path / "wiki.bin", FormatError)
    assert "fastText" in error.message and ".vec" in error.hint and "load_facebook_vectors" in error.hint
    from gensim.models import fasttext

    assert callable(fasttext.load_facebook_vectors)
    assert callable(fasttext.FastTextKeyedVectors.save_word2vec_format)


@pytest.mark.parametrize("words", [1, 2, 20])
@pytest.mark.parametrize("dimensions", [1, 2, 3, 50])
@pytest.mark.parametrize("seed", range(6))
def test_text_or_binary_is_told_of_small_files_too(tmp_path, words, dimensions, seed):
    peer = KeyedVectors(dimensions)
    numbers = np.random.default_rng(seed).normal(size=(words, dimensions)).astype(np.float32)
    peer.add_vectors([f"né{i}" for i in range(words)], numbers)
    for is_binary in (True, False):
        path = tmp_path / "v.bin"
        peer.save_word2vec_format(str(path), binary=is_binary)
        try:
            result = vectors.of(explorer.load(f"folder:{path}"))
        except FormatError:
            # Four or eight bytes may by chance be characters. To refuse them is right, to misread is not.
            assert is_binary and words * dimensions < 4
            continue
        np.testing.assert_allclose(result.matrix.numpy(), numbers, rtol=1e-6)


@pytest.mark.slow
def test_a_mistake_in_a_text_never_makes_it_binary(tmp_path):
    """Any one byte changed: the same words, or a refusal, but never a number within a word.

    (Without its first line's end the file has no header, and a long first word.)
    """
    content, random = written("20 50", rows()), np.random.default_rng(1)
    names = {f"word{i}" for i in range(WORDS)}
    for at in {*range(12), *random.integers(0, len(content), 150).tolist()} - {content.index(b"\n")}:
        for byte in (0, 9, 10, 32, 45, 57, 0xE9):
            changed = bytearray(content)
            changed[at] = byte
            Path(tmp_path / "v.txt").write_bytes(changed)
            try:
                result = vectors.of(explorer.load(f"folder:{tmp_path / 'v.txt'}"))
            except FormatError:
                continue
            assert len(result.words) <= WORDS and result.matrix.shape[1] == DIMENSIONS
            strange = set(result.words) - names
            assert len(strange) <= 1 and all(len(word) < 8 for word in strange)


def test_a_line_without_end_is_not_read_into_memory(tmp_path):
    import gzip

    (tmp_path / "v.txt.gz").write_bytes(gzip.compress(b"the 1 2\nof " + b"1" * 30_000_000))
    assert "Line 2" in refused(tmp_path / "v.txt.gz", FormatError).message
