"""What is not as the hub has it, and certain all the same: it loads, as if it were."""

import json
import shutil
from pathlib import Path

import pytest
import torch

import explorer
from explorer.checkpoints.generation_note import NEUTRAL
from explorer.errors import FormatError, NotFoundError
from explorer.trace import Ability
from tests import encoders, tiny
from tests.checkpoints.folders import TEXT, configure, rewrite, same_as
from tests.checkpoints.refusal import refused

MODEL_FILES = ["model.safetensors", "vocab.txt", "tokenizer_config.json", "config.json"]
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 440449768\n"


@pytest.mark.parametrize(
    "prefix", ["module.", "_orig_mod.", "model.", "0.auto_model.", "module._orig_mod.model.", "net."]
)
def test_a_prefix_on_all_names_is_taken_off(bert, gpt, tiny_bert, tiny_gpt, prefix):
    for folder, model in ((bert, tiny_bert), (gpt, tiny_gpt)):
        rewrite(folder, lambda tensors: {prefix + name: tensor for name, tensor in tensors.items()})
        assert same_as(folder, model)


def test_two_networks_in_one_file_are_not_taken_for_one(bert):
    rewrite(
        bert,
        lambda tensors: {side + n: t.clone() for side in ("query.", "text.") for n, t in tensors.items()},
    )
    assert "missing" in refused(bert, FormatError).message


@pytest.mark.parametrize(
    ("name", "shape", "said"),
    [
        ("linear.weight", (128, 35), "linear"),
        ("crf.transitions", (9, 9), "crf"),
        ("scale", (1,), "scale"),
        ("a`\n![x](//b)`.c", (1,), "a’ ![x](//b)’"),
    ],
)
@pytest.mark.parametrize("head", ["BertForPreTraining", "BertModel"])
def test_a_matrix_on_top_is_left_out_and_said(tmp_path, monkeypatch, head, name, shape, said):
    from explorer.server import memory
    from explorer.views.frame import page

    tiny.write_bert(tmp_path, head=head)
    rewrite(tmp_path, lambda tensors: tensors | {name: torch.ones(shape)})
    model = explorer.load(tmp_path)
    assert model.left_out == (name,)
    monkeypatch.setitem(memory._models, str(model.checkpoint), model)
    assert f"left out: `{said}`" in page.card(str(model.checkpoint))


def test_a_head_for_multiple_choice_is_left_out(tmp_path):
    encoders.write("electra", tmp_path, head="ElectraForMultipleChoice")
    assert "sequence_summary.summary.weight" in explorer.load(tmp_path).left_out


def test_a_matrix_in_a_layer_is_refused_and_a_renamed_one_too(bert):
    rewrite(bert, lambda tensors: tensors | {"bert.encoder.layer.0.adapter.weight": torch.ones(2)})
    result = refused(bert, FormatError)
    assert "(unexpected: encoder.layer.0.adapter.weight)" in result.message and "variant" in result.hint
    rewrite(
        bert,
        lambda tensors: {
            n.replace("intermediate.dense.", "intermediate.other."): t for n, t in tensors.items()
        },
    )
    assert "missing: encoder.layer.0.intermediate.dense.weight" in refused(bert, FormatError).message


@pytest.mark.parametrize("value", ["false", "False", " FALSE ", 0])
def test_a_boolean_written_as_text_is_what_it_says(tmp_path, value):
    tiny.write_bert(tmp_path, tie_word_embeddings=False)
    configure(tmp_path, tie_word_embeddings=False)
    plain = explorer.load(tmp_path)
    configure(tmp_path, tie_word_embeddings=value, is_decoder=value)
    assert same_as(tmp_path, plain)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("tie_word_embeddings", "no", "gives tie_word_embeddings as 'no'"),
        ("vocab_size", "97", "gives vocab_size as '97'"),
        ("layer_norm_eps", "1e-12", "gives layer_norm_eps as '1e-12'"),
    ],
)
def test_what_is_neither_is_refused_by_name(bert, key, value, says):
    configure(bert, **{key: value})
    assert says in refused(bert, FormatError).message


@pytest.mark.parametrize(
    ("classes", "model_type"),
    [(["BertForPreTraining"], "bert"), (["BertModel", "BertForMaskedLM"], "bert"), ([], None), (["A"], None),
     (["BertModel", "GPT2Model"], None), (["BertGenerationEncoder"], None), (..., None)],
)  # fmt: skip
def test_a_model_type_is_read_off_the_classes_that_agree(bert, tiny_bert, classes, model_type):
    configure(bert, model_type=..., architectures=classes)
    if model_type:
        assert same_as(bert, tiny_bert)
    else:
        for nothing in (..., None):
            configure(bert, model_type=nothing)
            result = refused(bert, FormatError)
            assert "has no model_type" in result.message and "docs/own-model.md" in result.hint
            assert '"model_type": "bert"' in result.hint


@pytest.mark.parametrize(
    ("model_type", "near"),
    [("deberta-v2", "FacebookAI/roberta-base"), ("mixtral", "SmolLM2"), ("t5", "Helsinki-NLP")],
)
def test_the_nearest_model_is_named(bert, model_type, near):
    configure(bert, model_type=model_type)
    assert near in refused(bert, FormatError).hint


@pytest.mark.parametrize("inner", ["checkpoint-500", "0_Transformer", "bert-base", "snapshots/aaaa"])
def test_the_only_model_inside_a_folder_is_taken(bert, tmp_path, inner):
    outer = tmp_path / "outer"
    shutil.copytree(bert, outer / inner)
    (outer / "1_Pooling").mkdir()
    (outer / "1_Pooling" / "config.json").write_text('{"word_embedding_dimension": 35}')
    modules = [{"path": "0_Transformer"}, {"path": "1_Pooling"}]
    (outer / "modules.json").write_text(json.dumps(modules))
    assert Ability.FILL in explorer.load(outer).abilities


def test_of_several_models_inside_a_folder_the_last_is_named(bert, tmp_path):
    for number in (500, 1500, 1000):
        shutil.copytree(bert, tmp_path / "run" / f"checkpoint-{number}")
    assert refused(tmp_path / "run", NotFoundError).hint.endswith("checkpoint-1500.")
    cache = tmp_path / "models--org--tiny"
    for name in ("aaaa", "bbbb"):
        shutil.copytree(bert, cache / "snapshots" / name)
    assert "snapshots/" in refused(cache, NotFoundError).hint
    (cache / "refs").mkdir()
    (cache / "refs" / "main").write_text("bbbb")
    assert Ability.FILL in explorer.load(cache).abilities
    (tmp_path / "hub").mkdir()
    cache.rename(tmp_path / "hub" / cache.name)
    assert "hub:org/tiny" in refused(tmp_path / "hub", NotFoundError).hint


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("model.safetensors.incomplete", "is not complete"),
        ("flax_model.msgpack", "only those of Flax"),
        ("onnx/model.onnx", "only those of ONNX"),
        ("tf_model.h5", "only those of TensorFlow"),
        ("training_args.bin", "has no model.safetensors"),
        ("weights.safetensors", "has no model.safetensors"),
    ],
)
def test_weights_that_are_not_read_are_named(bert, file, says):
    (bert / file).parent.mkdir(exist_ok=True)
    (bert / "model.safetensors").rename(bert / file)
    with pytest.raises((FormatError, NotFoundError), match=says):
        explorer.load(bert)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        *((name, POINTER, f"{name} in bert is a Git LFS pointer, not.*git lfs pull") for name in MODEL_FILES),
        ("model.safetensors", b"", "is empty, and not safetensors"),
        ("model.safetensors", b"\0" * 99, "is filled with zeros"),
        ("model.safetensors", b"PK\x03\x04" + bytes(22) + b"\x10\0\0\0archive/data.pkl", "a file of PyTorch"),
        ("model.safetensors", b"<!doctype html>", "is a web page"),
        ("model.safetensors", b"GGUF", "is a GGUF file"),
        ("config.json", b"<html>", "is a web page .* and not JSON"),
        ("model.safetensors", b"Entry not found", "is a server’s answer"),
        ("model.safetensors", b"Invalid username or password.", "is a server’s answer"),
        ("config.json", b"Access to model a/b is restricted. You must be logged in.", "is a server’s answer"),
        ("config.json", b'{"error": "Repository not found"}', "is a server’s answer"),
        ("config.json", "{}".encode("utf-16"), "is UTF-16"),
        ("config.json", b'{"model_type": "bert", "quantization_config": {"quant_method": "gptq"}}', "(gptq)"),
        ("config.json", b"\x1f\x8b\x08", "is a gzip archive"),
        ("vocab.txt", b'{"the": 0}', "is JSON"),
        ("vocab.txt", b"\x80\x04\x95", "is a pickle"),
    ],
)
def test_a_file_of_another_kind_is_named_before_damage_is(bert, name, content, says):
    (bert / name).write_bytes(content)
    with pytest.raises(FormatError, match=says) as caught:
        explorer.load(bert)
    assert caught.value.hint and "damaged" not in str(caught.value)


@pytest.mark.parametrize(
    ("family", "name"),
    [("albert", "spiece.model"), ("xlm-roberta", "sentencepiece.bpe.model"), ("roberta", "merges.txt")],
)
def test_a_pointer_in_place_of_a_tokenizers_file(tmp_path, family, name):
    encoders.write(family, tmp_path)
    (tmp_path / "tokenizer.json").unlink(missing_ok=True)
    (tmp_path / name).write_bytes(POINTER)
    assert f"{name} in {tmp_path.name} is a Git LFS pointer" in refused(tmp_path, FormatError).message


def test_an_adapter_beside_a_configuration_is_one_too(bert):
    (bert / "adapter_config.json").write_text('{"base_model_name_or_path": "google-bert/bert-base-uncased"}')
    (bert / "model.safetensors").rename(bert / "adapter_model.safetensors")
    assert "adapter (LoRA) for google-bert/bert-base-uncased" in refused(bert, FormatError).message


@pytest.mark.parametrize("spelling", ["BERT", "Bert"])
def test_a_model_type_in_capitals_is_that_type(bert, tiny_bert, spelling):
    configure(bert, model_type=spelling)
    assert same_as(bert, tiny_bert)


@pytest.mark.parametrize(
    ("model_type", "classes", "says"),
    [
        ("bert", ["RobertaForMaskedLM"], "model_type “bert”, but “architectures” name a class of roberta"),
        ("gpt2", ["BertModel"], "model_type “gpt2”, but “architectures” name a class of bert"),
        ("distilbert", None, "model_type “distilbert”, but its weights are called “bert.…”"),
    ],
)
def test_a_model_type_that_contradicts_is_refused(bert, model_type, classes, says):
    sizes = {"dim": 35, "n_layers": 3, "n_heads": 5, "hidden_dim": 53}
    configure(bert, model_type=model_type, architectures=classes or ..., **sizes)
    assert says in refused(bert, FormatError).message


def test_a_class_of_the_same_kind_contradicts_nothing(tmp_path):
    encoders.write("xlm-roberta", tmp_path)
    configure(tmp_path, architectures=["RobertaForMaskedLM"])
    assert Ability.FILL in explorer.load(tmp_path).abilities


@pytest.mark.parametrize("ending", ["aria2", "part", "crdownload"])
def test_a_download_beside_its_file_is_named(bert, ending):
    (bert / f"model.safetensors.{ending}").write_bytes(b"")
    result = refused(bert, NotFoundError)
    assert f"model.safetensors.{ending} is in" in result.message and "delete" in result.hint


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", "tokenizer_config.json"])
def test_a_byte_order_mark_is_no_part_of_a_file(bert, tiny_bert, name):
    content = (bert / name).read_bytes() if (bert / name).exists() else b"{}"
    (bert / name).write_bytes(b"\xef\xbb\xbf" + content)
    assert same_as(bert, tiny_bert)


@pytest.mark.parametrize("name", ["vocab.json", "merges.txt"])
def test_a_byte_order_mark_is_no_part_of_gpts_files(tmp_path, name):
    tiny.write_gpt(tmp_path)
    ids = explorer.load(tmp_path).encode(TEXT).ids
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + (tmp_path / name).read_bytes())
    assert torch.equal(explorer.load(tmp_path).encode(TEXT).ids, ids)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "vocab.txt"])
@pytest.mark.parametrize("target", ["gone", None])
def test_a_link_that_leads_nowhere_is_named(bert, name, target):
    (bert / name).unlink()
    (bert / name).symlink_to(target or name)
    assert f"{name} is a link to" in refused(bert, FormatError).message


def test_a_configuration_without_weights_leads_to_the_model_inside(bert, tmp_path):
    shutil.copytree(bert, tmp_path / "run" / "checkpoint-500")
    shutil.copy(bert / "config.json", tmp_path / "run")
    assert refused(tmp_path / "run", NotFoundError).hint.endswith("checkpoint-500.")


def test_a_list_of_modules_beside_a_version_leads_to_its_model(bert, tmp_path):
    shutil.copytree(bert, tmp_path / "outer" / "0_Transformer")
    (tmp_path / "outer" / "config.json").write_text('{"__version__": "2.0.0"}')
    (tmp_path / "outer" / "modules.json").write_text('[{"path": "0_Transformer"}]')
    assert Ability.FILL in explorer.load(tmp_path / "outer").abilities


def test_shards_without_an_index_are_named(bert):
    (bert / "model.safetensors").rename(bert / "model-00001-of-00002.safetensors")
    assert "no model.safetensors.index.json" in refused(bert, NotFoundError).message


def test_a_matrix_of_zeros_is_said(bert):
    assert explorer.load(bert).notes == ()
    name = "bert.encoder.layer.1.output.dense.weight"
    rewrite(bert, lambda tensors: tensors | {name: torch.zeros_like(tensors[name])})
    assert "All numbers are zero in" in explorer.load(bert).notes[0]


def test_a_name_too_long_for_a_path_is_no_path():
    assert "No checkpoint called" in refused("b" * 5000, NotFoundError).message


def test_vectors_beside_a_models_folder_are_the_vectors(bert, tmp_path):
    shutil.copytree(bert, tmp_path / "outer" / "bert")
    (tmp_path / "outer" / "v.txt").write_text("the 0 1\nof 1 0\n")
    assert explorer.load(tmp_path / "outer").abilities == Ability.VECTORS


def test_an_adapters_own_file_leads_to_its_folder(tmp_path):
    (tmp_path / "adapter_config.json").write_text('{"base_model_name_or_path": "openai-community/gpt2"}')
    (tmp_path / "adapter_model.safetensors").write_bytes(b"")
    assert f"folder:{tmp_path}" in refused(tmp_path / "adapter_model.safetensors", FormatError).hint
    (tmp_path / "adapter_model.safetensors").unlink()
    result = refused(tmp_path, FormatError)
    assert "adapter (LoRA) for openai-community/gpt2" in result.message and "Merge" in result.hint


def test_spellings_of_a_path(bert, tmp_path, monkeypatch):
    place = bert.rename(tmp_path / "a folder")
    monkeypatch.chdir(tmp_path)
    for name in (
        f'folder:"{place}"',
        f"'{place}",
        f"{place}'",
        "folder:a\\ folder",
        place.as_uri(),
        "./a folder",
    ):
        assert Ability.FILL in explorer.load(name).abilities
    assert "write folder:a folder" in refused("a folder", NotFoundError).hint.lower()
    Path("org").mkdir()
    place.rename("org/name")
    hint = refused("org/name", NotFoundError).hint
    assert "folder:org/name" in hint and "hub:org/name" in hint


@pytest.mark.slow
def test_each_field_of_generation_config_is_said_or_changes_no_probability():
    from transformers import GenerationConfig

    fields = {
        name for name in vars(GenerationConfig()) if not name.startswith(("_", "assistant_", "output_"))
    }
    others = """
    temperature top_k top_p do_sample early_stopping num_return_sequences num_beam_groups stop_strings
    max_length max_new_tokens max_time bos_token_id eos_token_id pad_token_id decoder_start_token_id
    use_cache cache_config cache_implementation max_cache_len compile_config disable_compile
    continuous_batching_config low_memory prefill_chunk_size return_dict_in_generate
    transformers_version remove_invalid_values renormalize_logits token_healing is_assistant
    num_assistant_tokens num_assistant_tokens_schedule max_matching_ngram_size
    prompt_lookup_num_tokens speculation_type target_lookbehind use_mtp"""
    assert fields == {*NEUTRAL, *others.split()}


def test_what_writing_is_asked_for_beside_the_models_own_probabilities_is_said(gpt):
    asked = {"repetition_penalty": 1.8, "no_repeat_ngram_size": 2, "bad_words_ids": [[3]], "temperature": 0.7}
    neutral = {"length_penalty": 1.0, "num_beams": 1, "min_length": 0, "suppress_tokens": None}
    (gpt / "generation_config.json").write_text(json.dumps(asked | neutral))
    (note,) = explorer.load(gpt).notes
    assert "repetition_penalty 1.8, no_repeat_ngram_size 2, bad_words_ids; here" in note
    (gpt / "generation_config.json").write_text(json.dumps(neutral))
    assert not explorer.load(gpt).notes
