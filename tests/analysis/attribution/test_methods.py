"""Deletion and gradients: closed forms, finite differences, completeness, on tiny random networks."""

import copy
from dataclasses import replace

import pytest
import torch

import explorer
from explorer.analysis.attention import rollout
from explorer.analysis.attribution.attention import rollout_shares
from explorer.analysis.attribution.gradients import gradient_times_input, integrated_gradients
from explorer.analysis.attribution.prediction import nats, word_prediction
from explorer.analysis.attribution.removal import deletion, nats_without
from explorer.errors import ExplorerError
from tests import decoders, encoders
from tests.analysis.attribution import linear

BLANK = "we saw the [MASK] by the old river."
START = "we saw the river by the old"
FAMILIES = sorted({**encoders.ENCODERS, **decoders.ALL})


@pytest.fixture(scope="module", params=[*FAMILIES, "bert", "gpt"])
def prediction(request, tmp_path_factory, tiny_bert, tiny_gpt):
    """A prediction by a tiny random network of each family."""
    name = request.param
    if name in ("bert", "gpt"):
        model = {"bert": tiny_bert, "gpt": tiny_gpt}[name]
    else:
        folder = tmp_path_factory.mktemp(name)
        if name in encoders.ENCODERS:
            encoders.write(name, folder, "ElectraForMaskedLM" if name == "electra" else "")
        else:
            decoders.write(name, folder)
        model = explorer.load(f"folder:{folder}")
    return word_prediction(model, START if model.causal else BLANK)


def in_double(prediction):
    """The same prediction by a network in float64, for finite differences."""
    model = prediction.model
    network = copy.deepcopy(model.network).double()

    def scores(passed, places):
        return network.unembed(passed.last[range(len(places)), [place[0] for place in places]])

    return replace(prediction, model=replace(model, network=network), scores=scores)


def test_of_a_linear_model_every_method_gives_its_closed_form(tiny_bert):
    prediction, w = linear.prediction(tiny_bert, BLANK)
    table, ids = tiny_bert.table, prediction.encoding.ids[prediction.judged]
    own, mask = table[ids] @ w, table[tiny_bert.tokenizer.mask] @ w
    torch.testing.assert_close(gradient_times_input(prediction), own, atol=1e-5, rtol=0)
    torch.testing.assert_close(deletion(prediction), own - mask, atol=1e-5, rtol=0)
    result = integrated_gradients(prediction, steps=1)
    torch.testing.assert_close(result.values, own - mask, atol=1e-5, rtol=0)
    assert abs(result.error) < 1e-4


def test_the_gradient_is_that_of_finite_differences(prediction):
    double = in_double(prediction)
    start = double.model.input_parameters()
    step, table = 1e-5, start.tokens * start.scale
    position = prediction.judged[-2]  # within the windows of Mistral

    def value(factor: float) -> float:
        """The prediction if one token's vector is longer by `factor`."""
        seen = []

        def edit(site, layer, tensor):
            if site.startswith("embedding") and not seen:
                seen.append(site)
                tensor = tensor.clone()
                tensor[0, position] += factor * table[prediction.encoding.ids[position]]
            return tensor

        ids, segments = prediction.encoding.ids[None], prediction.encoding.segments[None]
        passed = double.model.run(ids, segments, edit=edit)
        with torch.no_grad():
            return float(double.nats(double.scores(passed, [double.places])))

    expected = (value(step) - value(-step)) / (2 * step)
    found = float(gradient_times_input(double)[-2])
    assert found == pytest.approx(expected, rel=2e-3, abs=1e-4)
    if not (prediction.model.causal and start.norm):  # in BLOOM a longer vector is normalised at once
        assert abs(expected) > 1e-4, "the token does something"


def test_integrated_gradients_are_complete(prediction):
    errors = [abs(integrated_gradients(prediction, steps).error) for steps in (1, 256)]
    difference = integrated_gradients(prediction, 1).difference
    assert errors[1] < 0.02 * max(1.0, abs(difference)), errors


def test_the_difference_is_that_to_the_text_without_its_words(prediction):
    if prediction.mask is None:
        pytest.skip("the baseline of a model without [MASK] is no text")
    whole, blank = nats_without(prediction, [[], prediction.judged])
    difference = integrated_gradients(prediction, 1).difference
    assert difference == pytest.approx(float(whole - blank), abs=1e-4)


def test_texts_that_share_a_beginning_get_what_each_gets_alone(prediction):
    removed = [[], *([p] for p in prediction.judged), prediction.judged[1:4], prediction.judged[1:3]]
    together = nats_without(prediction, removed)
    alone = torch.cat([nats_without(replace(prediction), [positions]) for positions in removed])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=0)
    assert len(set(together.tolist())) == len(removed), "each row differs"


def test_a_beginning_is_read_once_and_a_text_too(tiny_gpt):
    prediction, tokens = word_prediction(tiny_gpt, START), []
    handle = tiny_gpt.network.register_forward_pre_hook(lambda _, inputs: tokens.append(inputs[0].numel()))
    twice = [deletion(prediction) for _ in range(2)]
    handle.remove()
    length = len(prediction.encoding)
    assert tokens == [length + sum(length - 1 - position for position in prediction.judged)]
    assert torch.equal(*twice)


def test_deletion_is_the_text_typed_without_the_word(tiny_bert, tiny_gpt):
    blank = word_prediction(tiny_bert, BLANK, "bank")
    typed = word_prediction(tiny_bert, BLANK.replace("old", "[MASK]"), "bank")
    whole, without = (float(nats(p, [p.encoding])) for p in (blank, typed))
    position = blank.encoding.tokens.index("old")
    assert float(deletion(blank)[blank.judged.index(position)]) == pytest.approx(whole - without, abs=1e-5)

    whole, without = (word_prediction(tiny_gpt, text, " the") for text in ("we saw the bank", "we saw the"))
    last = [p for p in whole.judged if p >= len(without.encoding)]
    left_out = float(nats_without(whole, [last]))
    assert left_out == pytest.approx(float(nats(without, [without.encoding])), abs=1e-5)


def test_a_contrast_is_the_difference_of_two_words(tiny_bert):
    contrast = word_prediction(tiny_bert, BLANK, "bank", "water")
    two = [word_prediction(tiny_bert, BLANK, word) for word in ("bank", "water")]
    for method in (deletion, gradient_times_input, lambda p: integrated_gradients(p, 8).values):
        first, second = map(method, two)
        torch.testing.assert_close(method(contrast), first - second, atol=2e-4, rtol=0)


def test_rollout_is_that_of_the_position_that_predicts(tiny_bert):
    prediction = word_prediction(tiny_bert, BLANK)
    place = prediction.encoding.tokens.index("[MASK]")
    row = rollout.rollout(rollout.steps(tiny_bert.trace(BLANK)))[-1][place]
    assert prediction.places == (place,)
    assert torch.equal(rollout_shares(prediction), row[prediction.judged])


def test_special_tokens_and_blanks_are_not_judged(tiny_bert):
    prediction = word_prediction(tiny_bert, "we saw the [MASK] by the [MASK].")
    judged = [prediction.encoding.tokens[p] for p in prediction.judged]
    assert judged == ["we", "saw", "the", "by", "the", "."]


def test_the_first_token_of_a_reader_from_the_left_is_not_judged(tiny_gpt):
    prediction = word_prediction(tiny_gpt, "we saw the bank")
    assert prediction.judged == list(range(1, len(prediction.encoding)))


@pytest.mark.parametrize("steps", [0, -1, True, 1.5])
def test_steps_are_a_whole_number(tiny_bert, steps):
    with pytest.raises(ExplorerError, match="steps is"):
        integrated_gradients(word_prediction(tiny_bert, BLANK), steps)
