"""ELMo against a reference in NumPy on the same files, layer by layer."""

import json

import numpy as np
import pytest
import torch

import explorer
from explorer.analysis import prediction
from explorer.errors import AbilityError, FormatError, TextError
from explorer.models import FAMILIES
from explorer.models.elmo import Elmo, ElmoConfig
from explorer.tokenizers.characters import MARKS, words_backend
from explorer.trace import Ability
from tests import tiny
from tests.checkpoints.folders import configure, rewrite
from tests.hub_files import write_model
from tests.models import bilm

SENTENCES = [
    "The bank by the river isn't steep.",
    "Unbelievably long: hippopotomonstrosesquipedaliophobia!",
    "東京 🙂 naïve",
    "x",
    "",
]
WORDS = "the a we sat on river bank money steep walk home was in . ,".split()


@pytest.fixture(scope="module")
def model(folder):
    return explorer.load(f"folder:{folder}")


@pytest.fixture(scope="module")
def predictor(tmp_path_factory):
    """A tiny ELMo of ours, with a softmax over eighteen words."""
    folder = tmp_path_factory.mktemp("elmo")
    words = [*MARKS, *WORDS]
    config = ElmoConfig(
        len(words), d_half=7, d_hidden=13, layers=2, d_char=5, filters=((1, 3), (2, 11)), highways=1
    )
    write_model(folder, tiny.shake(Elmo(config)), FAMILIES["elmo"])
    words_backend(words).save(str(folder / "tokenizer.json"))
    return explorer.load(f"folder:{folder}")


def assert_as_reference(trace, reference, tolerance=1e-5):
    words = [t for t, special in zip(trace.tokens, trace.encoding.special, strict=True) if not special]
    expected = torch.from_numpy(reference.layers(words)).float()
    assert trace.hidden_states.shape == expected.shape
    for ours, theirs in zip(trace.hidden_states, expected, strict=True):
        torch.testing.assert_close(ours, theirs, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize("text", SENTENCES)
def test_every_layer_is_the_references(folder, model, text):
    assert_as_reference(model.trace(text), bilm.Reference(folder))


@pytest.mark.parametrize(
    "changes",
    [
        {"lstm": {"use_skip_connections": False}}, {"lstm": {"cell_clip": None, "proj_clip": None}},
        {"lstm": {"cell_clip": 0.05}}, {"lstm": {"proj_clip": 0.05}}, {"lstm": {"n_layers": 3}},
        {"lstm": {"dim": 11}}, {"lstm": {"projection_dim": 17}}, {"char_cnn": {"activation": "tanh"}},
        {"char_cnn": {"n_highway": 1}}, {"char_cnn": {"n_highway": None}},
        {"char_cnn": {"max_characters_per_token": 50}}, {"char_cnn": {"filters": [[7, 29]]}},
    ],
    ids=str,
)  # fmt: skip
def test_every_option(tmp_path, changes):
    bilm.write(tmp_path, **changes)
    assert_as_reference(explorer.load(f"folder:{tmp_path}").trace(SENTENCES[0]), bilm.Reference(tmp_path))


def test_clipping_takes_hold_in_these_weights(folder, model):
    """Else the tests above would pass without it."""
    free = bilm.Reference(folder)
    free.lstm = free.lstm | {"cell_clip": None, "proj_clip": None}
    words = model.trace(SENTENCES[0]).tokens[1:-1]
    clipped, plain = bilm.Reference(folder).layers(words), free.layers(words)
    assert np.abs(clipped - plain).max() > 0.05


@pytest.mark.parametrize("prefix", ["", "elmo_2x4096_512_2048cnn_2xhighway_"])
def test_files_as_they_were_published_are_converted_first(tmp_path, prefix):
    (tmp_path / f"{prefix}options.json").write_text(json.dumps(bilm.OPTIONS), encoding="utf-8")
    (tmp_path / f"{prefix}weights.hdf5").write_bytes(b"\x89HDF\r\n\x1a\n")
    with pytest.raises(FormatError, match="as its authors published it") as refusal:
        explorer.load(f"folder:{tmp_path}")
    assert "docs/own-model.md" in refusal.value.hint


def test_a_padded_batch(folder, model):
    reference = bilm.Reference(folder)
    for trace in model.trace_many(SENTENCES * 2):
        reference.forget()
        assert_as_reference(trace, reference)


def test_layer_0_is_the_word_twice_and_knows_no_context(model):
    first, second = model.trace("the bank was steep"), model.trace("a bank")
    left, right = first.hidden_states[0].chunk(2, dim=-1)
    assert torch.equal(left, right)
    torch.testing.assert_close(first.hidden_states[0, 2], second.hidden_states[0, 2])
    assert not torch.allclose(first.hidden_states[1, 2], second.hidden_states[1, 2], atol=1e-3)


def test_each_half_knows_one_side_only(model):
    plain, changed = model.trace("we sat on the old bank"), model.trace("we sat on the old log")
    ahead, back = (t.hidden_states.chunk(2, dim=-1) for t in (plain, changed))
    same = {"atol": 1e-6, "rtol": 1e-5}
    torch.testing.assert_close(ahead[0][:, :6], back[0][:, :6], **same)  # the same from the left so far
    assert not torch.allclose(ahead[1][1:, 3], back[1][1:, 3], atol=1e-4)
    assert not torch.allclose(ahead[0][1:, 6], back[0][1:, 6], atol=1e-4)


def test_published_files_predict_no_words(model):
    assert model.abilities == Ability.CONTEXT | Ability.CHARACTERS
    assert model.tokenizer.size == len(MARKS)
    assert model.trace("the bank").attention is None and model.trace("the bank").logits is None
    for ask in (prediction.next_words, prediction.previous_words, prediction.fill_mask):
        with pytest.raises(AbilityError):
            ask(model, "the bank")
    with pytest.raises(TextError, match="not a pair"):
        model.trace("one", "two")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"CNN/b_cnn_1": None}, "missing: CNN/b_cnn_1"),
        ({"CNN/W_cnn_9": torch.zeros(3)}, "unexpected: CNN/W_cnn_9"),
        ({"char_embed": torch.zeros(260, 13)}, "mis-shaped: char_embed"),
    ],
)
def test_weights_that_do_not_fit_are_named(tmp_path, changes, message):
    bilm.write(tmp_path)
    rewrite(tmp_path, lambda weights: {k: v for k, v in (weights | changes).items() if v is not None})
    with pytest.raises(FormatError, match=message):
        explorer.load(f"folder:{tmp_path}")


def test_options_that_are_missing_are_named(tmp_path):
    bilm.write(tmp_path)
    configure(tmp_path, char_cnn={})
    with pytest.raises(FormatError, match="embedding"):
        explorer.load(f"folder:{tmp_path}")


def test_predictions_are_a_softmax_over_one_half_of_the_last_layer(predictor):
    assert (
        predictor.abilities
        == Ability.CONTEXT | Ability.CHARACTERS | Ability.NEXT_WORD | Ability.PREVIOUS_WORD
    )
    text = "the river bank was"
    last, softmax = predictor.trace(text).hidden_states[-1], predictor.network.softmax
    for result, state in (
        (prediction.next_words(predictor, text, 20), last[4, :7]),
        (prediction.previous_words(predictor, text, 20), last[1, 7:]),
    ):
        expected = (state @ softmax.weight.T + softmax.bias).softmax(-1)
        unknown = float(expected[predictor.tokenizer.unknown])
        assert len(result) == 17 and sum(p for _, p in result) == pytest.approx(1 - unknown)
        assert [p for _, p in result] == sorted((p for _, p in result), reverse=True)
        for word, probability in result:
            assert probability == pytest.approx(float(expected[predictor.tokenizer.id(word)]), abs=1e-6)


def test_what_stands_on_the_other_side_does_not_change_a_prediction(predictor):
    assert prediction.next_words(predictor, "") == prediction.next_words(predictor, "  ")
    assert prediction.next_words(predictor, "the bank") != prediction.next_words(predictor, "a bank")
    assert prediction.previous_words(predictor, "bank .") != prediction.previous_words(predictor, "bank ,")
    with pytest.raises(TextError, match="more"):
        prediction.next_words(predictor, "the bank " * 300)


def test_both_sides_of_a_word(predictor):
    text = "the river bank was"
    result, last = prediction.sides(predictor, text, 3), predictor.trace(text).hidden_states[-1]
    expected = predictor.network.next_word(last[2]).softmax(-1), predictor.network.previous_word(last[4])
    torch.testing.assert_close(result.left, expected[0])
    torch.testing.assert_close(result.right, expected[1].softmax(-1))
    # What a reader expects has not seen the word itself, nor anything after it on its way.
    other = prediction.sides(predictor, "the river money was", 3)
    torch.testing.assert_close(result.left, other.left)
    torch.testing.assert_close(result.right, other.right)
    assert len(prediction.sides(predictor, text, 0).left) == 0
    assert len(prediction.sides(predictor, text, -1).right) == 0
