"""Models with heads for tasks of their own, and with more rows than tokens."""

import pytest

import explorer
from explorer.analysis import prediction
from explorer.errors import FormatError
from explorer.server import memory
from explorer.views.frame import page
from tests import tiny
from tests.checkpoints.folders import TEXT
from tests.checkpoints.refusal import refused


@pytest.mark.parametrize(
    ("head", "left_out"),
    [
        ("GPT2ForQuestionAnswering", "qa_outputs"),
        ("GPT2DoubleHeadsModel", "multiple_choice_head.summary"),
        ("BertForQuestionAnswering", "qa_outputs"),
        ("GPT2LMHeadModel", ""),
        ("BertForPreTraining", ""),
    ],
)
def test_a_head_for_another_task_is_left_out_and_said(tmp_path, monkeypatch, head, left_out):
    is_bert = head.startswith("Bert")
    (tiny.write_bert if is_bert else tiny.write_gpt)(tmp_path, head=head, num_labels=3)
    model = explorer.load(tmp_path)
    assert model.trace(TEXT).hidden_states is not None
    assert {name.rpartition(".")[0] for name in model.left_out} == {left_out} - {""}
    name = str(model.checkpoint)
    assert "left out" not in page.card(name)
    monkeypatch.setitem(memory._models, name, model)
    assert (f"A head for another task was left out: `{left_out}`." in page.card(name)) == bool(left_out)


def test_rows_without_a_token_have_a_name(tmp_path):
    tiny.write_bert(tmp_path / "bert", vocab_size=128)
    tiny.write_gpt(tmp_path / "gpt", vocab_size=320)
    bert, gpt = explorer.load(tmp_path / "bert"), explorer.load(tmp_path / "gpt")
    (guesses,) = prediction.fill_mask(bert, "we saw [MASK]", top=128)
    nexts = prediction.next_tokens(gpt, "we saw", top=320)
    for result, unused in ((guesses, range(97, 128)), (nexts, range(293, 320))):
        names = [name for name, _ in result]
        assert all(names) and {f"<unused {id}>" for id in unused} <= set(names)
    assert gpt.tokenizer.raw(300) == b"" and gpt.tokenizer.decode([300]) == ""


def test_vectors_without_a_word_are_damage(tmp_path):
    from explorer.models import FAMILIES
    from explorer.models.word2vec import Word2Vec, Word2VecConfig
    from tests.hub_files import write_model

    write_model(tmp_path, tiny.shake(Word2Vec(Word2VecConfig(len(tiny.WHOLE) + 2, 7))), FAMILIES["word2vec"])
    tiny.write_whole_words(tmp_path)
    assert "55 vectors" in refused(tmp_path, FormatError).message
