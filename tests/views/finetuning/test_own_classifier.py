"""A fine-tuned model of one's own: its classes on Fine-tuning, and in “Which words mattered”."""

import pytest

import explorer
from explorer.analysis.attribution.removal import deletion
from explorer.finetuning.attribution import class_prediction
from explorer.finetuning.checkpoint_head import checkpoint_head
from tests import tiny
from tests.views.opening import opened, printed_result, said, sent

TEXT = "we saw the old river by the bank"


@pytest.fixture
def fine_tuned(tmp_path):
    """fine_tuned("Sequence") -> the name of a tiny model of that kind, with three classes."""

    def write(kind: str) -> str:
        labels = {0: "O", 1: "B-place", 2: "B-time"} if kind == "Token" else {0: "calm", 1: "glad", 2: "sad"}
        tiny.write_bert(tmp_path, head=f"BertFor{kind}Classification", id2label=labels)
        return f"folder:{tmp_path}"

    return write


@pytest.mark.parametrize("view", ["sentence", "pairs"])
def test_its_classes_answer(fine_tuned, view):
    name = fine_tuned("Sequence")
    at = opened("finetuning", model=name, view=view, sentence=TEXT, first=TEXT, second="the river")
    inputs = [TEXT] if view == "sentence" else [(TEXT, "the river")]
    (prediction,) = checkpoint_head(
        explorer.load(name), "classes" if view == "sentence" else "pairs"
    ).predict(inputs)
    (verdict,) = sent(at, "verdict")
    shares = {row["name"]: row["share"] for row in verdict["texts"][0]["rows"]}
    assert shares == pytest.approx(prediction.probabilities, abs=1e-6)
    assert "the classifier in the model’s own files" in said(at)
    assert printed_result(at)[0].probabilities == pytest.approx(prediction.probabilities, abs=1e-6)


def test_its_words_have_tags(fine_tuned):
    name = fine_tuned("Token")
    at = opened("finetuning", model=name, view="words", line=TEXT)
    (prediction,) = checkpoint_head(explorer.load(name), "tags").predict([TEXT])
    (tagged,) = sent(at, "tagged")
    assert [group["tag"] for group in tagged["groups"] if group["tag"]] == [
        e.label for e in prediction.entities
    ]


def test_its_class_is_what_words_mattered_for(fine_tuned):
    name = fine_tuned("Sequence")
    at = opened("attention", model=name, view="which", text=TEXT, which_answer="glad")
    assert "What makes glad probable?" in said(at)
    prediction = class_prediction(checkpoint_head(explorer.load(name)), TEXT, "glad")
    parts = [row[1] for row in printed_result(at)]
    assert parts == pytest.approx(deletion(prediction).tolist(), abs=1e-5)
