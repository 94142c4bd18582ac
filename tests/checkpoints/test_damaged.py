"""Damaged and hostile files: refused by what is wrong with them, before they cost memory."""

import json

import pytest
import torch

from explorer.errors import FormatError
from tests import tiny
from tests.checkpoints.folders import configure, rewrite
from tests.checkpoints.refusal import refused
from tests.models import bilm


@pytest.fixture
def elmo(tmp_path):
    bilm.write(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("char_cnn", "filters", []), ("char_cnn", "filters", [[1, 0]]), ("char_cnn", "filters", [[1, -3]]),
        ("char_cnn", "n_highway", -1), ("char_cnn", "n_highway", 10**9), ("lstm", "cell_clip", -1),
        ("lstm", "proj_clip", -0.5), ("lstm", "n_layers", True), ("lstm", "use_skip_connections", "yes"),
    ],
)  # fmt: skip
def test_options_that_cannot_be(elmo, part, key, value):
    options = json.loads((elmo / "config.json").read_text())
    configure(elmo, **{part: options[part] | {key: value}})
    assert key in refused(elmo, FormatError).message


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
