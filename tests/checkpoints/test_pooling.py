"""How a folder says that a model pools: the files of sentence-transformers, old, new and damaged."""

import json
import shutil

import pytest

import explorer
from explorer.analysis import sentences
from explorer.checkpoints.pooling import SETTINGS, read_pooling
from explorer.checkpoints.pooling import STEPS as STEP_KINDS
from explorer.errors import AbilityError, FormatError
from explorer.models.pooling import Normalise, Pooling

STEPS = [
    {"path": "", "type": "sentence_transformers.models.Transformer"},
    {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
]
LIMIT = None
NORMALISED = [*STEPS, {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]


def write(folder, steps=STEPS, pooling=None, **others) -> None:
    (folder / "modules.json").write_text(json.dumps(steps))
    if pooling is not None:
        (folder / "1_Pooling").mkdir(exist_ok=True)
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    for name, content in others.items():
        (folder / f"{name}.json").write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("config", "mode"),
    [
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, "mean"),
        ({"pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}, "cls"),
        ({"pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode": "lasttoken"}, "lasttoken"),
        ({"pooling_mode": ["cls"]}, "cls"),
        ({}, "mean"),
    ],
)
def test_the_pooling_is_the_one_that_the_files_name(bert, config, mode):
    write(bert, NORMALISED, config)
    assert explorer.load(bert).pooling == Pooling((mode,), (Normalise(),), limit=LIMIT)
    write(bert, STEPS, config)
    assert read_pooling(bert) == Pooling((mode,), limit=LIMIT)


def test_length_and_prompts_are_read(bert):
    prompts = {"query": "query: ", "passage": "passage: "}
    write(
        bert,
        STEPS,
        {},
        sentence_bert_config={"max_seq_length": 12},
        config_sentence_transformers={"prompts": prompts},
    )
    assert read_pooling(bert) == Pooling(limit=12, prompts=prompts)


def test_the_model_may_stand_in_a_folder_of_its_own(bert, tmp_path):
    outer = tmp_path / "encoder"
    shutil.copytree(bert, outer / "0_Transformer")
    write(outer, [{**STEPS[0], "path": "0_Transformer"}, STEPS[1]], {"pooling_mode": "cls"})
    assert explorer.load(outer).pooling == Pooling(("cls",), limit=LIMIT)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"pooling": {"pooling_mode": "median"}}, "the pooling median"),
        ({"steps": [*STEPS, {"path": "2_CNN", "type": "sentence_transformers.models.CNN"}]}, "CNN"),
        ({"steps": [*STEPS, {"path": "2_X", "type": "own_code.Whitening"}]}, "own_code.Whitening"),
        ({"steps": [*STEPS, {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]}, "Dense"),
        ({"sentence_bert_config": {"transformer_task": "fill-mask"}}, "transformer_task"),
        ({"sentence_bert_config": {"modality_config": {"message": {}}}}, "modality_config"),
        ({"sentence_bert_config": {"module_output_name": "sentence_embedding"}}, "module_output_name"),
        ({"sentence_bert_config": {"processing_kwargs": {"text": {"max_length": 3}}}}, "processing_kwargs"),
        ({"sentence_bert_config": {"query_length": 32}}, "query_length"),
        ({"sentence_bert_config": {"document_length": 32}}, "document_length"),
        ({"sentence_bert_config": {"query_expansion": {"length": 32}}}, "query_expansion"),
        ({"sentence_bert_config": {"tokenizer_name_or_path": "other"}}, "tokenizer_name_or_path"),
        ({"sentence_bert_config": {"config_args": {"hidden_act": "relu"}}}, "hidden_act"),
        ({"config_sentence_transformers": {"model_type": "SparseEncoder"}}, "model_type SparseEncoder"),
    ],
)
def test_what_is_not_computed_is_refused_by_name_where_a_vector_is_asked_for(bert, changes, name):
    write(bert, **changes)
    model = explorer.load(bert)
    assert any(name in note for note in model.notes)
    with pytest.raises(AbilityError, match=name):
        sentences.embed(model, ["a text"])


def test_another_likeness_than_the_cosine_is_said(bert):
    write(bert, STEPS, {}, config_sentence_transformers={"similarity_fn_name": "dot"})
    assert any("similarity_fn_name “dot”" in note for note in explorer.load(bert).notes)


def test_another_precision_is_said(bert):
    write(bert, STEPS, {}, sentence_bert_config={"model_args": {"torch_dtype": "float16"}})
    assert "float16" in read_pooling(bert).note


def test_vectors_of_single_tokens_are_named_for_what_they_are(tmp_path):
    write(tmp_path, [{"path": "", "type": "sentence_transformers.models.StaticEmbedding"}])
    (tmp_path / "model.safetensors").touch()
    with pytest.raises(FormatError, match=r"StaticEmbedding.*one vector a token"):
        explorer.load(tmp_path)


def test_the_length_is_the_tokenizers_where_no_other_is_written(bert):
    write(bert, STEPS, {})
    for key in ("model_max_length", "max_len"):
        (bert / "tokenizer_config.json").write_text(json.dumps({key: 7}))
        assert read_pooling(bert).limit == 7


@pytest.mark.slow
def test_each_setting_that_the_library_reads_or_writes_is_settled():
    import inspect

    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Dense, Normalize, Transformer
    from sentence_transformers.sentence_transformer import modules

    kinds = {
        name for name, kind in vars(modules).items() if inspect.isclass(kind) and hasattr(kind, "config_keys")
    }
    assert kinds - {"Module", "InputModule"} <= set(STEP_KINDS)
    texts = {*Transformer.config_keys, *inspect.signature(Transformer.__init__).parameters}
    assert texts - {"self", "model_name_or_path", "backend"} <= set(SETTINGS["sentence_bert_config.json"])
    for kind in (Dense, Normalize, modules.Pooling, modules.LayerNorm, modules.Dropout):
        keys = {*kind.config_keys, *getattr(kind, "config_key_renames", {})}
        assert keys <= set(SETTINGS[kind.__name__]), kind
    written = SentenceTransformer(modules=[modules.Dropout()])._get_model_config()
    assert {*written, "truncate_dim"} <= set(SETTINGS["config_sentence_transformers.json"])


@pytest.mark.parametrize("text", ["", "{", "[1, null]", '{"a": 1}', "[" * 100_000])
def test_damaged_files_leave_the_mean_and_the_model(bert, text):
    (bert / "modules.json").write_text(text)
    (bert / "sentence_bert_config.json").write_text(text)
    assert explorer.load(bert).pooling.modes == ("mean",) and read_pooling(bert).note


def test_no_path_leads_out_of_the_folder(bert, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "config.json").write_text('{"pooling_mode": "cls"}')
    write(bert, [STEPS[0], {**STEPS[1], "path": "../outside"}])
    assert read_pooling(bert).modes == ("mean",)


def test_a_model_without_a_list_of_steps_says_nothing(bert):
    assert read_pooling(bert) is None and explorer.load(bert).pooling is None
