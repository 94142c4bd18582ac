"""GGUF files that are damaged, lie, or hold what Riverbank does not read: each says what is wrong."""

import resource
import struct
import time
from collections.abc import Callable

import pytest
import torch

import explorer
from explorer.checkpoints.gguf import reader
from explorer.checkpoints.gguf.file import GgufFile
from explorer.checkpoints.gguf.tensors import read_numbers
from explorer.errors import CheckpointError, FormatError, NotFoundError
from tests import gguf_files
from tests.checkpoints.refusal import refused

Change = Callable[[bytes], bytes]
NORM = "blk.1.attn_norm.weight"  # 33 numbers in float32


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    gguf_files.write_model(path, "gpt2")
    return path.read_bytes()


def at(place: int, kind: str, value: object) -> Change:
    """A number put in at a place."""
    packed = struct.pack(f"<{kind}", value)
    return lambda whole: whole[:place] + packed + whole[place + len(packed) :]


def after(name: str, skip: int, kind: str, value: object) -> Change:
    """A number put in so many bytes after a name, which has its length before it."""
    written = len(name).to_bytes(8, "little") + name.encode()
    return lambda whole: at(whole.index(written) + len(written) + skip, kind, value)(whole)


def renamed(old: str, new: str) -> Change:
    assert len(old) == len(new)
    return lambda whole: whole.replace(old.encode(), new.encode(), 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda whole: b"", "is empty, and not a GGUF file"), (lambda whole: whole[:20], "too few"),
        (lambda whole: whole[:4000], "ends within its header|more than"),
        (lambda whole: whole[:-40], "ends before"),
        (lambda whole: b"PK\x03\x04" + whole[4:], "is a zip archive, and not a GGUF file"),
        (at(4, "I", 1), "version 1"), (at(4, "I", 4), "version 4"), (at(4, "I", 3 << 24), "big-endian"),
        (at(8, "Q", 2**63), "tensors, more than fit"), (at(8, "Q", 1), "missing"),
        (at(16, "Q", 2**40), "keys, more than fit"), (at(24, "Q", 2**62), "gives a key"),
        (after("gpt2.block_count", 0, "I", 99), "type 99, which there is not"),
        (after("gpt2.block_count", 0, "I", 6), "block_count as a number, where it should be a whole number"),
        (after("tokenizer.ggml.tokens", 4, "I", 9), "list of lists"),
        (after("tokenizer.ggml.tokens", 4, "I", 77), "list of type 77"),
        (after("tokenizer.ggml.tokens", 8, "Q", 2**50), "texts in tokenizer.ggml.tokens, more than fit"),
        (after("tokenizer.ggml.token_type", 8, "Q", 2**50), "numbers in tokenizer.ggml.token_type"),
        (after("tokenizer.ggml.tokens", 16, "Q", 2**31), "gives tokenizer.ggml.tokens"),
        (after("tokenizer.ggml.tokens", 24, "B", 0xFF), "not UTF-8"),
        (after(NORM, 0, "I", 5), "5 dimensions"), (after(NORM, 0, "I", 0), "0 dimensions"),
        (after(NORM, 4, "Q", 0), "a shape or a place that cannot be"),
        (after(NORM, 4, "Q", 2**62), "ends before"),
        (after(NORM, 4, "Q", 31), r"h.1.ln_1.weight \(31,\), not \(33,\)"),
        (after(NORM, 12, "I", 4), "type 4, which Riverbank does not read"),
        (after(NORM, 12, "I", 15), "as Q8_K, which Riverbank does not read"),
        (after(NORM, 12, "I", 12), "a shape or a place that cannot be"),
        (after(NORM, 16, "Q", 7), "a shape or a place that cannot be"),
        (after(NORM, 16, "Q", 2**40), "ends before"), (after(NORM, 16, "Q", 0), "in the same place"),
        (renamed(NORM, "blk.0.attn_norm.weight"), "twice"),
        (renamed("gpt2.block_count", "gpt2.vocab_count"), "lacks the key gpt2.block_count"),
        (renamed("gpt2.block_count", "general.alignmen"), "lacks the key gpt2.block_count"),
        (renamed(NORM, "blk.1.ssm_weird.weight"), "not of the plain gpt2: blk.1.ssm_weird.weight"),
    ],
)  # fmt: skip
def test_what_is_damaged_or_lies(change, said, whole, tmp_path):
    path = tmp_path / "a.gguf"
    path.write_bytes(change(whole))
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(FormatError, match=said):
        explorer.load(path)
    refused(path, FormatError)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000, "kilobytes"
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"general.architecture": "mamba"}, "“mamba” model.*remember a state.*SmolLM2"),
        ({"general.architecture": "bert"}, "“bert” model.*from a GGUF file: it reads these from a folder"),
        ({"general.type": "adapter"}, "holds an adapter"),
        ({"general.architecture": "qwen3moe"}, "choose among experts"),
        ({"gpt2.expert_count": 8}, "expert_count, a variant"),
        ({"gpt2.block_count": 10**9}, "n_layer as 1000000000"),
        ({"gpt2.attention.head_count": "three"}, "head_count as a text, where it should be a whole number"),
        ({"gpt2.attention.layer_norm_epsilon": float("nan")}, "layer_norm_epsilon as nan"),
        ({"general.alignment": 5}, "general.alignment as 5"),
        ({"tokenizer.ggml.model": "t5"}, "“t5” tokenizer.*byte-level BPE"),
        ({"tokenizer.ggml.model": "llama"}, "lacks the key tokenizer.ggml.scores"),
        (
            {"tokenizer.ggml.model": "llama", "tokenizer.ggml.scores": [1.0]},
            "scores of 1 tokens, and lists 293",
        ),
        ({"tokenizer.ggml.pre": "viking"}, "as “viking” does.*docs/own-model.md"),
        ({"tokenizer.ggml.tokens": None}, "lacks the key tokenizer.ggml.tokens"),
        ({"tokenizer.ggml.tokens": [1, 2, 3]}, "tokens as a list of numbers"),
        ({"tokenizer.ggml.tokens": ["a", "b", "a"], "gpt2.vocab_size": 293}, "“a” twice"),
        ({"tokenizer.ggml.token_type": [1, 3]}, "kinds of 2 tokens, and lists 293"),
        ({"tokenizer.ggml.merges": None}, "lacks the key tokenizer.ggml.merges"),
        ({"tokenizer.ggml.merges": ["a b c"]}, "“a b c” as a merge"),
        ({"tokenizer.ggml.merges": ["q zz"]}, "vocabulary of .* is damaged"),
        ({"tokenizer.ggml.bos_token_id": 293}, "token 293 for the beginning"),
        ({"tokenizer.ggml.eos_token_id": 4000}, "token 4000 for the end"),
        ({"tokenizer.ggml.eot_token_id": 4000}, "token 4000 for the end"),
        ({"tokenizer.chat_template": 1}, "chat_template as a whole number"),
    ],
)
def test_metadata_that_cannot_be_used(keys, said, tmp_path):
    theirs = gguf_files.model("gpt2")
    known = {"general.architecture": "gpt2"} | gguf_files.metadata("gpt2", theirs.config)
    known |= gguf_files.vocabulary(tmp_path / "vocabulary") | keys
    path = tmp_path / "a.gguf"
    numbers = gguf_files.tensors("gpt2", theirs)
    gguf_files.write(path, {key: value for key, value in known.items() if value is not None}, numbers)
    with pytest.raises(FormatError, match=said):
        explorer.load(path)
    refused(path, FormatError)


def test_angles_that_cannot_be_computed(tmp_path):
    gguf_files.write_model(tmp_path / "llama.gguf", "llama", {"llama.rope.freq_base": 0.0})
    assert "must be above 0" in refused(tmp_path / "llama.gguf", FormatError).message


def test_an_old_conversion_does_not_say_how_it_splits(tmp_path):
    gguf_files.write_model(tmp_path / "a.gguf", "llama", {"tokenizer.ggml.pre": None})
    assert "before May 2024" in refused(tmp_path / "a.gguf", FormatError).message


def test_a_part_of_a_model(tmp_path):
    gguf_files.write_model(tmp_path / "m-00001-of-00002.gguf", "llama", {"split.count": 2})
    assert "m-00002-of-00002.gguf is not beside it" in refused(tmp_path, NotFoundError).message
    (tmp_path / "m-00002-of-00002.gguf").write_bytes((tmp_path / "m-00001-of-00002.gguf").read_bytes())
    (tmp_path / "m-00001-of-00002.gguf").rename(tmp_path / "b.gguf")
    assert "found by their names" in refused(tmp_path / "b.gguf", FormatError).message


def test_an_unfinished_download_of_it(whole, tmp_path):
    (tmp_path / "model.gguf.part").write_bytes(whole)
    assert "incomplete download" in refused(tmp_path / "model.gguf.part", FormatError).message


def test_a_folder_that_is_named_as_a_file_is_a_folder(gpt, tmp_path):
    place = gpt.rename(tmp_path / "gpt2.gguf")
    assert explorer.load(f"folder:{place}").trace("the bank").hidden_states is not None


def test_a_llama_whose_positions_are_turned_otherwise(tmp_path):
    for key in ("rope.dimension_count", "attention.value_length"):
        gguf_files.write_model(tmp_path / "a.gguf", "llama", {f"llama.{key}": 6})
        file = GgufFile.open(tmp_path / "a.gguf")
        with pytest.raises(FormatError, match="a head 14 numbers"):
            assert file.config


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_not_finite(value, tmp_path):
    theirs = gguf_files.model("gpt2")
    with torch.no_grad():
        theirs.transformer.h[1].mlp.c_fc.bias[3] = value
    known = {"general.architecture": "gpt2"} | gguf_files.metadata("gpt2", theirs.config)
    known |= gguf_files.vocabulary(tmp_path / "vocabulary")
    path = gguf_files.write(tmp_path / "a.gguf", known, gguf_files.tensors("gpt2", theirs))
    assert "blk.1.ffn_up.bias holds numbers that are not finite" in refused(path, FormatError).message


def test_numbers_whose_sum_alone_is_not_finite_are_read(tmp_path):
    given = torch.full((5,), 3e38)
    path = gguf_files.write(tmp_path / "a.gguf", {"general.architecture": "gpt2"}, {"a": given})
    result: dict[str, torch.Tensor] = {}
    read_numbers(reader.read_header(path), result.__setitem__)
    assert torch.equal(result["a"], given)


def test_a_header_of_which_there_is_no_end(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "MOST_HEADER", 3000)
    (tmp_path / "a.gguf").write_bytes(whole)
    assert "more than 3,000 bytes" in refused(tmp_path / "a.gguf", FormatError).message


def test_sizes_that_cannot_be_are_said_of_the_file(whole, tmp_path):
    (tmp_path / "a.gguf").write_bytes(after("gpt2.attention.head_count", 4, "I", 0)(whole))
    message = refused(tmp_path / "a.gguf", FormatError).message
    assert message.startswith("a.gguf gives n_head as 0") and "config.json" not in message


def test_another_kind_of_file_under_the_name(gpt, tmp_path):
    path = tmp_path / "a.gguf"
    path.write_bytes((gpt / "model.safetensors").read_bytes())
    assert "is a safetensors file, and not a GGUF file" in refused(path, FormatError).message
    path.unlink()
    path.mkdir()
    with pytest.raises(CheckpointError):
        explorer.load(path)
