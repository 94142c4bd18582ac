"""A model on a server gives what the same model gives here."""

import copy

import pytest
import torch

import explorer
from explorer.analysis.prediction import fill, surprisal
from explorer.checkpoints.fingerprint import fingerprint
from explorer.errors import AbilityError
from explorer.finetuning import base_model
from explorer.finetuning.encoding import EncodedExample
from explorer.model_server.served import ServedModel
from explorer.models import LanguageModel, Model
from explorer.trace import Ability, Capture
from tests import decoders, encoders, gguf_files
from tests.model_server.conftest import running

CLOSE = {"atol": 1e-5, "rtol": 0}
TEXTS = ["the bank by the river", "we saw light", "the old", "money in the bank. is it deep?", "", "water"]


def same(far, near):
    """Two traces have the same tokens and, to 1e-5, the same numbers."""
    assert far.tokens == near.tokens and far.encoding.spans == near.encoding.spans
    for name in ("hidden_states", "logits"):
        a, b = getattr(far, name), getattr(near, name)
        assert (a is None) == (b is None)
        if a is not None:
            torch.testing.assert_close(a, b, **CLOSE)
    assert (far.attention is None) == (near.attention is None)
    for name in ("queries", "keys", "values", "pattern") if far.attention else ():
        torch.testing.assert_close(getattr(far.attention, name), getattr(near.attention, name), **CLOSE)


@pytest.mark.parametrize(
    "capture", [Capture.ALL, Capture.HIDDEN, Capture.ATTENTION, Capture.LOGITS, Capture.NONE]
)
def test_a_trace_is_the_local_one(far_bert, tiny_bert, far_gpt, tiny_gpt, capture):
    same(
        far_bert.trace("the bank", "by the river", capture),
        tiny_bert.trace("the bank", "by the river", capture),
    )
    same(far_gpt.trace(TEXTS[0], capture=capture), tiny_gpt.trace(TEXTS[0], capture=capture))


def test_many_traces_are_the_local_ones_in_order(far_bert, tiny_bert):
    texts = TEXTS * 30
    pairs = zip(far_bert.trace_many(texts), tiny_bert.trace_many(texts), strict=True)
    assert sum(same(far, near) is None for far, near in pairs) == len(texts)


def test_features_for_fine_tuning_are_the_local_ones(far_bert, tiny_bert, far_gpt, tiny_gpt):
    for far, near in ((far_bert, tiny_bert), (far_gpt, tiny_gpt)):
        items = [EncodedExample(near.encode(text), (), None) for text in TEXTS]
        there, here = (base_model.hidden_states(model, items) for model in (far, near))
        for (i, one), (j, other) in zip(there, here, strict=True):
            assert i == j
            torch.testing.assert_close(one, other, **CLOSE)


def test_states_at_a_few_places(far_bert, tiny_bert):
    encodings = [tiny_bert.encode(text) for text in TEXTS]
    places = [[0], [1, 2], [1], [0, 3, 2], [0], [1]]
    assert far_bert.network.memory_efficient
    for far, near in zip(far_bert.states_at(encodings, places), tiny_bert.states_at(encodings, places)):
        torch.testing.assert_close(far, near, **CLOSE)


def test_blanks_are_filled_and_sentences_judged(far_bert, tiny_bert):
    text = "the [MASK] by the [MASK]."
    far, near = fill.blanks(far_bert, text), fill.blanks(tiny_bert, text)
    assert far.positions == near.positions
    torch.testing.assert_close(far.probabilities, near.probabilities, **CLOSE)
    hidden = tiny_bert.trace("the bank", "it was old").hidden_states[-1][None]
    torch.testing.assert_close(far_bert.next_sentence(hidden), tiny_bert.next_sentence(hidden), **CLOSE)


def test_tokenizer_abilities_and_sizes_come_from_the_server(far_bert, tiny_bert, address):
    assert isinstance(far_bert, LanguageModel) and isinstance(far_bert, Model)
    assert str(far_bert.checkpoint) == f"serve:{address}/bert"
    assert far_bert.abilities == tiny_bert.abilities and far_bert.config == tiny_bert.config
    assert far_bert.tokenizer.size == tiny_bert.tokenizer.size
    assert not list(far_bert.network.parameters()) and far_bert.table is None


def test_the_card_comes_along(address):
    served = ServedModel.load("bert-mini")
    with running(served) as at:
        far = explorer.load(f"serve:{at}/bert-mini")
    assert far.card == served.card and "BERT" in far.card
    assert far.encode("A riverbank.").tokens == served.model.encode("A riverbank.").tokens


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.trace("the bank", edit=lambda site, layer, tensor: tensor),
        lambda model: copy.deepcopy(model.network),
        lambda model: model.layer_parameters(0),
        lambda model: model.input_parameters(),
        lambda model: model.require(Ability.GENERATE, "continue a text"),
    ],
)
def test_what_needs_the_weights_here_is_refused(far_bert, ask):
    with pytest.raises(AbilityError) as refused:
        ask(far_bert)
    assert "Load the model on this computer" in refused.value.hint


def test_training_is_refused(far_bert):
    with pytest.raises(AbilityError, match="another machine: its layers cannot be trained") as error:
        base_model.trainable(far_bert)
    assert error.value.hint == "Train a head on its frozen features."


def test_surprisal_of_a_text(far_gpt, tiny_gpt):
    far, near = (surprisal.read(model, TEXTS[0]) for model in (far_gpt, tiny_gpt))
    torch.testing.assert_close(far.bits, near.bits, **CLOSE)
    assert far.ranks.tolist() == near.ranks.tolist()


@pytest.mark.parametrize("kind", ["gguf", "merges"])
def test_a_tokenizer_that_is_no_file_of_its_own(kind, tmp_path):
    """In a GGUF file it is a part of the model, and merges are split by what the model is."""
    path = tmp_path / "tiny.gguf"
    if kind == "gguf":
        gguf_files.write_model(path, "llama")
    else:
        decoders.write("qwen2", path)
    near = explorer.load(f"folder:{path}")
    with running(ServedModel("tiny", near, path)) as address:
        far = explorer.load(f"serve:{address}/tiny")
        text = "the bank, 12345 e\u0301"
        assert far.encode(text).tokens == near.encode(text).tokens
        assert far.tokenizer.start == near.tokenizer.start and far.tokenizer.ends == near.tokenizer.ends
        assert torch.equal(far.trace(text).hidden_states, near.trace(text).hidden_states)
        assert fingerprint(far) == fingerprint(near)


@pytest.mark.parametrize("model_type", ["camembert", "xlm-roberta", "roberta"])
def test_a_tokenizer_is_of_its_own_family_far_away_too(model_type, tmp_path):
    encoders.write(model_type, tmp_path)
    near = explorer.load(f"folder:{tmp_path}")
    with running(ServedModel("kin", near, tmp_path)) as at:
        far = explorer.load(f"serve:{at}/kin")
        assert [far.encode(text).ids.tolist() for text in TEXTS] == [
            near.encode(t).ids.tolist() for t in TEXTS
        ]
