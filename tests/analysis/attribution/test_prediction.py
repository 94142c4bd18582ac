"""What is predicted: words by their tokens, the likeliest without one, and what is refused."""

import pytest
import torch

import explorer
from explorer.analysis.attribution.prediction import nats, word_prediction
from explorer.analysis.attribution.removal import deletion
from explorer.analysis.prediction import fill_mask, next_tokens
from explorer.errors import AbilityError, TextError

BLANK = "we saw the [MASK] by the old river."


def value(prediction) -> float:
    return float(nats(prediction, [prediction.encoding]))


def test_a_word_at_the_blank_has_the_probability_of_fill_mask(tiny_bert):
    ((token, probability), (second, _)), *_ = fill_mask(tiny_bert, BLANK, top=2)
    for answer in ("", token):
        assert value(word_prediction(tiny_bert, BLANK, answer)) == pytest.approx(
            torch.tensor(probability).log(), abs=1e-5
        )
    likeliest_but_one = word_prediction(tiny_bert, BLANK, "", token)
    assert tiny_bert.tokenizer.token(likeliest_but_one.answer) == second


def test_a_word_after_the_text_has_the_probability_of_next_tokens(tiny_gpt):
    (token, probability), *_ = next_tokens(tiny_gpt, "we saw the", top=1)
    prediction = word_prediction(tiny_gpt, "we saw the")
    assert tiny_gpt.tokenizer.readable(prediction.answer) == token
    assert value(prediction) == pytest.approx(torch.tensor(probability).log(), abs=1e-5)


def test_a_word_has_a_space_before_it_unless_the_text_ends_with_one(tiny_gpt):
    token = tiny_gpt.tokenizer.token
    assert token(word_prediction(tiny_gpt, "we saw the light in", "the").answer) == "Ġthe"
    assert token(word_prediction(tiny_gpt, "we saw the light ", "t").answer) == "t"
    assert token(word_prediction(tiny_gpt, "we saw the light", ".").answer) == "."


def test_a_long_text_is_read_to_the_limit(tiny_bert, tiny_gpt):
    assert len(word_prediction(tiny_bert, BLANK + " we saw" * 40, limit=20).encoding) == 20
    prediction = word_prediction(tiny_gpt, "the river " * 40, limit=20)
    assert len(prediction.encoding) == 20 and prediction.places == (19,)


def test_markup_is_text(tiny_bert):
    prediction = word_prediction(tiny_bert, "the [MASK] </script>")
    assert deletion(prediction).isfinite().all() and len(prediction.judged) > 3


@pytest.mark.parametrize(
    "text, answer, instead, message",
    [
        ("we saw the river", "", "", "no \\[MASK\\]"),
        ("we saw " * 80 + "the [MASK]", "", "", "comes after"),
        ("[MASK]", "", "", "fewer than two words"),
        ("the [MASK]", "", "", "fewer than two words"),
        (BLANK, "bank", "bank", "the same"),
        (BLANK, "riverbank", "", "not one token"),
        (BLANK, "bank", "ʘ", "not one token"),
        ("", "", "", "no \\[MASK\\]"),
    ],
)
def test_what_bert_refuses(tiny_bert, text, answer, instead, message):
    with pytest.raises(TextError, match=message):
        word_prediction(tiny_bert, text, answer, instead)


def test_what_gpt_refuses(tiny_gpt):
    for text, answer, message in [("", "", "fewer than two"), ("we saw the", "river bank", "not one token")]:
        with pytest.raises(TextError, match=message):
            word_prediction(tiny_gpt, text, answer)


def test_models_that_cannot_be_asked():
    with pytest.raises(AbilityError, match="predict words"):
        word_prediction(explorer.load("electra-discriminator"), BLANK)
    with pytest.raises(AbilityError, match="which of its words mattered"):
        word_prediction(explorer.load("word2vec"), BLANK)
