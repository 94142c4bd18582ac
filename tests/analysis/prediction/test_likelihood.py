"""Many texts at once against one at a time; the sums themselves are worked out in test_prediction."""

import pytest

from explorer.analysis.prediction import likelihood
from explorer.analysis.prediction.fill import log_likelihood
from explorer.analysis.prediction.likelihood import log_likelihoods
from explorer.errors import AbilityError, TextError

TEXTS = ["we sat on the bank.", "", "bank", "the water was light", "walking 🙂!", "we sat on the bank."]


@pytest.mark.parametrize("name", ["bert", "gpt"])
@pytest.mark.parametrize("tokens", [1, 16, 1024])
def test_many_texts_score_as_each_alone(name, tokens, request, monkeypatch):
    model = request.getfixturevalue(name)
    alone = [log_likelihood(model, text) for text in TEXTS]
    monkeypatch.setattr(likelihood, "BATCH_TOKENS", tokens)
    assert log_likelihoods(model, TEXTS) == pytest.approx(alone, rel=1e-5)
    assert alone[1] == 0.0 and len({round(score, 4) for score in alone}) == 5
    assert log_likelihoods(model, []) == []


def test_rows_of_all_texts_share_batches(bert, monkeypatch):
    shapes = []
    forward = bert.network.forward

    def counted(ids, **arguments):
        shapes.append(tuple(ids.shape))
        return forward(ids, **arguments)

    monkeypatch.setattr(bert.network, "forward", counted)
    texts = ["we sat on the bank"] * 9 + ["the water"] * 4
    log_likelihoods(bert, texts)
    assert shapes == [(9 * 5 + 4 * 2, 7)]


def test_one_text_too_long_is_named(bert, gpt):
    for model in (bert, gpt):
        with pytest.raises(TextError, match="tokens; folder:tiny"):
            log_likelihoods(model, ["we", "a " * 60])


def test_an_encoder_without_a_head_scores_nothing(encoder):
    with pytest.raises(AbilityError):
        log_likelihoods(encoder, ["we"])
