"""The masked-words page's views, run without a browser: what each draws is what the analysis found."""

import json
from functools import partial

import pytest

from explorer.analysis import prediction
from explorer.views.look.blocklist import DOTS
from tests.views import opening
from tests.views.masked.test_write import finished
from tests.views.opening import defaults, sent, told

DEFAULTS = defaults("masked")

HOSTILE = "</script><b>x</b>"


run = partial(opening.opened, "masked")


def test_a_pinned_blank_stands_beside_the_present_one(model):
    boat, car = "They crossed the [MASK] by boat.", "They crossed the [MASK] by car."
    at = run(text=boat)
    at.button(key="masked/pin").click().run()
    assert at.session_state["masked.pinned"] == boat and "Now change the sentence" in told(at)
    at = run(text=car, pinned=boat, probe="zoo")
    pinned, now = sent(at, "bars")
    assert not pinned["active"] and now["active"]
    expected = [prediction.fill_mask(model, text, top=10)[0] for text in (boat, car)]
    for mount, own in zip((pinned, now), expected):
        assert [row["token"] for row in mount["rows"]] == [*(token for token, _ in own), "zoo"]
    blank = prediction.blanks(model, boat)
    for row in now["rows"]:
        there = prediction.probe(model, blank, row["token"]).probability
        assert row["beside"] == pytest.approx(there, rel=1e-4) and "in the other sentence" in row["tip"]
    at.button(key="masked/unpin").click().run()
    assert len(sent(at, "bars")) == 1


def test_a_pinned_text_without_a_blank_says_so():
    at = run(pinned="nothing hidden here")
    assert "There is no [MASK] in the text." in told(at) and len(at.button) > 4


@pytest.mark.parametrize(
    "text",
    ["", HOSTILE, "🙂", "مرحبا بالعالم", "the bank " * 5000],
    ids=["none", "html", "emoji", "rtl", "long"],
)
@pytest.mark.parametrize(("view", "name"), [("training", "sentence"), ("write", "frame")])
def test_any_text_is_taken(view, name, text):
    at = run(view=view, **{name: text})
    assert told(at) and HOSTILE not in told(at).replace("&lt;", "")
    if len(text) > 5000:
        assert any(says in told(at) for says in ("were cut", "too long", "no [MASK]", "mask it"))


@pytest.mark.slow
def test_what_is_too_long_to_be_read_is_said():
    long = "the bank " * 5000
    assert "tokens were cut" in told(run(view="sets", template=f"[MASK] and {long}", fillers="a"))
    assert "was cut by" in told(run(view="next", first=long))


@pytest.mark.slow
def test_listed_words_are_dots_in_every_view(model, block):
    at = run(view="write", blanks=3, steps=50, temperature=0)
    tokens = {step.token for one in finished(at).orders for step in one.writing.steps}
    own_words = DEFAULTS["frame"].lower().split()
    listed = sorted(token for token in tokens if token.isalpha() and token not in own_words)[:2]
    block(*listed)
    at = run(view="write", blanks=3, steps=50, temperature=0)
    finished(at)
    at.run()
    (data,) = sent(at, "gibbs")
    visible = {word for way in data["orders"] for step in way["steps"] for _, word in step["changes"]}
    guessed = {c["text"] for way in data["orders"] for step in way["steps"] for c in step["candidates"]}
    assert DOTS in visible and not set(listed) & (visible | guessed)


def test_a_corrupted_sentence_shows_no_listed_word(model, block):
    at = run(view="training", share=100, seed=3)
    lines = sent(at, "word_columns")[0]["words"]
    replaced = [word["text"] for word in lines if word["tone"] == "replaced"]
    guesses = [word["tip"].rsplit(": ", 1)[1] for word in lines if "first guess" in word["tip"]]
    own_words = DEFAULTS["sentence"].lower()
    words = [word for word in {*replaced, *guesses} if word.isalpha() and word not in own_words]
    assert words
    block(*words)
    again = json.dumps(sent(run(view="training", share=100, seed=3), "word_columns"))
    assert not any(f'"{word}"' in again or f'first guess: {word}"' in again for word in words)
    assert json.loads(again)[0]["title"] == sent(at, "word_columns")[0]["title"]
