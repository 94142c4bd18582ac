"""Folders that are no model: each is refused with a message and a next step."""

import json

import pytest
import torch

import explorer
from explorer.checkpoints import model_folder
from explorer.errors import FormatError, NotFoundError, SizeError
from explorer.trace import Ability
from tests import decoders
from tests.checkpoints.folders import TEXT, configure, rewrite, same_as
from tests.checkpoints.refusal import refused


def test_no_folder(tmp_path):
    assert "no folder or file" in refused(tmp_path / "absent", NotFoundError).message
    assert "config.json" in refused(tmp_path, NotFoundError).message


def test_a_folder_of_very_many_files_is_not_looked_through(tmp_path, monkeypatch):
    monkeypatch.setattr(model_folder, "MOST_ENTRIES", 2)
    for name in "abc":
        (tmp_path / name).touch()
    assert "more than 2 files" in refused(tmp_path, NotFoundError).message


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("consolidated.safetensors params.json tekken.json", "Mistral’s own form"),
        ("consolidated-00001-of-00009.safetensors config.json", "Mistral’s own form"),
        ("consolidated.00.pth consolidated.01.pth params.json tokenizer.model", "Meta’s own form, pickles"),
        ("ckpt.pt meta.pkl", "nanoGPT"),
        ("model.pt dict.txt", "pickles"),
        ("last.ckpt hparams.yaml", "pickles"),
        ("bert_model.ckpt.index bert_config.json vocab.txt", "TensorFlow"),
        ("weights.npz config.json tokenizer.json", "MLX"),
    ],
)
def test_a_folder_in_another_form_says_which(tmp_path, names, said):
    for name in names.split():
        (tmp_path / name).write_text('{"model_type": "llama"}' if name == "config.json" else "the 1")
    assert said in refused(tmp_path, FormatError).message


def test_weights_without_a_configuration_say_what_to_put_beside_them(bert):
    (bert / "config.json").unlink()
    assert "beside model.safetensors" in refused(bert, NotFoundError).hint


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00", '"bert"'])
def test_a_configuration_that_is_none(bert, content):
    (bert / "config.json").write_text(content)
    assert "config.json" in refused(bert, FormatError).message


@pytest.mark.parametrize("model_type", ["mamba", "", ["bert"]])
def test_a_foreign_architecture(bert, model_type):
    configure(bert, model_type=model_type)
    error = refused(bert, FormatError)
    assert "does not read" in error.message and "docs/own-model.md" in error.hint


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("position_embedding_type", "relative_key"), ("is_decoder", True), ("add_cross_attention", True),
        ("hidden_act", "snake"), ("hidden_act", None), ("num_attention_heads", 4),
        ("num_attention_heads", 0), ("num_hidden_layers", -1), ("num_hidden_layers", 10**9),
        ("vocab_size", 10**12), ("hidden_size", None), ("hidden_size", 35.5),
    ],
)  # fmt: skip
def test_a_bert_that_cannot_be_computed(bert, key, value):
    configure(bert, **{key: value})
    message = refused(bert, FormatError).message
    assert key in message or str(value) in message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("scale_attn_weights", False), ("scale_attn_by_inverse_layer_idx", True),
        ("add_cross_attention", True), ("activation_function", "snake"), ("n_head", 4), ("n_embd", None),
        ("n_embd", 0), ("n_layer", ...), ("n_layer", True), ("n_positions", -4), ("n_inner", 10**12),
        ("tie_word_embeddings", "no"),
        *(("layer_norm_epsilon", value) for value in (-1, float("nan"), float("inf"))),
    ],
)  # fmt: skip
def test_a_gpt_that_cannot_be_computed(gpt, key, value):
    configure(gpt, **{key: value})
    said = {"snake": "snake", 4: "4", None: "not a number"}.get(value, key)
    assert said in refused(gpt, FormatError).message


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
        ('{"weight_map": {"a": "vocab.txt"}}', FormatError),
        ('{"weight_map": {"a": "../bert/vocab.txt"}}', FormatError),
        ('{"weight_map": {"a": "../bert/model-00001-of-00002.safetensors"}}', FormatError),
        ('{"weight_map": {"a": "model-00001-of-00002.safetensors"}}', NotFoundError),
    ],
)
def test_an_index_that_leads_nowhere(bert, index, kind):
    (bert / "model.safetensors").unlink()
    (bert / "model.safetensors.index.json").write_text(index)
    refused(bert, kind)


@pytest.mark.parametrize(
    "rope", [{"rope_theta": 0}, {"rope_type": "linear", "factor": 0, "rope_theta": 10_000}]
)
def test_angles_that_cannot_be_computed(rope, tmp_path):
    decoders.write("llama", tmp_path)
    configure(tmp_path, rope_parameters=rope)
    assert "must be above 0" in refused(tmp_path, FormatError).message


def test_a_token_that_was_added_without_a_row(gpt):
    added = json.dumps({"[PAD]": 293})
    (gpt / "added_tokens.json").write_text(added, encoding="utf-8")
    model = explorer.load(f"folder:{gpt}")
    assert model.tokenizer.rowless == ("[PAD]",)
    assert int(model.encode("the [PAD] bank").ids.max()) < 293
    frame = {"bos_token": "[PAD]", "add_bos_token": True}
    (gpt / "tokenizer_config.json").write_text(json.dumps(frame), encoding="utf-8")
    result = refused(gpt, FormatError)
    assert "294 tokens, its model only 293" in result.message
    assert "“[PAD]”" in result.hint and "resize_token_embeddings(294)" in result.hint


def test_no_tokenizer(bert):
    (bert / "vocab.txt").unlink()
    assert "tokenizer" in refused(bert, NotFoundError).message


def test_a_tokenizer_of_another_model(bert):
    with (bert / "vocab.txt").open("a", encoding="utf-8") as file:
        file.write("more\nwords\n")
    assert "99 tokens" in refused(bert, FormatError).message


def test_weights_over_the_limit(bert, monkeypatch):
    monkeypatch.setenv("RIVERBANK_MAX_WEIGHT_GB", "0.0001")
    error = refused(bert, SizeError)
    assert "the limit is 0.0001 GB" in error.message and "RIVERBANK_MAX_WEIGHT_GB" in error.hint
