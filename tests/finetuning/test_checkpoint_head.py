"""The classifier in a fine-tuned model's own files gives what `transformers` gives."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

import explorer
from explorer.analysis.attribution.prediction import nats
from explorer.analysis.words import words
from explorer.errors import FormatError
from explorer.finetuning import store
from explorer.finetuning.attribution import class_prediction
from explorer.finetuning.checkpoint_head import checkpoint_head
from tests import encoders, tiny

TEXT = "we saw the old river by the bank"
LABELS = {0: "calm", 1: "glad", 2: "sad"}
FAMILIES = ["bert", "gpt2", *encoders.ENCODERS]


def written(model_type, folder, kind, **changes):
    """A fine-tuned model of random weights: as `transformers` wrote it, and as it is read here."""
    changes, head = {"id2label": LABELS} | changes, f"For{kind}Classification"
    others = {"bert": (tiny.write_bert, "Bert"), "gpt2": (tiny.write_gpt, "GPT2")}
    if model_type in others:
        write, name = others[model_type]
        return write(folder, head=name + head, **changes), explorer.load(folder)
    name = encoders.ENCODERS[model_type].name
    return encoders.write(model_type, folder, head=name + head, **changes), explorer.load(folder)


def scores(theirs, model, *texts):
    encoding = model.encode(*texts)
    segments = {"token_type_ids": encoding.segments[None]} if len(texts) > 1 else {}
    return theirs(input_ids=encoding.ids[None], **segments).logits.detach()[0]


@pytest.mark.parametrize("model_type", FAMILIES)
def test_the_class_of_a_text(tmp_path, model_type):
    theirs, model = written(model_type, tmp_path, "Sequence")
    head = checkpoint_head(model)
    probabilities = scores(theirs, model, TEXT).softmax(-1)
    expected = {name: pytest.approx(float(probabilities[i]), abs=1e-5) for i, name in LABELS.items()}
    assert head.predict([TEXT])[0].probabilities == expected
    assert not model.left_out and checkpoint_head(model, "tags") is None
    prediction = class_prediction(head, TEXT, "glad")
    assert float(nats(prediction, [prediction.encoding]).exp()) == expected["glad"]


@pytest.mark.parametrize("model_type", FAMILIES)
def test_the_class_of_each_token(tmp_path, model_type):
    theirs, model = written(model_type, tmp_path, "Token", id2label={0: "O", 1: "B-place", 2: "NOUN"})
    head = checkpoint_head(model, "tags")
    assert head.task.labels == ("O", "B-place", "B-NOUN") and checkpoint_head(model) is None
    first = [
        word.positions[0] for word in words(model.encode(TEXT)) if not word.special and word.text.strip()
    ]
    best = scores(theirs, model, TEXT).softmax(-1)[first].max(-1)
    (tags,) = head.predict([TEXT])
    assert tags.probabilities == pytest.approx(best.values.tolist(), abs=1e-5)
    assert tags.tags == tuple(head.task.labels[i] for i in best.indices)


def test_classes_that_do_not_exclude_each_other(tmp_path):
    theirs, model = written("roberta", tmp_path, "Sequence", problem_type="multi_label_classification")
    head, expected = checkpoint_head(model), scores(theirs, model, TEXT).sigmoid()
    assert list(head.predict([TEXT])[0].probabilities.values()) == pytest.approx(expected.tolist(), abs=1e-5)
    prediction = class_prediction(head, TEXT, "sad")
    assert float(nats(prediction, [prediction.encoding]).exp()) == pytest.approx(float(expected[2]), abs=1e-5)
    with pytest.raises(FormatError, match="came with its model"):
        store.dumps(head)


def test_two_texts_are_read_as_a_pair(tmp_path):
    theirs, model = written("bert", tmp_path, "Sequence")
    (pair,) = checkpoint_head(model, "pairs").predict([(TEXT, "the river")])
    expected = scores(theirs, model, TEXT, "the river").softmax(-1)
    assert list(pair.probabilities.values()) == pytest.approx(expected.tolist(), abs=1e-5)


@pytest.mark.parametrize(
    ("config", "weights", "says"),
    [
        ({"id2label": {"0": "calm", "1": "glad"}}, {}, "for its 3 classes"),
        ({"id2label": {"0": "calm", "1": "glad", "2": "calm"}}, {}, "does not give 3 different names"),
        ({"problem_type": "regression"}, {}, "gives a number"),
        ({}, {"classifier.weight": torch.ones(3, 34)}, "'weight': (3, 34)"),
        ({}, {"classifier.weight": torch.ones(())}, "'weight': ()"),
    ],
)
def test_a_classifier_that_does_not_fit_is_left_out_and_said(tmp_path, config, weights, says):
    written("distilbert", tmp_path, "Sequence")
    raw = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(raw | config))
    save_file(load_file(tmp_path / "model.safetensors") | weights, tmp_path / "model.safetensors")
    model = explorer.load(tmp_path)
    assert model.classifier is None and "classifier.weight" in model.left_out and says in model.notes[-1]
