"""What is a part of a model, or another program's file, is called by its name, with what to do."""

import base64
import shutil

import numpy as np
import pytest
import torch

import explorer
from explorer.errors import CheckpointError, FormatError
from tests import decoders, encoders, gguf_files, tiny
from tests.checkpoints.refusal import refused

NUMBERS = np.random.default_rng(0).normal(size=(30, 6)).round(4)
RANKS = b"".join(base64.b64encode(bytes([i])) + b" %d\n" % i for i in range(256))


def rows(mark: str, words: bool = True, point: str = ".") -> str:
    lines = (mark.join(map(str, row)).replace(".", point) for row in NUMBERS)
    return "".join(f"word{i}{mark}{line}\n" if words else f"{line}\n" for i, line in enumerate(lines))


def without(line: int, kept: str = "") -> str:
    return rows(" ").replace(f"word{line} ", kept, 1)


TEXTS = {
    "vectors.tsv": (rows("\t", words=False), "without words", "paste metadata.tsv vectors.tsv"),
    "metadata.tsv": ("word0\nword1\n", "without numbers", "paste metadata.tsv vectors.tsv"),
    "words.tsv": (rows("\t"), "in a table", "spaces between the numbers, not tabs"),
    "words.csv": (rows(","), "in a table", "not commas"),
    "tabs.txt": (rows("\t"), "line 1", "not tabs"),
    "bare tabs.txt": (rows("\t", words=False), "line 1", "Put the word of each row before"),
    "semicolons.vec": (rows(";"), "line 1", "not semicolons"),
    "commas.txt": (rows(" ", point=","), "line 1", "with a point"),
    "tabs and commas.txt": (rows("\t", point=","), "line 1", "not tabs. Write numbers with a point"),
    "bare.txt": (rows(" ", words=False), "numbers without words", "the word of each row"),
    "one row.txt": (without(7), "Line 8 of one row.txt has no word before its 6 numbers", "delete the line"),
    "an empty word.txt": (without(7, " "), "Line 8 of an empty word.txt has no word", "delete the line"),
    "first.txt": ("30 6\n" + without(0, " "), "Line 2 of first.txt has no word", "delete the line"),
    "ranks.tiktoken": (RANKS.decode(), "a vocabulary of tiktoken", "tokenizer.json"),
    "ranks.txt": (RANKS.decode(), "a vocabulary of tiktoken", "tokenizer.json"),
    "tokenizer.model": (RANKS.decode(), "a vocabulary of tiktoken", "tokenizer.json"),
    "tokenizer.json": ("{}", "a file of a tokenizer", "folder of the whole model"),
    "vocab.txt": ("[PAD]\nthe\n", "a file of a tokenizer", "folder of the whole model"),
    "model.onnx": ("\x08\x08", "an ONNX file", "folder of the whole model"),
    "imatrix.dat": ("\x03", "importance matrix", "folder of the whole model"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_by_itself(tmp_path, name):
    content, said, hint = TEXTS[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    error = refused(tmp_path / name, FormatError)
    assert said in error.message and hint in error.hint


@pytest.mark.parametrize("name", ["vectors.tsv", "tokenizer.model", "tokenizer.json", "vocab.txt"])
def test_a_folder_of_it(tmp_path, name):
    (tmp_path / name).write_text(TEXTS[name][0], encoding="utf-8")
    assert "without" in refused(tmp_path, FormatError).message


def test_one_sentencepiece_model(tmp_path):
    encoders.train(tmp_path, "spiece.model")
    assert "SentencePiece" in refused(tmp_path / "spiece.model", FormatError).message
    assert "a tokenizer alone (spiece.model)" in refused(tmp_path, FormatError).message
    tiny.write_marian(tmp_path / "marian")
    (tmp_path / "marian" / "target.spm").unlink()
    decoders.write("llama", tmp_path / "llama")
    for file in ("vocab.json", "merges.txt"):
        (tmp_path / "llama" / file).unlink()
    shutil.copy(tmp_path / "spiece.model", tmp_path / "llama" / "tokenizer.model")
    lacking = {"marian": "lacks target.spm", "llama": "in tokenizer.model alone.*save_pretrained"}
    for folder, said in lacking.items():
        with pytest.raises(CheckpointError, match=said):
            explorer.load(tmp_path / folder)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"general.type": "imatrix", "general.architecture": "llama"}, "importance matrix"),
        ({"general.type": "mmproj", "general.architecture": "clip"}, "turns pictures into vectors"),
        ({"general.architecture": "controlvector"}, "control vectors"),
    ],
)
def test_a_gguf_file_that_is_no_model(tmp_path, keys, said):
    gguf_files.write(tmp_path / "a.gguf", keys, {"blk.0.attn_q.weight.in_sum2": torch.ones(1, 8)})
    error = refused(tmp_path / "a.gguf", FormatError)
    assert said in error.message and "own .gguf file" in error.hint


def test_a_gguf_file_with_a_vocabulary_alone(tmp_path):
    keys = {"general.architecture": "llama"} | gguf_files.vocabulary(tmp_path / "vocabulary")
    gguf_files.write(tmp_path / "a.gguf", keys, {})
    assert "a vocabulary alone" in refused(tmp_path / "a.gguf", FormatError).message
