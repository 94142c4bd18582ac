"""BERT against `transformers` on the same random weights."""

import pytest
import torch

import explorer
from explorer.errors import AbilityError
from explorer.trace import Ability, Capture
from tests import tiny
from tests.models import reference

SENTENCES = ["the bank", "we saw [MASK] light on the water, and it was deep.", "x", "", "old money!"]


@pytest.fixture(scope="module")
def theirs(bert_folder):
    return reference.load(bert_folder, "BertForPreTraining")


def test_a_pair(tiny_bert, theirs):
    encoding = tiny_bert.encode("we walk by the river", "the water is deep")
    assert encoding.segments.tolist() == [0] * 7 + [1] * 5
    reference.same(tiny_bert, theirs, encoding)


def test_a_padded_batch_of_singles_and_pairs(tiny_bert, theirs):
    pair = tiny_bert.encode("the river of light", "it is old")
    reference.same(tiny_bert, theirs, *SENTENCES[:2], pair, *SENTENCES[2:])


def test_the_longest_text(tiny_bert, theirs):
    (trace,) = reference.same(tiny_bert, theirs, "water " * 99)
    assert len(trace.tokens) == tiny.BERT["max_position_embeddings"] and trace.encoding.truncated == 40


def test_next_sentence(tiny_bert, theirs):
    encoding = tiny_bert.encode("we walk by the river", "the water is deep")
    hidden = tiny_bert.trace_encodings([encoding], Capture.HIDDEN)[0].hidden_states[-1]
    with torch.no_grad():
        expected = theirs(encoding.ids[None], token_type_ids=encoding.segments[None]).seq_relationship_logits
    torch.testing.assert_close(tiny_bert.network.next_sentence(hidden[None]), expected, atol=1e-5, rtol=1e-5)


ACTIVATIONS = ["gelu", "gelu_new", "relu", "silu", "tanh", "gelu_pytorch_tanh"]


@pytest.mark.parametrize(
    "change", [*({"hidden_act": name} for name in ACTIVATIONS), {"tie_word_embeddings": False}], ids=str
)
def test_every_activation_and_an_untied_decoder(tmp_path, change):
    theirs = tiny.write_bert(tmp_path, **change)
    model = explorer.load(f"folder:{tmp_path}")
    assert model.config.tied == change.get("tie_word_embeddings", True)
    reference.same(model, theirs, "the deep river")


def test_unembedding_the_last_hidden_state_gives_the_logits(tiny_bert):
    trace = tiny_bert.trace("the deep river")
    torch.testing.assert_close(tiny_bert.unembed(trace.hidden_states[-1]), trace.logits)


@pytest.mark.parametrize(
    ("head", "abilities"),
    [
        ("BertModel", Ability.NONE),
        ("BertForMaskedLM", Ability.FILL),
        ("BertForNextSentencePrediction", Ability.NEXT_SENTENCE),
        ("BertForPreTraining", Ability.FILL | Ability.NEXT_SENTENCE),
        ("BertForSequenceClassification", Ability.NONE),
        ("BertForTokenClassification", Ability.NONE),
        ("BertForQuestionAnswering", Ability.NONE),
    ],
)
def test_abilities_follow_the_heads_in_the_files(tmp_path, head, abilities):
    theirs = tiny.write_bert(tmp_path, head)
    model = explorer.load(f"folder:{tmp_path}")
    assert model.abilities == Ability.CONTEXT | Ability.ATTENTION | abilities
    trace = model.trace("the deep river")
    encoder = getattr(theirs, "bert", theirs)
    with torch.no_grad():
        expected = encoder(trace.encoding.ids[None]).last_hidden_state[0]
    torch.testing.assert_close(trace.hidden_states[-1], expected, atol=1e-5, rtol=1e-5)
    if Ability.FILL not in abilities:
        assert trace.logits is None
        with pytest.raises(AbilityError):
            model.unembed(trace.hidden_states[-1])


def test_queries_keys_and_values_by_hand(tiny_bert, theirs):
    trace = tiny_bert.trace("we walk by the river", "the water is deep")
    for layer, block in enumerate(theirs.bert.encoder.layer):
        for ours, theirs_linear in (
            (trace.attention.queries, block.attention.self.query),
            (trace.attention.keys, block.attention.self.key),
            (trace.attention.values, block.attention.self.value),
        ):
            by_hand = theirs_linear(trace.hidden_states[layer]).view(len(trace.tokens), 5, 7).transpose(0, 1)
            torch.testing.assert_close(ours[layer], by_hand.detach(), atol=1e-5, rtol=1e-5)


def test_an_edit_sees_the_sum_before_it_is_normalised(tiny_bert):
    seen = {}
    tiny_bert.trace("the bank", "we saw", edit=lambda site, _, x: seen.setdefault(site, x))
    encoding, network = tiny_bert.encode("the bank", "we saw"), tiny_bert.network
    added = network.tokens(encoding.ids) + network.positions.weight[: len(encoding)]
    added = added + network.segments(encoding.segments)
    torch.testing.assert_close(seen["embedding_sum"][0], added, atol=1e-6, rtol=1e-6)
    torch.testing.assert_close(seen["embedding"][0], network.norm(added), atol=1e-5, rtol=1e-5)
