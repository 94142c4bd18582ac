"""How a folder says that a model pools: the files of sentence-transformers, old, new and damaged."""

import json
import shutil

import pytest

import explorer
from explorer.checkpoints.pooling import read_pooling
from explorer.models.pooling import Pooling

STEPS = [
    {"path": "", "type": "sentence_transformers.models.Transformer"},
    {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
]
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
    assert explorer.load(bert).pooling == Pooling(mode, normalised=True)
    write(bert, STEPS, config)
    assert read_pooling(bert) == Pooling(mode)


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
    assert explorer.load(outer).pooling == Pooling("cls")


@pytest.mark.parametrize("pooling", [{"pooling_mode": "weightedmean"}, {"pooling_mode": ["cls", "mean"]}])
def test_another_pooling_is_the_mean_and_is_said(bert, pooling):
    write(bert, STEPS, pooling)
    assert read_pooling(bert).mode == "mean" and "the mean takes its place" in read_pooling(bert).note


def test_a_further_layer_is_left_out_and_said(bert):
    write(bert, [*STEPS, {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}], {})
    assert "Dense" in read_pooling(bert).note


@pytest.mark.parametrize("text", ["", "{", "[1, null]", '{"a": 1}', "[" * 100_000])
def test_damaged_files_leave_the_mean_and_the_model(bert, text):
    (bert / "modules.json").write_text(text)
    (bert / "sentence_bert_config.json").write_text(text)
    assert explorer.load(bert).pooling.mode == "mean" and read_pooling(bert).note


def test_no_path_leads_out_of_the_folder(bert, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "config.json").write_text('{"pooling_mode": "cls"}')
    write(bert, [STEPS[0], {**STEPS[1], "path": "../outside"}])
    assert read_pooling(bert).mode == "mean"


def test_a_model_without_a_list_of_steps_says_nothing(bert):
    assert read_pooling(bert) is None and explorer.load(bert).pooling is None
