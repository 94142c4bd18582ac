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
def fine_tuned(tmp_path) -> str:
    """The name of a tiny model that was fine-tuned for three classes."""
    labels = {0: "calm", 1: "glad", 2: "sad"}
    tiny.write_bert(tmp_path, head="BertForSequenceClassification", id2label=labels)
    return f"folder:{tmp_path}"


def test_its_classes_answer(fine_tuned):
    at = opened("finetuning", model=fine_tuned, view="sentence", sentence=TEXT)
    (verdict,) = sent(at, "verdict")
    shares = {row["name"]: row["share"] for row in verdict["texts"][0]["rows"]}
    assert shares == pytest.approx(printed_result(at)[0].probabilities, abs=1e-6) and len(shares) == 3
    assert "the classifier in the model’s own files" in said(at)
    at = opened("finetuning", model=fine_tuned, view="words", line=TEXT)
    assert not sent(at, "tagged"), "it has classes for texts alone"


def test_its_class_is_what_words_mattered_for(fine_tuned):
    at = opened("why", model=fine_tuned, view="which", first=TEXT, answer="glad")
    assert "What makes glad probable?" in said(at)
    prediction = class_prediction(checkpoint_head(explorer.load(fine_tuned)), TEXT, "glad")
    parts = [row[1] for row in printed_result(at)]
    assert parts == pytest.approx(deletion(prediction).tolist(), abs=1e-5)
