"""The analyses of the pages, on each encoder like BERT, loaded from a folder."""

import pytest
import torch

import explorer
from explorer.analysis import prediction, vectors
from explorer.analysis.attention import comparison, rollout
from explorer.analysis.heads import ablation, measuring, relations
from explorer.analysis.positions import learnt, shuffling
from explorer.analysis.senses import occurrences
from explorer.analysis.transformer import origins, walk
from explorer.analysis.visibility import masks
from explorer.trace import Ability
from explorer.views.heads import guess
from explorer.views.masked import blanks as page
from tests import encoders
from tests.analysis.visibility.test_readers import changes

TEXT = "we walk by the [MASK] in the old light."
WHOLE = "we walk by the bank in the old light."


@pytest.fixture(scope="module", params=sorted(encoders.ENCODERS))
def model(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    encoders.write(request.param, folder, "ElectraForMaskedLM" if request.param == "electra" else "")
    return explorer.load(f"folder:{folder}")


@pytest.mark.parametrize("written", ["[MASK]", "<mask>", "___", "[mask]"])
def test_a_blank_is_guessed_however_it_is_written(model, written):
    text = prediction.masking.standard(TEXT.replace("[MASK]", written))
    found = prediction.blanks(model, text)
    assert len(found.positions) == 1 and found.encoding.surface(found.positions[0]) == "[MASK]"
    first = prediction.top(model, found, k=3)[0]
    assert prediction.fill_mask(model, text, top=1) == [[(first.token, pytest.approx(first.probability))]]
    filled = prediction.masking.fill(text, 0, first.token)
    assert "[MASK]" not in filled and "  " not in filled


def test_a_word_looked_up_is_the_one_that_stands_in_the_text(model):
    found = prediction.blanks(model, TEXT)
    asked = prediction.probe(model, found, "bank")
    at = found.positions[0]
    assert asked.rank is not None and asked.pieces == ["bank"]
    assert int(model.encode(WHOLE).ids[at]) == model.tokenizer.id("bank")
    assert asked.probability == pytest.approx(float(found.probabilities[0, model.tokenizer.id("bank")]))


def test_a_click_hides_a_word_and_puts_it_back(model):
    sentence = page.read(model, WHOLE, [], 0)
    assert [word.text for word in sentence.words][4] == "bank"
    hidden = page.click(sentence, 4)
    assert hidden["text"] == TEXT and hidden["words"] == ["bank"]
    again = page.read(model, TEXT, ["bank"], 0)
    assert list(again.numbers) == [4] and page.click(again, 4)["text"] == WHOLE


def test_what_else_is_asked_of_a_blank(model):
    depth = model.config.layers + 1
    lens = prediction.logit_lens.at_mask(model, TEXT)
    torch.testing.assert_close(lens.probabilities[-1], prediction.blanks(model, TEXT).probabilities[0])
    assert len(lens.probabilities) == depth
    assert prediction.logit_lens.tracked_word(model, "bank").id == model.tokenizer.id("bank")
    bias = prediction.template_bias.compare_sets(
        model, "the [SLOT] saw [MASK].", ["bank", "river"], ["we"], ["it"]
    )
    assert len(bias.biases) == 2
    assert prediction.corruption.losses(
        model, prediction.corruption.corrupt(model, model.encode(WHOLE), seed=3)
    )
    for order in prediction.gibbs.Order:
        writing = prediction.gibbs.write(
            model, "the [MASK] [MASK] is old", order, prediction.gibbs.SamplingOptions(steps=3)
        )
        drawn = [step.id for step in writing]
        assert drawn and not model.tokenizer.special_ids.intersection(drawn)
    nats = -prediction.surprisal.read(model, WHOLE).bits.sum() * torch.log(torch.tensor(2.0))
    assert prediction.log_likelihood(model, WHOLE) == pytest.approx(float(nats), rel=1e-4)


def test_heads_attention_and_what_an_edit_does(model):
    trace = model.trace(WHOLE)
    assert comparison.by_word(trace) is not None
    rolled = rollout.rollout(trace.attention.pattern.mean(1))
    torch.testing.assert_close(rolled.sum(-1), torch.ones(rolled.shape[:-1]), atol=1e-4, rtol=0)
    words, asked = guess.find_blank(model, WHOLE, 4)
    assert words[4].text == "bank" and asked.text == TEXT and asked.token == model.tokenizer.id("bank")
    question = ablation.ask(model, TEXT)
    before = ablation.answer(model, question)
    after = ablation.answer(model, question, ablation.switch_off([(1, 2)]))
    assert ablation.moved(before, after) > 0
    found = measuring.measure(model, relations.library("written")[:3])
    assert found is not None


def test_positions_orders_and_masks(model):
    encoding = model.encode("we saw old money in the bank")
    order = shuffling.shuffled(len(shuffling.split(encoding.text)), 0)
    moved = shuffling.moved(model, encoding, order, positions=False)
    assert moved.most < 1e-3 < shuffling.moved(model, encoding, order).most, "only positions tell the order"
    assert learnt.learnt(model, 9).shape == (9, getattr(model.config, "width", 35))
    assert [one.name for one in masks.compare(model, TEXT)] == list(masks.MASKS)
    assert changes(model, encoding.text).all(), "an encoder's state has read every token"


def test_words_and_senses(model):
    sentences = ["the bank by the river", "we saw money in the bank", "the old bank is deep"]
    found = occurrences(model, sentences, "bank")
    assert found.vectors.shape == (3, model.config.layers + 1, 35) and not found.missing
    assert [sentences[i][a:b] for i, (a, b) in enumerate(found.span)] == ["bank"] * 3
    table = vectors.of(model)
    assert "bank" in table and table.matrix.shape[1] == getattr(model.config, "width", 35)


def test_a_layer_is_walked_through_and_every_number_has_an_origin(model):
    for layer in (0, 2):
        found = walk(model, WHOLE, layer=layer, head=1, pad_to=20)
        states = model.trace(WHOLE).hidden_states[layer + 1]
        torch.testing.assert_close(found.result[: len(states)], states, atol=1e-5, rtol=1e-5)
        for step in found.steps:
            for name in step.gives:
                made = origins.origin(found, name, 1, 0)
                assert made.value == float(found.value(name)[1, 0])
    projected = Ability.ATTENTION in model.abilities and getattr(model.config, "width", 35) < 35
    assert ("input-projection" in [step.name for step in found.steps]) == projected
