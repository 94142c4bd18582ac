"""The class of a text as a prediction whose words are judged."""

import pytest
import torch

from explorer.analysis.attribution.gradients import integrated_gradients
from explorer.analysis.attribution.prediction import nats
from explorer.analysis.attribution.removal import deletion, nats_without
from explorer.errors import TextError
from explorer.finetuning import Classes, Features, fit
from explorer.finetuning.attribution import class_prediction

TEXT = "we saw the old river by the bank"
CHOICES = [
    ("tiny_bert", Features("last", "cls"), "frozen"),
    ("tiny_bert", Features("mix", "cls"), "frozen"),
    ("tiny_bert", Features("last", "mean"), "low rank"),
    ("tiny_gpt", Features("last", "last"), "frozen"),
    ("tiny_gpt", Features("sum of all", "mean"), "frozen"),
]


@pytest.fixture(params=CHOICES, ids=str)
def head(request, labelled):
    name, features, how = request.param
    model = request.getfixturevalue(name)
    *_, last = fit(model, Classes(("water", "money")), labelled, features=features, how=how)
    return last.head


def test_it_is_the_head_s_own_probability(head):
    for label, probability in head.predict([TEXT])[0].probabilities.items():
        prediction = class_prediction(head, TEXT, label)
        value = nats(prediction, [prediction.encoding])
        assert float(value.exp()) == pytest.approx(probability, abs=1e-5)


def test_without_a_word_it_is_the_head_s_own_probability_too(head):
    """Leaving out the last word, whose state a head on GPT reads."""
    prediction = class_prediction(head, TEXT, "water")
    shorter = TEXT.removesuffix(" bank") + (" [MASK]" if prediction.mask is not None else "")
    last = [p for p in prediction.judged if p >= len(head.model.encode(TEXT.removesuffix(" bank")))]
    if prediction.mask is not None:
        last = [prediction.judged[-1]]
    before, after = (head.predict([text])[0].probabilities["water"] for text in (TEXT, shorter))
    found = nats_without(prediction, [[], last]).exp()
    torch.testing.assert_close(found, torch.tensor([before, after]), atol=1e-5, rtol=0)
    assert abs(before - after) > 1e-6


def test_its_gradients_are_complete(head):
    prediction = class_prediction(head, TEXT, "water", "money")
    result = integrated_gradients(prediction, 128)
    assert abs(result.error) < 0.02 * max(1.0, abs(result.difference))
    assert deletion(prediction).isfinite().all()


def test_what_is_refused(head, labelled):
    with pytest.raises(TextError, match="no class of this head"):
        class_prediction(head, TEXT, "wine")
    with pytest.raises(TextError, match="the same"):
        class_prediction(head, TEXT, "water", "water")
    with pytest.raises(TextError, match="fewer than two"):
        class_prediction(head, "the")
