"""Damaged and hostile files: refused by what is wrong with them, before they cost memory."""

import json
import resource
import time

import h5py
import numpy as np
import pytest
import torch

import explorer
from explorer.errors import FormatError, SizeError
from tests import tiny
from tests.checkpoints.folders import configure, rewrite
from tests.checkpoints.refusal import refused
from tests.models import bilm


@pytest.fixture
def elmo(tmp_path):
    bilm.write(tmp_path)
    return tmp_path


def replaced(folder, name: str, **how) -> None:
    with h5py.File(folder / "weights.hdf5", "a") as file:
        del file[name]
        file.create_dataset(name, **how)


@pytest.mark.parametrize(
    "how",
    [
        {"data": "text"},
        {"data": np.float32(1)},
        {"data": np.zeros(3, dtype=[("a", "f4"), ("b", "i4")])},
        {"data": h5py.Empty("f4")},
        {"data": np.zeros((261, 13), dtype=np.int8)},
        {"data": np.zeros((261, 13), dtype=bool)},
        {"data": np.zeros((261, 13), dtype=complex)},
        {"data": np.array([b"a", b"b"])},
    ],
    ids=["string", "scalar", "compound", "empty", "int8", "bool", "complex", "bytes"],
)
def test_arrays_that_are_none_of_floats(elmo, how):
    replaced(elmo, "char_embed", **how)
    assert "char_embed" in refused(elmo, FormatError).message


def test_an_array_that_is_declared_and_not_stored(elmo):
    """A few hundred bytes that ask for gigabytes."""
    side = 23_500 // 2
    replaced(elmo, "char_embed", shape=(side, side), dtype="f4")
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    assert "char_embed" in refused(elmo, FormatError).message
    assert time.process_time() - start < 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB


@pytest.mark.slow
def test_arrays_of_another_size_are_not_read(elmo):
    replaced(elmo, "char_embed", data=np.zeros((9000, 9000), dtype="f4"), compression="gzip")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "char_embed (9000, 9000), not (261, 13)" in refused(elmo, FormatError).message
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_the_size_limit_is_of_what_is_declared(elmo, monkeypatch):
    monkeypatch.setenv("RIVERBANK_MAX_WEIGHT_GB", "0.2")
    replaced(elmo, "char_embed", data=np.zeros((9000, 9000), dtype="f4"), compression="gzip")
    refused(elmo, SizeError)


def test_a_filter_of_ones_own(elmo):
    replaced(elmo, "char_embed", data=np.zeros((261, 13), dtype="f4"), compression="lzf")
    assert "char_embed" in refused(elmo, FormatError).message


@pytest.mark.slow
def test_flipped_bits_in_the_metadata(elmo):
    """Few of them: tests/fuzz flips bits of each kind of file."""
    path, random = elmo / "weights.hdf5", np.random.default_rng(0)
    whole = path.read_bytes()
    for at in random.integers(0, 4000, 75):
        changed = bytearray(whole)
        changed[at] ^= 1 << random.integers(8)
        path.write_bytes(changed)
        try:
            explorer.load(f"folder:{elmo}")
        except FormatError as error:
            assert error.hint


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("char_cnn", "filters", []),
        ("char_cnn", "filters", [[1, 0]]),
        ("char_cnn", "filters", [[1, -3]]),
        ("char_cnn", "n_highway", -1),
        ("char_cnn", "n_highway", 10**9),
        ("lstm", "cell_clip", -1),
        ("lstm", "proj_clip", -0.5),
        ("lstm", "n_layers", True),
        ("lstm", "use_skip_connections", "yes"),
    ],
)
def test_options_that_cannot_be(elmo, part, key, value):
    path = elmo / "options.json"
    options = json.loads(path.read_text())
    options[part][key] = value
    path.write_text(json.dumps(options))
    assert key in refused(elmo, FormatError).message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("layer_norm_epsilon", -1),
        ("layer_norm_epsilon", float("nan")),
        ("layer_norm_epsilon", float("inf")),
        ("n_layer", True),
        ("n_embd", 0),
        ("n_positions", -4),
        ("n_inner", 10**12),
        ("tie_word_embeddings", "no"),
    ],
)
def test_the_field_is_named_as_the_file_names_it(gpt, key, value):
    configure(gpt, **{key: value})
    assert key in refused(gpt, FormatError).message


@pytest.mark.parametrize(
    "tensor",
    [
        torch.zeros(35, dtype=torch.int8),
        torch.zeros(35, dtype=torch.bool),
        torch.zeros(35, dtype=torch.complex64),
        torch.tensor(1.0),
        torch.zeros(0),
    ],
    ids=["int8", "bool", "complex", "one number", "empty"],
)
@pytest.mark.parametrize("name", ["bert.pooler.dense.bias", "bert.encoder.layer.0.attention.self.key.bias"])
def test_parameters_of_another_kind(bert, tensor, name):
    rewrite(bert, lambda tensors: tensors | {name: tensor})
    assert (
        "key.bias" in (message := refused(bert, FormatError).message)
        or "pooler" in message
        or "query" in message
    )


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_a_configuration_nested_deeply(bert, name):
    (bert / name).write_text('{"a":' * 50_000 + "1" + "}" * 50_000)
    refused(bert, FormatError)


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", "SHA256SUMS"])
def test_files_that_are_not_utf8(bert, name):
    (bert / name).write_bytes(b"\xff\xfe{}")
    refused(bert, FormatError)


def test_files_larger_than_they_are(bert):
    with (bert / "config.json").open("r+b") as file:
        file.truncate(20_000_000)
    assert "larger than" in refused(bert, FormatError).message
    (bert / "config.json").unlink()


def test_ids_beyond_the_model(gpt):
    vocab = json.loads((gpt / "vocab.json").read_text(encoding="utf-8"))
    del vocab["<|endoftext|>"]
    (gpt / "vocab.json").write_text(json.dumps(vocab | {"<|endoftext|>": 5000}), encoding="utf-8")
    assert "5001 tokens" in refused(gpt, FormatError).message


def test_a_vocabulary_that_lacks_its_marks(bert):
    (bert / "vocab.txt").write_text("\n".join(tiny.VOCABULARY).replace("[CLS]", "[cls]"), encoding="utf-8")
    assert "lack [CLS]" in refused(bert, FormatError).message


def test_a_tokenizer_without_a_token_for_what_it_lacks(bert):
    from tokenizers import Tokenizer

    from explorer.tokenizers import read_tokenizer

    made = json.loads(read_tokenizer(bert).backend.to_str())
    made["model"]["unk_token"] = "[NONE]"
    (bert / "tokenizer.json").write_text(json.dumps(made), encoding="utf-8")
    Tokenizer.from_str(json.dumps(made))  # the library itself sees nothing wrong yet
    assert "tokenizer files" in refused(bert, FormatError).message


def test_an_index_that_names_other_files(bert):
    (bert / "model.safetensors").rename(bert / "weights.hdf5")
    (bert / "model.safetensors.index.json").write_text('{"weight_map": {"a": "weights.hdf5"}}')
    refused(bert, FormatError)
