"""Directions made of two lists of texts, and what they do to texts and guesses."""

from math import log

import pytest
import torch

from explorer.analysis import steering
from explorer.analysis.generation.steps import Sampling, generate
from explorer.analysis.prediction import fill
from explorer.errors import AbilityError, ExplorerError, TextError
from explorer.trace import Capture

TOWARD, AWAY = ["the old river", "we saw the light and the water"], ["money in the bank", "was it deep"]


def test_a_direction_is_the_difference_of_two_means(bert, gpt):
    for model, own in ((bert, slice(1, -1)), (gpt, slice(1, None))):
        means = [
            torch.stack([model.trace(text).hidden_states[2, own].mean(0) for text in texts]).mean(0)
            for texts in (TOWARD, AWAY)
        ]
        found = steering.direction(model, TOWARD, AWAY, layer=2)
        assert found.layer == 2 and found.checkpoint == str(model.checkpoint)
        torch.testing.assert_close(found.vector, means[0] - means[1], atol=1e-5, rtol=1e-5)


def test_steered_texts_written_together_and_with_branches(gpt):
    """A strength of 0 leaves the text as it is; others change it, also where it is continued otherwise."""
    found = steering.direction(gpt, TOWARD, AWAY, layer=2)
    sampling = Sampling(seed=4, max_new_tokens=12)
    plain = [step.id for step in generate(gpt, "we saw", sampling)]
    for strength, same in ((0.0, True), (3.0, False), (-3.0, False)):
        steered = generate(gpt, "we saw", sampling, steer=[(found, strength)])
        assert ([step.id for step in steered] == plain) is same
        branch = steered.branch(4, steered.ids[4])
        list(branch)
        assert branch.ids == steered.ids


def test_a_steered_gap_is_that_of_an_edited_pass(bert):
    text, found = "we saw the [MASK] .", steering.direction(bert, TOWARD, AWAY, layer=1)
    plain, steered = (fill.blanks(bert, text, edit=steering.edit(bert, [(found, s)])) for s in (0.0, 30.0))
    assert torch.equal(plain.probabilities, fill.blanks(bert, text).probabilities)

    def add(site, layer, states):
        return states + 30 * found.vector if (site, layer) == ("hidden", 0) else states

    encoding = bert.encode(text)
    last = bert.run(encoding.ids[None], segments=encoding.segments[None], edit=add).last[0]
    expected = bert.unembed(last[steered.positions]).softmax(-1)
    torch.testing.assert_close(steered.probabilities, expected)
    assert not torch.allclose(steered.probabilities, plain.probabilities, atol=1e-3)


def test_what_cannot_be_steered(bert, gpt):
    with pytest.raises(TextError, match="no text"):
        steering.directions(gpt, TOWARD, [])
    with pytest.raises(TextError, match="say the same"):
        steering.directions(gpt, TOWARD, [*reversed(TOWARD)])
    with pytest.raises(TextError, match="too short"):
        steering.directions(gpt, TOWARD, ["e"])
    with pytest.raises(ExplorerError, match="no layer 9"):
        steering.direction(gpt, TOWARD, AWAY, layer=9)
    found = steering.direction(bert, TOWARD, AWAY, layer=1)
    with pytest.raises(ExplorerError, match="does not fit"):
        generate(gpt, "we saw", Sampling(), steer=[(found, 1.0)])
    with pytest.raises(AbilityError):
        own = steering.direction(gpt, TOWARD, AWAY, layer=1)
        fill.blanks(gpt, "we saw the [MASK]", edit=steering.edit(gpt, [(own, 1.0)]))


def test_the_means_of_the_lists_are_the_ends_of_the_direction(gpt):
    found = steering.direction(gpt, TOWARD, AWAY, layer=2)
    ends = [steering.mean_states(gpt, texts)[2] for texts in (TOWARD, AWAY)]
    torch.testing.assert_close(found.place(torch.stack(ends)), torch.tensor([1.0, -1.0]))
    prompt, written = gpt.encode("we saw").ids.tolist(), gpt.encode(" the old river").ids.tolist()
    states = gpt.run(torch.tensor([prompt + written]), capture=Capture.HIDDEN).hidden_states[2][0]
    place = steering.place_of_text(gpt, prompt, written, found)
    assert place == pytest.approx(float(found.place(states[len(prompt) :].mean(0))), abs=1e-5)


def test_effects_are_expected_values_of_edited_passes(gpt):
    made = steering.directions(gpt, TOWARD, AWAY)
    prompt, written = gpt.encode("we saw").ids.tolist(), gpt.encode(" the old river").ids.tolist()
    plain, steered = steering.effects(gpt, prompt, written, (made[2], made[-1]), [0.0, 4.0])
    logs = []
    for effect in (plain, steered):
        states = gpt.run(
            torch.tensor([prompt + written]), edit=steering.edit(gpt, [(made[2], effect.strength)])
        ).last[0]
        logs.append(gpt.unembed(states)[len(prompt) - 1 : -1].log_softmax(-1))
        assert effect.bits == pytest.approx(
            -float((logs[-1].exp() * logs[0]).sum(-1).mean()) / log(2), rel=1e-4
        )
    toward, away = steering.words_of_lists(gpt, made[-1])
    assert len(toward) == len(away) and not {*toward.tolist()} & {*away.tolist()}
    assert steered.toward == pytest.approx(float(logs[1].exp()[:, toward].sum(-1).mean()), rel=1e-4)
    assert steered.away == pytest.approx(float(logs[1].exp()[:, away].sum(-1).mean()), rel=1e-4)
