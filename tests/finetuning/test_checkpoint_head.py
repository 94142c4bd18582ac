"""The classifier in a fine-tuned model's own files gives what `transformers` gives."""

import json

import pytest
import torch

import explorer
from explorer.analysis.attribution.gradients import integrated_gradients
from explorer.analysis.attribution.prediction import nats
from explorer.errors import FormatError
from explorer.finetuning import store
from explorer.finetuning.attribution import class_prediction
from explorer.finetuning.checkpoint_head import checkpoint_head
from tests import encoders, tiny

TEXT = "we saw the old river by the bank"
LABELS = {0: "calm", 1: "glad", 2: "sad"}
FAMILIES = ["bert", "distilbert", "roberta", "xlm-roberta", "electra", "albert", "ernie", "gpt2"]


def written(model_type, folder, kind, **changes):
    """A fine-tuned model of random weights: as `transformers` wrote it, and as it is read here."""
    changes = {"id2label": LABELS, "label2id": {name: i for i, name in LABELS.items()}} | changes
    if model_type in ("bert", "gpt2"):
        name = {"bert": "Bert", "gpt2": "GPT2"}[model_type]
        write = tiny.write_bert if model_type == "bert" else tiny.write_gpt
        theirs = write(folder, head=f"{name}For{kind}Classification", **changes)
    else:
        name = encoders.ENCODERS[model_type].name
        theirs = encoders.write(model_type, folder, head=f"{name}For{kind}Classification", **changes)
    return theirs, explorer.load(folder)


def scores(theirs, model, text):
    return theirs(input_ids=model.encode(text).ids[None]).logits.detach()[0]


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
    assert abs(integrated_gradients(prediction, 64).error) < 0.05


@pytest.mark.parametrize("model_type", FAMILIES)
def test_the_class_of_each_token(tmp_path, model_type):
    theirs, model = written(model_type, tmp_path, "Token", id2label={0: "O", 1: "B-place", 2: "NOUN"})
    head = checkpoint_head(model, "tags")
    assert head.task.labels == ("O", "B-place", "B-NOUN") and checkpoint_head(model) is None
    probabilities = scores(theirs, model, TEXT).softmax(-1)
    (tags,) = head.predict([TEXT])
    first = [word.positions[0] for word in words_of(model)]
    assert tags.probabilities == pytest.approx(probabilities[first].amax(-1).tolist(), abs=1e-5)
    assert tags.tags == tuple(head.task.labels[i] for i in probabilities[first].argmax(-1))


def words_of(model):
    from explorer.analysis.words import words

    return [word for word in words(model.encode(TEXT)) if not word.special and word.text.strip()]


def test_classes_that_do_not_exclude_each_other(tmp_path):
    theirs, model = written("roberta", tmp_path, "Sequence", problem_type="multi_label_classification")
    head = checkpoint_head(model)
    expected = scores(theirs, model, TEXT).sigmoid()
    assert list(head.predict([TEXT])[0].probabilities.values()) == pytest.approx(expected.tolist(), abs=1e-5)
    prediction = class_prediction(head, TEXT, "sad")
    assert float(nats(prediction, [prediction.encoding]).exp()) == pytest.approx(float(expected[2]), abs=1e-5)
    with pytest.raises(FormatError, match="came with its model"):
        store.dumps(head)


def test_two_texts_are_read_as_a_pair(tmp_path):
    theirs, model = written("bert", tmp_path, "Sequence")
    encoding = model.encode(TEXT, "the river")
    logits = theirs(input_ids=encoding.ids[None], token_type_ids=encoding.segments[None]).logits.detach()[0]
    (pair,) = checkpoint_head(model, "pairs").predict([(TEXT, "the river")])
    assert list(pair.probabilities.values()) == pytest.approx(logits.softmax(-1).tolist(), abs=1e-5)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"id2label": {"0": "calm", "1": "glad"}}, "it scores 3 classes, and config.json"),
        ({"id2label": {"0": "calm", "1": "glad", "2": "calm"}}, "does not give 3 different names"),
        ({"problem_type": "regression"}, "gives a number"),
    ],
)
def test_a_classifier_that_does_not_fit_is_left_out_and_said(tmp_path, changes, says):
    written("bert", tmp_path, "Sequence")
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | changes))
    model = explorer.load(tmp_path)
    assert model.classifier is None and says in " ".join(model.notes)
    assert model.left_out == ("classifier.bias", "classifier.weight")
    assert model.trace(TEXT).hidden_states is not None


def test_a_classifier_of_another_shape_is_left_out_and_said(tmp_path):
    from safetensors.torch import load_file, save_file

    written("distilbert", tmp_path, "Sequence")
    tensors = load_file(tmp_path / "model.safetensors")
    save_file(tensors | {"classifier.weight": torch.ones(3, 34)}, tmp_path / "model.safetensors")
    model = explorer.load(tmp_path)
    assert model.classifier is None and "its weight has the shape (3, 34), not (3, 35)" in model.notes[-1]
