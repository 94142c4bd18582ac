"""ELECTRA's training on one text, on a tiny random pair of one vocabulary."""

import math

import pytest
import torch

import explorer
from explorer.analysis.prediction import replacing
from explorer.errors import AbilityError, FormatError, TextError
from tests import encoders, tiny

TEXT = "the old bank by the river is deep and the water was light"


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    return tuple(map(explorer.load, encoders.write_pair(tmp_path_factory.mktemp("pair"))))


def round_of(pair, seed=0, share=0.15):
    generator, discriminator = pair
    encoding = discriminator.encode(TEXT)
    places = replacing.hidden_places(encoding, seed, share)
    drawn = replacing.fill(generator, encoding, places, seed)
    return encoding, places, drawn, replacing.judge(discriminator, encoding, drawn)


def test_fifteen_percent_rounded_up_and_never_a_special_token(pair):
    encoding, places, _, _ = round_of(pair)
    may = int((~encoding.special).sum())
    assert len(places) == math.ceil(0.15 * may) and places == sorted(set(places))
    assert not encoding.special[places].any()
    assert round_of(pair, seed=1)[1] != places
    assert len(round_of(pair, share=1.0)[1]) == may


@pytest.mark.parametrize(("tokens", "hidden"), [(20, 3), (21, 4), (1, 1)])
def test_the_share_is_not_rounded_up_by_an_error_of_the_arithmetic(pair, tokens, hidden):
    encoding = pair[1].encode(" ".join(["the"] * tokens))
    assert len(replacing.hidden_places(encoding, 0)) == hidden


def test_what_is_drawn_and_the_loss_there_are_the_generators_own(pair):
    generator, _ = pair
    encoding, places, drawn, judged = round_of(pair)
    shown = encoding.ids.clone()
    shown[places] = generator.tokenizer.special_id("mask")
    last = generator.run(shown[None], segments=encoding.segments[None]).last[0]
    chances = generator.unembed(last).softmax(-1)
    for one in drawn:
        assert one.probability == pytest.approx(float(chances[one.position, one.id]), rel=1e-5)
        original = float(chances[one.position, encoding.ids[one.position]])
        assert one.loss == pytest.approx(-math.log(original), rel=1e-5)
        assert judged.ids[one.position] == one.id
    assert [one.position for one in drawn] == places
    untouched = [at for at in range(len(encoding)) if at not in places]
    assert torch.equal(judged.ids[untouched], encoding.ids[untouched])


def test_the_verdicts_are_the_discriminators_and_the_loss_that_of_the_truth(pair):
    _, discriminator = pair
    encoding, _, _, judged = round_of(pair, share=0.5)
    last = discriminator.run(judged.ids[None], segments=encoding.segments[None]).last[0]
    expected = discriminator.detect(last).sigmoid()
    torch.testing.assert_close(judged.probabilities, expected)
    assert torch.equal(judged.replaced, judged.ids != encoding.ids)
    for at in range(len(encoding)):
        right = expected[at] if judged.replaced[at] else 1 - expected[at]
        loss = 0.0 if encoding.special[at] else -math.log(float(right))
        assert float(judged.losses[at]) == pytest.approx(loss, abs=1e-5)
        assert bool(judged.suspected[at]) == (not encoding.special[at] and float(expected[at]) > 0.5)


def test_a_draw_of_the_original_token_counts_as_original(pair):
    encoding = pair[1].encode(TEXT)
    same = [replacing.Replacement(3, int(encoding.ids[3]), 0.5, 0.5)]
    assert not replacing.judge(pair[1], encoding, same).replaced.any()


def test_a_seed_gives_the_same_round(pair):
    one, other = round_of(pair, 4), round_of(pair, 4)
    assert one[1:3] == other[1:3] and torch.equal(one[3].probabilities, other[3].probabilities)
    draws = {tuple(d.id for d in round_of(pair, seed)[2]) for seed in range(6)}
    assert len(draws) > 3


def test_words_of_ones_own_are_judged_where_they_stand(pair):
    text, spans = replacing.with_words("the old bank, by the river", [(4, 7), (8, 12)], ["deep", "water"])
    assert text == "the deep water, by the river" and [text[s:e] for s, e in spans] == ["deep", "water"]
    judged = replacing.judge_words(pair[1], text, spans)
    replaced = [t for t, r in zip(judged.encoding.tokens, judged.replaced.tolist()) if r]
    assert replaced == ["deep", "water"]
    untouched = replacing.judge(pair[1], pair[1].encode(text), [])
    torch.testing.assert_close(judged.probabilities, untouched.probabilities)


def test_all_pieces_of_a_word_of_ones_own_are_replaced(pair):
    judged = replacing.judge_words(pair[1], "the qxz bank", [(4, 7)])
    replaced = [t for t, r in zip(judged.encoding.tokens, judged.replaced.tolist()) if r]
    assert replaced == ["q", "##x", "##z"]


def test_what_cannot_be_is_said(pair, tmp_path):
    generator, discriminator = pair
    encoding = discriminator.encode(TEXT)
    with pytest.raises(AbilityError):
        replacing.fill(discriminator, encoding, [1], 0)
    with pytest.raises(AbilityError):
        replacing.judge(generator, encoding, [])
    with pytest.raises(TextError):
        replacing.judge_words(discriminator, "the bank", [(4, 20)])
    assert replacing.fill(generator, encoding, [], 0) == []
    replacing.check_pair(generator, discriminator)
    tiny.write_gpt(tmp_path)
    with pytest.raises(FormatError, match="different vocabularies"):
        replacing.check_pair(explorer.load(f"folder:{tmp_path}"), discriminator)
