"""“Which words mattered”: what its rows show, and odd input."""

import pytest
import torch

import explorer
from explorer.analysis.attribution.prediction import word_prediction
from explorer.analysis.attribution.removal import deletion
from explorer.views.look import theme
from explorer.views.why.which_rows import shade
from explorer.views.why.which_values import METHODS, hide_last_word
from tests import encoders
from tests.views.opening import opened, printed_result, problems, said, sent

TEXT = "we saw the [MASK] by the old river."
HOSTILE = "the [MASK] </script> bank"


@pytest.fixture
def open_at(bert_folder, gpt_folder):
    """open_at(first=...) -> the view on the tiny BERT, or with causal=True on the tiny GPT."""

    def open_(causal: bool = False, **settings):
        model = f"folder:{gpt_folder if causal else bert_folder}"
        return opened("why", **{"view": "which", "model": model, "first": TEXT} | settings)

    return open_


def numbers(row: dict) -> list[float]:
    """What the tooltips of a row's words say."""
    titles = [token["title"] for token in row["tokens"] if "title" in token]
    return [float(title.split()[0].replace("−", "-")) for title in titles]


def test_four_rows_show_one_sentence_with_their_numbers(open_at, tiny_bert):
    rows = sent(open_at(answer="bank", instead="water"), "token_strip")
    assert len(rows) == len(METHODS)
    texts = [[token["text"] for token in row["tokens"]] for row in rows]
    assert texts[0][0] == "[CLS]" and all(text == texts[0] for text in texts)
    expected = deletion(word_prediction(tiny_bert, TEXT, "bank", "water"))
    torch.testing.assert_close(torch.tensor(numbers(rows[0])), expected, atol=6e-4, rtol=0)
    strongest = int(expected.abs().argmax())
    marks = [token["mark"] for token in rows[0]["tokens"] if "title" in token]
    assert marks[strongest] == ("solid" if expected[strongest] > 0 else "dashed")


def test_it_says_what_is_predicted_and_what_is_missing(open_at):
    text = said(open_at(answer="bank", instead="water", which_steps=3))
    assert "“bank”" in text and "“water”" in text and "with 3 steps" in text
    assert "Rank correlation" in text and "How to read it:" in text


def test_markup_stays_text(open_at):
    at = open_at(first=HOSTILE, answer="bank")
    assert "</script>" not in said(at)
    (row, *_) = sent(at, "token_strip")
    assert "".join(token["text"] for token in row["tokens"][3:5]) == "</"


def test_without_a_blank_the_last_word_is_hidden(open_at, tiny_bert):
    assert hide_last_word(tiny_bert, "we saw the old river.") == ("we saw the old [MASK].", "river")
    assert hide_last_word(tiny_bert, "...") == ("...", "")
    assert "“river”" in said(open_at(first="we saw the old river."))
    rows = sent(open_at(first="we ___ the old river.", answer="saw"), "token_strip")
    assert rows[0]["tokens"][2]["text"] == "[MASK]", "a blank, however it is written"


def test_the_hidden_word_of_a_roberta_is_read_as_its_answer(tmp_path):
    encoders.write("roberta", tmp_path)
    model = explorer.load(tmp_path)
    text, hidden = hide_last_word(model, "the bank by the river")
    assert (text, hidden) == ("the bank by [MASK] river", "the")
    assert model.tokenizer.token(word_prediction(model, text, hidden).answer) == "Ġthe"


def test_a_reader_from_the_left_predicts_what_follows(open_at):
    at = open_at(causal=True, first="we saw the old river in the light")
    rows = sent(at, "token_strip")
    assert "title" not in rows[0]["tokens"][0] and "title" in rows[0]["tokens"][1]
    assert "The first token is not judged" in said(at)


def test_what_cannot_be_judged_is_said_and_nothing_typed_says_what_to_do(open_at):
    at = open_at(first="...")
    assert "no [MASK]" in problems(at) and not sent(at, "token_strip")
    assert "Type a sentence" in said(open_at(first=" "))


def test_a_head_is_offered_on_its_own_model_only(open_at):
    assert "which_of" not in str([box.key for box in open_at(which_of="sst2").selectbox])
    at = opened("why", view="which", model="bert", which_of="sst2", first="This is not a good film.")
    assert "negative" in said(at) and len(sent(at, "token_strip")) == len(METHODS)
    at = opened("why", view="which", model="bert", which_of="sst2", answer="dull", first="It was bad.")
    assert "no class of this head" in problems(at)


@pytest.mark.parametrize("palette", [theme.LIGHT, theme.DARK], ids=lambda palette: palette.name)
def test_words_stay_readable_on_every_colour(palette):
    for unsigned in (False, True):
        for step in range(-20 if not unsigned else 0, 21):
            colour = shade(palette, step / 20, unsigned)
            assert theme.contrast(theme.text_on(colour), colour) >= 4.5


def test_the_code_gives_the_numbers_of_the_rows():
    settings = {"first": "it's the [MASK] </script>", "which_steps": 5, "instead": "river"}
    at = opened("why", view="which", model="bert", **settings)
    result = printed_result(at)
    rows = sent(at, "token_strip")
    for column, row in enumerate(rows, 1):
        assert numbers(row) == pytest.approx([line[column] for line in result], abs=6e-4)
