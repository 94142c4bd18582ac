"""Folders in the hub's format: the many spellings of the same weights, and files that are no model."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

import explorer
from explorer.checkpoints.format import write_model
from explorer.errors import CheckpointError, FormatError, NotFoundError, SizeError
from explorer.models import FAMILIES
from explorer.trace import Ability
from tests import tiny
from tests.models import reference

TEXT = "we saw light on the water"


@pytest.fixture
def bert(bert_folder, tmp_path) -> Path:
    """A copy of the tiny BERT to change."""
    return shutil.copytree(bert_folder, tmp_path / "bert")


@pytest.fixture
def gpt(gpt_folder, tmp_path) -> Path:
    """A copy of the tiny GPT-2 to change."""
    return shutil.copytree(gpt_folder, tmp_path / "gpt")


def rewrite(folder: Path, change) -> None:
    """Replace the weights by `change(tensors)`."""
    path = folder / "model.safetensors"
    tensors = change(load_file(path))
    save_file({name: tensor.contiguous().clone() for name, tensor in tensors.items()}, path)


def configure(folder: Path, **changes) -> None:
    """Change config.json; a value of ... takes the key away."""
    path = folder / "config.json"
    raw = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({key: value for key, value in raw.items() if value is not ...}))


def renamed(*pairs: tuple[str, str]):
    def change(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        result = {}
        for name, tensor in tensors.items():
            for old, new in pairs:
                name = name.replace(old, new)
            result[name] = tensor
        return result

    return change


def same_as(folder: Path, model) -> bool:
    ours, wanted = explorer.load(f"folder:{folder}").trace(TEXT), model.trace(TEXT)
    return torch.equal(ours.hidden_states, wanted.hidden_states) and torch.equal(ours.logits, wanted.logits)


def refused(folder: Path | str, kind: type[CheckpointError]) -> CheckpointError:
    with pytest.raises(CheckpointError) as caught:
        explorer.load(f"folder:{folder}")
    assert type(caught.value) is kind, caught.value
    assert caught.value.message and caught.value.hint
    return caught.value


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
    wanted = tiny_bert.trace(TEXT).hidden_states
    torch.testing.assert_close(model.trace(TEXT).hidden_states, wanted, atol=tolerance, rtol=tolerance)


def test_an_old_configuration_with_little_in_it(gpt, tiny_gpt):
    for key in ("layer_norm_epsilon", "activation_function", "tie_word_embeddings", "n_positions"):
        configure(gpt, **{key: ...})
    configure(gpt, n_ctx=67)
    assert same_as(gpt, tiny_gpt)


def test_what_is_written_is_read_back(tiny_bert, tiny_gpt, tmp_path):
    for model, name in ((tiny_bert, "bert"), (tiny_gpt, "gpt2")):
        folder = tmp_path / name
        write_model(folder, model.network, FAMILIES[name])
        (tiny.write_vocab if name == "bert" else tiny.write_merges)(folder)
        again = explorer.load(f"folder:{folder}")
        assert again.config == model.config and again.abilities == model.abilities
        for (key, ours), theirs in zip(
            again.network.state_dict().items(), model.network.state_dict().values(), strict=True
        ):
            assert torch.equal(ours, theirs.half().float()), key


def test_a_loaded_model_does_not_depend_on_its_files(bert, tiny_bert):
    model = explorer.load(f"folder:{bert}")
    (bert / "model.safetensors").write_bytes(b"")
    assert torch.equal(model.trace(TEXT).logits, tiny_bert.trace(TEXT).logits)
    assert not any(parameter.requires_grad for parameter in model.network.parameters())
    assert not model.network.training


# Files that are no model


def test_no_folder(tmp_path):
    assert "no folder" in refused(tmp_path / "absent", NotFoundError).message
    assert "config.json" in refused(tmp_path, NotFoundError).message


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00", '"bert"'])
def test_a_configuration_that_is_none(bert, content):
    (bert / "config.json").write_text(content)
    assert "config.json" in refused(bert, FormatError).message


@pytest.mark.parametrize("model_type", ["llama", "", None, ["bert"], ...])
def test_a_foreign_architecture(bert, model_type):
    configure(bert, model_type=model_type)
    error = refused(bert, FormatError)
    assert "does not read" in error.message and ", ".join(sorted(FAMILIES)) in error.hint


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("position_embedding_type", "relative_key"),
        ("is_decoder", True),
        ("add_cross_attention", True),
        ("hidden_act", "snake"),
        ("hidden_act", None),
        ("num_attention_heads", 4),
        ("num_attention_heads", 0),
        ("num_hidden_layers", -1),
        ("num_hidden_layers", 10**9),
        ("vocab_size", 10**12),
        ("vocab_size", "97"),
        ("hidden_size", None),
        ("hidden_size", 35.5),
        ("layer_norm_eps", "small"),
    ],
)
def test_a_bert_that_cannot_be_computed(bert, key, value):
    configure(bert, **{key: value})
    message = refused(bert, FormatError).message
    assert key in message or str(value) in message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("scale_attn_weights", False),
        ("scale_attn_by_inverse_layer_idx", True),
        ("reorder_and_upcast_attn", True),
        ("add_cross_attention", True),
        ("activation_function", "snake"),
        ("n_head", 4),
        ("n_embd", None),
        ("n_layer", ...),
    ],
)
def test_a_gpt_that_cannot_be_computed(gpt, key, value):
    configure(gpt, **{key: value})
    message = refused(gpt, FormatError).message
    assert key in message or str(value) in message or "no number" in message


def test_choices_left_open_are_the_usual_ones(bert, tiny_bert):
    configure(bert, position_embedding_type=None, is_decoder=None, torch_dtype="float32", unheard_of=3)
    assert same_as(bert, tiny_bert)


def test_weights_that_do_not_fit_are_listed(bert):
    def spoil(tensors):
        tensors["bert.encoder.layer.1.output.dense.weight"] = torch.zeros(35, 52)
        tensors["bert.encoder.layer.0.attention.self.key.weight"] = torch.zeros(35, 34)
        tensors["extra.weight"] = torch.zeros(1)
        del tensors["bert.pooler.dense.bias"]
        return tensors

    rewrite(bert, spoil)
    message = refused(bert, FormatError).message
    assert "missing: pooler.dense.bias" in message and "unexpected: extra.weight" in message
    assert "encoder.layer.1.output.dense.weight (35, 52), not (35, 53)" in message
    assert "encoder.layer.0.attention.self.query.weight" in message


@pytest.mark.parametrize("layers", [2, 4])
def test_the_wrong_number_of_layers(bert, layers):
    configure(bert, num_hidden_layers=layers)
    assert ("unexpected" if layers == 2 else "missing") in refused(bert, FormatError).message


def test_half_of_a_head_is_not_a_head(bert):
    rewrite(
        bert,
        lambda tensors: {n: t for n, t in tensors.items() if n != "cls.predictions.transform.dense.bias"},
    )
    assert "missing: cls.predictions.transform.dense.bias" in refused(bert, FormatError).message


def test_an_encoder_without_heads(bert):
    rewrite(
        bert, lambda tensors: {n: t for n, t in tensors.items() if ".pooler." not in n and "cls." not in n}
    )
    model = explorer.load(f"folder:{bert}")
    assert model.abilities == Ability.CONTEXT | Ability.ATTENTION
    assert model.trace(TEXT).logits is None


@pytest.mark.parametrize("length", [0, 7, 100, 5000, -1])
def test_truncated_weights(bert, length):
    path = bert / "model.safetensors"
    path.write_bytes(path.read_bytes()[:length])
    assert "model.safetensors" in refused(bert, FormatError).message


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers(bert, value):
    def spoil(tensors):
        tensors["bert.pooler.dense.bias"][3] = value
        return tensors

    rewrite(bert, spoil)
    assert "not finite" in refused(bert, FormatError).message


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "tf_model.h5"])
def test_pickles_are_never_opened(bert, name):
    (bert / "model.safetensors").rename(bert / name)
    assert "can run code" in refused(bert, FormatError).message


def test_no_weights_at_all(bert):
    (bert / "model.safetensors").unlink()
    assert "model.safetensors" in refused(bert, NotFoundError).message


@pytest.mark.parametrize(
    ("index", "kind"),
    [
        ("{", FormatError),
        ("{}", FormatError),
        ('{"weight_map": []}', FormatError),
        ('{"weight_map": {"a": "../bert/vocab.txt"}}', FormatError),
        ('{"weight_map": {"a": "model-00001-of-00002.safetensors"}}', NotFoundError),
    ],
)
def test_an_index_that_leads_nowhere(bert, index, kind):
    (bert / "model.safetensors").unlink()
    (bert / "model.safetensors.index.json").write_text(index)
    refused(bert, kind)


def test_no_tokenizer(bert):
    (bert / "vocab.txt").unlink()
    assert "tokenizer" in refused(bert, NotFoundError).message


def test_a_tokenizer_of_another_model(bert):
    with (bert / "vocab.txt").open("a", encoding="utf-8") as file:
        file.write("more\nwords\n")
    assert "99 tokens" in refused(bert, FormatError).message


def test_weights_over_the_limit(bert, monkeypatch):
    monkeypatch.setenv("RIVERBANK_MAX_WEIGHT_GB", "0.0001")
    assert "RIVERBANK_MAX_WEIGHT_GB" in refused(bert, SizeError).hint


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
