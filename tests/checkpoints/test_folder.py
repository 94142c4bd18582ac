"""Folders in the hub's format: the many spellings of the same weights, and their checksums."""

import hashlib
import shutil
from pathlib import Path

import pytest
import torch

import explorer
from explorer.errors import FormatError, NotFoundError
from tests import decoders, tiny
from tests.checkpoints.folders import TEXT, configure, renamed, rewrite, same_as
from tests.checkpoints.refusal import refused
from tests.models import reference

# Spellings


@pytest.mark.parametrize(
    "pairs",
    [
        [("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")],
        [("bert.", "")],
        [("bert.", ""), ("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")],
        [("cls.predictions.bias", "cls.predictions.decoder.bias")],
    ],
)
def test_bert_under_other_names(bert, tiny_bert, pairs):
    rewrite(bert, renamed(*pairs))
    assert same_as(bert, tiny_bert)


def test_bert_with_buffers_and_its_tied_decoder_written_out(bert, tiny_bert):
    def add(tensors):
        embedding = tensors["bert.embeddings.word_embeddings.weight"]
        return tensors | {
            "bert.embeddings.position_ids": torch.arange(61)[None],
            "cls.predictions.decoder.weight": embedding.clone(),
            "cls.predictions.decoder.bias": tensors["cls.predictions.bias"].clone(),
        }

    rewrite(bert, add)
    assert same_as(bert, tiny_bert)


@pytest.mark.parametrize("folder", ["bert", "gpt"])
def test_the_files_decide_whether_the_head_is_tied(request, folder):
    """Two different matrices are two matrices, whatever the configuration says."""
    folder = request.getfixturevalue(folder)
    is_bert = folder.name == "bert"
    output = "cls.predictions.decoder.weight" if is_bert else "lm_head.weight"
    embedding = "bert.embeddings.word_embeddings.weight" if is_bert else "transformer.wte.weight"
    rewrite(folder, lambda tensors: tensors | {output: tensors[embedding].flip(0)})
    theirs = reference.load(folder, "BertForPreTraining" if is_bert else "GPT2LMHeadModel")
    trace = explorer.load(f"folder:{folder}").trace(TEXT)
    reference.assert_same(trace, reference.run(theirs, [trace.encoding])[0])


@pytest.mark.parametrize(
    "change",
    [
        renamed(("transformer.", "")),
        lambda tensors: tensors | {"lm_head.weight": tensors["transformer.wte.weight"].clone()},
        renamed(("transformer.wte.weight", "lm_head.weight")),
        lambda tensors: (
            tensors
            | {
                f"transformer.h.{i}.attn.{name}": torch.ones(1, 1, 67, 67).tril()
                for i in range(3)
                for name in ("bias", "masked_bias")
            }
        ),
    ],
    ids=["no prefix", "head written out", "head alone", "buffers"],
)
def test_gpt_under_other_names(gpt, tiny_gpt, change):
    rewrite(gpt, change)
    assert same_as(gpt, tiny_gpt)


def test_shards(tmp_path):
    model = tiny.write_gpt(tmp_path / "whole")
    model.save_pretrained(tmp_path / "shards", max_shard_size="30KB")
    tiny.write_merges(tmp_path / "shards")
    assert len(list((tmp_path / "shards").glob("*.safetensors"))) > 2
    assert same_as(tmp_path / "shards", explorer.load(f"folder:{tmp_path / 'whole'}"))


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float16, 2e-2), (torch.bfloat16, 1e-1)])
def test_half_precision_files_are_computed_in_full(bert, tiny_bert, dtype, tolerance):
    rewrite(bert, lambda tensors: {name: tensor.to(dtype) for name, tensor in tensors.items()})
    model = explorer.load(f"folder:{bert}")
    assert {p.dtype for p in model.network.parameters()} == {torch.float32}
    expected = tiny_bert.trace(TEXT).hidden_states
    torch.testing.assert_close(model.trace(TEXT).hidden_states, expected, atol=tolerance, rtol=tolerance)


def test_an_old_configuration_with_little_in_it(gpt, tiny_gpt):
    for key in ("layer_norm_epsilon", "activation_function", "tie_word_embeddings", "n_positions"):
        configure(gpt, **{key: ...})
    configure(gpt, n_ctx=67)
    assert same_as(gpt, tiny_gpt)


def test_a_loaded_model_does_not_depend_on_its_files(bert, tiny_bert):
    model = explorer.load(f"folder:{bert}")
    (bert / "model.safetensors").write_bytes(b"")
    assert torch.equal(model.trace(TEXT).logits, tiny_bert.trace(TEXT).logits)
    assert not any(parameter.requires_grad for parameter in model.network.parameters())
    assert not model.network.training


# Checksums


def sums(folder: Path, star: str = " ") -> None:
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()} {star}{path.name}\n"
        for path in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(lines))


@pytest.mark.parametrize("star", [" ", "*"])
def test_checksums_that_hold(bert, tiny_bert, star):
    sums(bert, star)
    (bert / "card.md").write_text("Files that no model is made of are not compared.")
    assert same_as(bert, tiny_bert)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "vocab.txt", "tokenizer_config.json"])
def test_one_flipped_bit_is_found(bert, name):
    sums(bert)
    content = bytearray((bert / name).read_bytes())
    content[len(content) // 2] ^= 1
    (bert / name).write_bytes(content)
    error = refused(bert, FormatError)
    assert name in error.message and "damaged" in error.message


def test_a_list_of_checksums_that_is_none(bert):
    (bert / "SHA256SUMS").write_text("no sums here\n")
    assert "SHA256SUMS" in refused(bert, FormatError).message


def test_a_mask_that_is_infinite_in_float16_is_no_damage(tmp_path):
    """GPT-Neo was once saved with -1e9 beside its weights."""
    decoders.write("gpt_neo", tmp_path, dtype=torch.float16)
    expected = explorer.load(tmp_path).network.state_dict()

    def add(tensors):
        name = "transformer.h.0.attn.attention.masked_bias"
        return tensors | {name: torch.tensor(-1e9).half()}

    rewrite(tmp_path, add)
    result = explorer.load(tmp_path).network.state_dict()
    assert all(torch.equal(result[name], expected[name]) for name in expected)


@pytest.mark.parametrize("name", ["other.safetensors", "../other.safetensors", "model.bin", 3])
def test_the_weights_are_those_that_the_configuration_names(bert, tiny_bert, name):
    shutil.copy(bert / "model.safetensors", bert / "other.safetensors")
    rewrite(bert, lambda tensors: {key: 0 * tensor for key, tensor in tensors.items()})
    configure(bert, transformers_weights=name)
    if name == "other.safetensors":
        assert same_as(bert, tiny_bert)
        (bert / name).unlink()
        assert name in refused(bert, NotFoundError).message
    else:
        assert "transformers_weights" in refused(bert, FormatError).message
