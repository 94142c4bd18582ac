"""Blanks that a model fills by reading on, on its own and beside BERT."""

from functools import partial

import pytest

import explorer
from explorer.analysis import prediction
from explorer.errors import TextError
from explorer.server import kept, memory
from explorer.views.frame import default_models, reading_turn
from explorer.views.masked.blank_bars import likeliest_by_row
from explorer.views.masked.second_reader import marks_in
from tests.views import opening
from tests.views.opening import defaults, said, sent

TEXT = defaults("masked")["text"]

opened = partial(opening.opened, "masked")


def test_predict_takes_a_model_that_reads_from_the_left():
    at = opened(model="gpt")
    model = explorer.load("gpt")
    (mount,) = sent(at, "bars")
    ((*expected,),) = prediction.fill_mask(model, TEXT, top=10)
    assert [row["token"] for row in mount["rows"]] == [token for token, _ in expected]
    assert [row["probability"] for row in mount["rows"]] == pytest.approx([p for _, p in expected], rel=1e-4)
    assert "GPT reads from left to right" in said(at) and "the 100 likeliest words" in said(at)
    (strip,) = sent(at, "token_strip")
    assert [t["text"] for t in strip["tokens"]][6:8] == ["[MASK]", "by"]
    (reading,) = prediction.blanks(model, TEXT).readings
    rows = likeliest_by_row(reading)
    assert [name for name, _ in rows] == ["left side", "by", "helicopter", "."], "one for each word there"
    assert rows[-1][1][0][0] == expected[0][0]
    for word, probability in (pair for _, words in rows for pair in words):
        assert f"{word}: probability {probability:.6g}" in said(at)


def test_the_last_word_of_a_text_is_its_next_word():
    shown = said(opened(model="gpt", text="They sat in the [MASK]"))
    assert "this is its next word" in shown


@pytest.mark.parametrize(
    "text", ["", "no blank", "</script> [MASK] <b>x</b>", "[MASK] " * 30, "a [MASK][MASK]"]
)
def test_any_text_is_read_or_refused_in_words(text):
    at = opened(model="gpt", text=text, probe="</script>, zoo")
    assert not at.exception and "</script>" not in said(at).replace("<\\/script>", "")


def test_beside_bert_a_second_reader_shows_its_list_and_both_their_cost():
    at = opened(beside=True)
    first, second = sent(at, "bars")
    for mount, name in ((first, default_models.WRITER), (second, "bert")):
        ((*expected,),) = prediction.fill_mask(explorer.load(name), TEXT, top=10)
        assert [row["token"] for row in mount["rows"]] == [token for token, _ in expected]
    assert "one pass over both sides" in said(at) and "100 words tried in 3 passes" in said(at)


def test_berts_bars_wait_neither_for_the_second_reader_nor_for_its_weights(monkeypatch):
    tasks, text = [], "Nobody has asked for this [MASK] yet."
    monkeypatch.setattr(reading_turn.background, "ask", lambda key, work: tasks.append(work))
    monkeypatch.setattr(reading_turn.background, "alone", lambda key: False)  # others are read first
    monkeypatch.setattr(memory, "loaded", lambda name: bool(name != default_models.WRITER or not tasks))
    at = opened(beside=True, text=text)
    assert len(sent(at, "bars")) == 1 and "waits for its turn" in said(at)
    tasks.pop()()
    tasks.clear()
    assert len(sent(at.run(), "bars")) == 2 and "waits for its turn" not in said(at) and not tasks


def test_a_mark_of_the_second_readers_tokenizer_is_named():
    assert marks_in(explorer.load("bert"), "We sat [SEP] there") == ["“[SEP]”"]
    assert marks_in(explorer.load("bert"), "We sat there.") == []
    if default_models.WRITER == "smollm2":
        assert "“&lt;|im_end|&gt;”: a mark to SmolLM2" in said(
            opened(beside=True, text="A <|im_end|> [MASK].")
        )


def test_the_second_readers_place_is_a_pinned_sentences_or_that_of_a_model_which_reads_from_the_left():
    pinned = opened(beside=True, pinned="A [MASK] by the lake.")
    assert pinned.toggle(key="masked.beside").disabled and "Unpin" in [one.label for one in pinned.button]
    assert "one pass over both sides" not in said(pinned)
    alone = opened(beside=True, model="gpt")
    assert len(sent(alone, "bars")) == 1 and not [one for one in alone.toggle if one.key == "masked.beside"]


def test_sets_are_compared_by_a_reader_from_the_left():
    at = opened(view="sets", model="gpt", fillers="doctor, nurse")
    assert "in place of [SLOT]" in said(at)
    (mount,) = sent(at, "template_bias")
    assert {row["name"] for row in mount["rows"]} == {"doctor", "nurse"}


@pytest.mark.skipif(default_models.WRITER == "gpt", reason="no larger model is installed")
def test_where_bert_repeats_a_word_a_larger_reader_is_offered():
    at = opened(beside=False, text="The capital of France is [MASK].")
    assert "“france” is in the sentence already" in said(at)
    assert "“With SmolLM2” asks a larger one" in said(at)
    at.toggle(key="masked.beside").set_value(True).run()
    assert sent(at, "bars")[0]["rows"][0]["token"] == "Paris" and "asks a larger one" not in said(at)


def test_a_sentence_that_is_kept_no_longer_is_read_again(monkeypatch):
    times = []
    monkeypatch.setattr(prediction, "blanks", lambda model, text: times.append(text))
    monkeypatch.setattr(reading_turn, "_answers", kept.Kept(1))
    monkeypatch.setattr(reading_turn.background, "ask", lambda key, work: work())
    for now in (0.0, kept.KEPT_S - 1, kept.KEPT_S + 1):
        monkeypatch.setattr(kept.time, "monotonic", lambda now=now: now)
        reading_turn.read("gpt", "a [MASK]")
        assert reading_turn.read("gpt", "a [MASK]")
    assert len(times) == 2


def test_the_error_of_a_text_that_cannot_be_read_is_the_pages(monkeypatch):
    monkeypatch.setattr(reading_turn.background, "ask", lambda key, work: work())
    assert not reading_turn.read("gpt", "no blank") and reading_turn.read("gpt", "no blank")
    with pytest.raises(TextError, match="There is no"):
        reading_turn.timed(memory.get("gpt"), "no blank")
