"""Activation patching of every family of Transformers, on random weights."""

import sys
from dataclasses import replace

import pytest
import torch

from explorer.analysis import patching
from explorer.analysis.patching.contrast import Contrast, read_prompt
from explorer.analysis.patching.direct import SITES, _vectors
from explorer.analysis.patching.runs import answers, record, run
from explorer.errors import AbilityError, TextError
from explorer.models.family import Start
from explorer.trace import Ability, Capture
from tests.models import families

PREDICTS = Ability.FILL | Ability.GENERATE
CLOSE = {"atol": 2e-4, "rtol": 2e-3}


@pytest.fixture(scope="module", params=families.NETWORKS)
def model(request, tmp_path_factory):
    model = families.build(request.param, tmp_path_factory.mktemp(request.param))
    if Ability.ATTENTION not in model.abilities or not model.abilities & PREDICTS:
        pytest.skip("it has no heads, or predicts no words")
    return model


@pytest.fixture(scope="module")
def pair(model):
    """Two prompts that differ in two tokens, given by their ids: any vocabulary has some."""
    text = "the bank by the river" + (" [MASK]" if Ability.FILL in model.abilities else "")
    first, position = read_prompt(model, text)
    ids = first.ids.clone()
    plain = [i for i in range(len(ids)) if not first.special[i] and i != position]
    ids[plain[1]], ids[plain[2]] = ids[plain[2]], ids[plain[0]]
    second = replace(first, ids=ids)
    logits = torch.stack([answers(model, one, position)[0] for one in (first, second)])
    change = logits[0] - logits[1]
    return Contrast(first, second, position, int(change.argmax()), int(change.argmin()), logits)


def test_a_run_that_starts_at_a_layer_is_the_whole_run(model, pair):
    states = record(model, pair.second, ["hidden", "embedding"])
    for layer in range(model.config.layers + 1):
        below = states["hidden", layer - 1] if layer else states["embedding", 0]
        logits = answers(model, pair.second, pair.position, start=Start(layer, below))
        torch.testing.assert_close(logits[0], pair.logits[1], **CLOSE)


def test_all_states_of_a_layer_are_the_first_run_and_none_is_the_second(model, pair):
    states = record(model, pair.first, ["hidden"])
    for layer in range(model.config.layers):
        logits = answers(model, pair.second, pair.position, start=Start(layer + 1, states["hidden", layer]))
        assert float(pair.share(logits)[0]) == pytest.approx(1, abs=1e-3)
    assert float(pair.share(pair.logits[1])) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("kind", ["hidden", "attention", "mlp"])
def test_each_state_is_patched_as_by_a_plain_edit(model, pair, kind):
    site = {"hidden": "hidden", "attention": "attention_output", "mlp": "mlp_output"}[kind]
    share, states = patching.patch_states(model, pair, kind).share, record(model, pair.first, [site])
    assert share.shape == (model.config.layers, len(pair.second))
    for layer in range(model.config.layers):
        for place in range(len(pair.second)):

            def edit(where, at, tensor, layer=layer, place=place):
                if (where, at) != (site, layer):
                    return tensor
                tensor = tensor.clone()
                tensor[:, place] = states[site, layer][:, place]
                return tensor

            plain = pair.share(answers(model, pair.second, pair.position, edit=edit))
            assert float(share[layer, place]) == pytest.approx(float(plain[0]), abs=1e-3)


def test_the_states_with_one_of_a_shorter_text_are_those_of_a_plain_edit(model, pair):
    short, _ = read_prompt(model, "the river" + (" [MASK]" if Ability.FILL in model.abilities else ""))
    states, last = record(model, short, ["hidden", "embedding"]), len(pair.second) - 1
    for layer in range(model.config.layers + 1):
        place = ("hidden", layer - 1) if layer else ("embedding", 0)

        def edit(site, at, tensor, place=place):
            if (site, at) != place:
                return tensor
            tensor = tensor.clone()
            tensor[:, last] = states[place][:, 1]
            return tensor

        plain = run(model, pair.second, edit=edit, capture=Capture.HIDDEN).hidden_states
        put = patching.states_with(model, pair.second, short, layer, 1, last)
        assert len(put) == len(plain)
        for one, other in zip(put, plain, strict=True):
            torch.testing.assert_close(one, other.detach(), **CLOSE)


@pytest.mark.parametrize("kind", ["hidden", "attention", "mlp"])
def test_the_estimate_is_the_slope_of_the_answer(model, pair, kind):
    site = {"hidden": "hidden", "attention": "attention_output", "mlp": "mlp_output"}[kind]
    estimate = patching.estimate_states(model, pair, kind).share
    states = record(model, pair.first, [site])
    step, layer, place = 1e-2, 1, pair.differing[0]

    def answer(share):
        def edit(where, at, tensor):
            if (where, at) != (site, layer):
                return tensor
            tensor = tensor.clone()
            tensor[:, place] += share * (states[site, layer][:, place] - tensor[:, place])
            return tensor

        return float(pair.share(answers(model, pair.second, pair.position, edit=edit))[0])

    slope = (answer(step) - answer(-step)) / (2 * step)
    assert float(estimate[layer, place]) == pytest.approx(slope, abs=0.02, rel=0.05)


def test_each_head_is_patched_as_by_a_plain_edit(model, pair):
    patched, place = patching.patch_heads(model, pair), pair.position
    outputs = record(model, pair.first, ["head_output", "mlp_output"])
    assert patched.share.shape == (model.config.layers, model.config.heads)
    for layer in range(model.config.layers):
        for part in range(model.config.heads + 1):

            def edit(site, at, tensor, layer=layer, part=part):
                wanted = "mlp_output" if part == model.config.heads else "head_output"
                if (site, at) != (wanted, layer):
                    return tensor
                tensor = tensor.clone()
                where = (0, place) if part == model.config.heads else (0, part, place)
                tensor[where] = outputs[site, layer][where]
                return tensor

            plain = float(pair.share(answers(model, pair.second, place, edit=edit))[0])
            row = patched.mlp if part == model.config.heads else patched.share[:, part]
            assert float(row[layer]) == pytest.approx(plain, abs=1e-3)


def test_heads_together_begin_with_the_strongest(model, pair):
    patched = patching.patch_heads(model, pair)
    together = patching.patch_together(model, patched, enough=10.0)
    assert together.heads == patched.ranking()[: len(together.heads)]
    assert together.shares[0] == pytest.approx(float(patched.share.max()), abs=1e-3)


def test_the_parts_of_a_logit_are_the_last_state_and_sum_to_the_logit(model, pair):
    with torch.no_grad():
        vectors, kinds = _vectors(model, record(model, pair.first, SITES), pair.position)
        last = record(model, pair.first, ["hidden"])["hidden", model.config.layers - 1][0, pair.position]
        torch.testing.assert_close(vectors.sum(0), model.final_norm(last), atol=1e-3, rtol=1e-3)
    assert kinds.count("head") == model.config.layers * model.config.heads
    result = patching.direct_logits(model, pair.first.text)
    assert result.logit == pytest.approx(float(pair.logits[0].max()), abs=1e-3)
    if not hasattr(model.network, "mlm_head") and model.network.design.logit_cap is None:
        assert abs(result.rest) < 1e-3


def test_a_pair_in_words(bert):
    pair = patching.contrast(bert, "we sat on the [MASK]", "we sat in the [MASK]", "bank", "river")
    assert bert.tokenizer.token(pair.answer) == "bank" and pair.differing == [3]
    assert pair.share(pair.logits).tolist() == pytest.approx([1, 0])


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("we sat on the [MASK]", "we sat on the [MASK]", "the same"),
        ("we sat on the [MASK]", "we sat the [MASK]", "6 and 5 tokens|8 and 7 tokens|7 and 6 tokens"),
        ("we sat on the [MASK]", "we sat on the bank", "no .MASK. in"),
        ("we sat on the [MASK]", "  ", "empty"),
        ("we sat [MASK] the bank", "we [MASK] sat the bank", "not at the same place"),
    ],
)
def test_what_cannot_be_compared_is_said(bert, first, second, words):
    with pytest.raises(TextError, match=words):
        patching.contrast(bert, first, second)


def test_the_same_answer_is_named(bert):
    with pytest.raises(TextError, match="Both prompts are answered by “bank”"):
        patching.contrast(bert, "we sat on the [MASK]", "we sat in the [MASK]", "bank", "bank")


def test_what_both_prompts_go_on_with_is_passed_over(tiny_gpt, monkeypatch):
    """Both go on with “ the”, and then the first with “,”, which is no word."""
    words = {word: tiny_gpt.tokenizer.pieces(word)[0] for word in (" the", ",", " bank", " river")}
    ranked = {
        "we sat on": [" the"],
        "we sat in": [" the"],
        "we sat on the": [",", " bank"],
        "we sat in the": [" river"],
    }

    def logits(model, encoding, *_):
        row = torch.zeros(1, model.config.d_vocab)
        for place, word in enumerate(ranked[encoding.text]):
            row[0, words[word]] = 2.0 - place / 2
        return row

    monkeypatch.setattr(sys.modules[patching.contrast.__module__], "answers", logits)
    pair = patching.contrast(tiny_gpt, "we sat on", "we sat in")
    assert pair.words == ("bank", "riv") and pair.first.text == "we sat on the"
    assert "go on with “the”" in pair.notes[0] and "“,” is likelier than “bank”" in pair.notes[1]
    with pytest.raises(TextError, match="Both prompts are answered by “the”"):  # as it was typed
        patching.contrast(tiny_gpt, "we sat on", "we sat in", "the", "the")


def test_of_an_answer_of_several_tokens_the_first_is_taken_and_said(bert):
    pair = patching.contrast(bert, "we sat on the [MASK]", "we sat in the [MASK]", "unbelievable", "river")
    assert bert.tokenizer.token(pair.answer) == "un" and "its first is “un”" in pair.notes[0]


def test_an_unknown_kind_and_a_model_without_words_are_refused(bert, encoder):
    pair = patching.contrast(bert, "we sat on the [MASK]", "we sat in the [MASK]", "bank", "river")
    with pytest.raises(TextError, match="no kind of state"):
        patching.patch_states(bert, pair, "heads")
    with pytest.raises(AbilityError):
        patching.contrast(encoder, "we sat", "we walk")


def test_noise_is_repeated_by_its_seed_and_all_states_take_it_away(model):
    text = "the bank by the river" + (" [MASK]" if Ability.FILL in model.abilities else "")
    one, same, other = (patching.disturb(model, text, "bank", seed=seed) for seed in (0, 0, 1))
    assert torch.equal(one.noise, same.noise) and not torch.equal(one.noise, other.noise)
    assert len(one.differing) >= 1 and one.high != one.low
    states = record(model, one.first, ["hidden"])
    for layer in range(model.config.layers):
        logits = answers(model, one.second, one.position, start=Start(layer + 1, states["hidden", layer]))
        assert float(one.share(logits)[0]) == pytest.approx(1, abs=1e-2)
    assert patching.patch_states(model, one).share.shape == patching.estimate_states(model, one).share.shape
    assert len(patching.patch_together(model, patching.patch_heads(model, one)).shares) >= 1


def test_a_subject_that_is_not_there_is_named(bert):
    with pytest.raises(TextError, match="“harbour” is not in the prompt"):
        patching.disturb(bert, "we sat on the [MASK]", "harbour")


@pytest.mark.parametrize(
    ("word", "place", "layers"),
    [
        ([1, 1, 0.6, 0, 0], [0, 0, 0.4, 0.9, 1], (2, 3)),
        ([1, 1, 1, 1, 1], [0, 0, 0, 0, 0], None),
        ([0, 0, 0, 0, 0], [0, 0, 0, 1, 1], None),
        ([1, 1, 0, 0, 0], [0, 1, 0, 1, 1], (1, 3)),
    ],
)
def test_where_the_answer_leaves_the_word(bert, word, place, layers):
    pair = patching.contrast(bert, "we sat on the [MASK]", "we sat in the [MASK]", "bank", "river")
    share = torch.zeros(5, len(pair.second))
    share[:, pair.differing[0]], share[:, pair.position] = torch.tensor(word), torch.tensor(place)
    assert patching.PatchedStates(pair, "hidden", share).handover() == layers
