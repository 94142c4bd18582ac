"""The BLEU calculator, run without a browser: its number is sacrebleu's, and its presets keep their word."""

from functools import partial

import pytest
import sacrebleu

from explorer.views.frame.presets import presets_in_row
from tests.views import opening
from tests.views.opening import defaults, said, sent

DEFAULTS = defaults("transformer")
PRESETS = presets_in_row("transformer", "bleu")

opened = partial(opening.opened, "transformer", view="bleu")


def shown(values):
    """What a preset shows: the printed program's result, and the page."""
    at = opened(**{name: value for name, value in values.items() if name != "view"})
    return opening.printed_result(at), at


def theirs(values):
    values = DEFAULTS | values
    return sacrebleu.corpus_bleu(
        [values["bleu_candidate"]], [[one] for one in values["bleu_references"].splitlines()]
    )


@pytest.mark.parametrize("values", [{}, *(one.values for one in PRESETS)], ids=str)
def test_the_number_on_the_page_is_sacrebleus(values):
    wanted = theirs(values)
    found, at = shown(values)
    assert found["score"] == pytest.approx(wanted.score)
    assert f"<b>{wanted.score:.2f}</b>" in said(at) and found["signature"] in said(at)
    for precision in wanted.precisions:
        assert f"<b>{precision:.1f}%</b>" in said(at)


def test_it_opens_with_three_of_five_bigrams():
    at = opened()
    assert "2-grams: 3 of 5 count" in said(at)
    chips, reference = sent(at, "token_strip")
    assert [chip["text"] for chip in chips["tokens"] if "it counts" in chip["title"]] == [
        "the cat",
        "cat sat",
        "sat on",
    ]
    assert [token["text"] for token in reference["tokens"] if "colour" in token] == "the cat sat on".split()


@pytest.mark.parametrize(
    ("word", "reference"),
    [
        ("the", "the cat sat on the mat"),
        ("a", "a dog and a bone"),
        ("of", "the end of the road"),
        ("le", "le chat dort sur le lit"),
        ("and", "bread and butter and jam"),
        ("in", "rain in the hills"),
        ("I", "I came and I saw"),
        ("was", "he was glad"),
        ("to", "to be or not to be"),
        ("we", "we saw what we wanted"),
    ],
)
def test_of_one_repeated_word_most_are_clipped(word, reference):
    values = PRESETS[0].values | {"bleu_candidate": " ".join([word] * 6), "bleu_references": reference}
    result, at = shown(values)
    assert result["precisions"][0] < 50
    marks = [chip.get("mark") for chip in sent(at, "token_strip")[0]["tokens"]]
    assert marks == [""] * reference.split().count(word) + ["dashed"] * (6 - reference.split().count(word))


def test_right_but_short():
    found, _ = shown(PRESETS[1].values)
    assert found["precisions"] == [100] * 4 and found["brevity penalty"] < 0.7 and found["score"] < 70


def test_too_short_for_a_4_gram():
    found, at = shown(PRESETS[2].values)
    assert found["score"] == 0 and "no 4-gram" in said(at)


def test_two_references():
    values = PRESETS[3].values
    found, _ = shown(values)
    assert found["precisions"][1] == 100
    (one, _) = values["bleu_references"].splitlines()
    assert theirs(values | {"bleu_references": one}).counts[1] == 0


@pytest.mark.parametrize("name", ["bleu_candidate", "bleu_references"])
@pytest.mark.parametrize("text", ["", "  \n ", "🙂"])
def test_what_cannot_be_scored_is_said(name, text):
    at = opened(**{name: text})
    message = " ".join(one.value for one in at.text)
    assert ("There is no" in message) == (not text.strip()) and not at.exception


def test_what_is_typed_stays_text():
    at = opened(bleu_candidate="<b>the</b> cat", bleu_references="</script> <b>cat")
    assert "<b>the" not in said(at) and "<script" not in said(at)


def test_the_note_beside_a_precision_is_of_its_own_order():
    assert "no such n-gram" not in said(opened(bleu_candidate="dogs bark loudly here", bleu_n=1))
    assert "smoothed" in said(opened(bleu_candidate="the dog sat there today", bleu_n=1))


def test_a_link_from_when_there_were_more_choices_opens():
    at = opened(bleu_smoothing="half", bleu_clip=False, bleu_n="9")
    assert "2-grams: 3 of 5 count" in said(at)
