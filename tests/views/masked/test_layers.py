"""Layer by layer, run without a browser: what it draws is what the models say."""

from functools import partial

import pytest

import explorer
from explorer.analysis import prediction
from explorer.views.frame.default_models import WRITER
from explorer.views.masked import layer_panels
from tests.views import opening
from tests.views.opening import sent, told

run = partial(opening.opened, "masked")


def test_the_last_layer_says_what_the_models_say(model):
    text = "She drank a cup of hot [MASK] before work."
    (data,) = sent(run(view="layers", text=text, watched="tea, unbelievably, 🙂", layer=99), "lens")
    bert, gpt = data["panels"]
    assert (data["layer"], data["layers"]) == (6, 6)
    expected = prediction.fill_mask(model, text, top=4)[0]
    assert [word["text"] for word in bert["layers"][-1]["words"]] == [token for token, _ in expected]
    following = prediction.next_tokens(explorer.load("gpt"), "She drank a cup of hot", top=4)
    assert [word["text"] for word in gpt["layers"][-1]["words"]] == [token.strip() for token, _ in following]
    assert [line["name"] for line in bert["lines"]] == ["tea", "unbelievably (un…)"]
    tea = dict(prediction.fill_mask(model, text, top=30522)[0])["tea"]
    assert bert["lines"][0]["points"][-1]["probability"] == pytest.approx(tea, rel=1e-4)
    assert all(len(line["points"]) == 7 for panel in data["panels"] for line in panel["lines"])
    assert gpt["before"] == "She drank a cup of hot " and bert["after"].startswith(" before")


def test_without_words_to_follow_the_hidden_and_the_best_are():
    at = run(view="layers", words=["clinic"])
    (data,) = sent(at, "lens")
    names = [line["name"] for line in data["panels"][0]["lines"]]
    assert names[:2] == ["clinic", "hospital"] and "Logit lens: the output head" in told(at)


def test_a_blank_at_the_very_start_leaves_gpt_nothing_to_read():
    (data,) = sent(run(view="layers", text="[MASK] sat down."), "lens")
    assert data["panels"][1]["before"] == "" and len(data["panels"][1]["layers"]) == 7
    at = run(view="layers", text="No blank at all.")
    assert sent(at, "lens") == [] and "Press a word to mask it" in told(at)


@pytest.mark.parametrize(
    ("probability", "height"), [(1.0, 1.0), (1e-3, 0.5), (1e-6, 0.0), (1e-30, 0.0), (0.0, 0.0), (2.0, 1.0)]
)
def test_heights_go_by_powers_of_ten(probability, height):
    assert layer_panels.height(probability) == pytest.approx(height)


@pytest.mark.slow
@pytest.mark.skipif(WRITER != "smollm2", reason="its package is not installed")
def test_another_reader_takes_gpts_place():
    (data,) = sent(run(view="layers", reader="smollm2"), "lens")
    assert data["panels"][1]["title"].startswith("SmolLM2, which reads the words before it")
    assert len(data["panels"][1]["layers"]) == 31


def test_a_reader_that_is_not_there_is_gpt():
    (data,) = sent(run(view="layers", reader="nobody"), "lens")
    assert data["panels"][1]["title"].startswith("GPT, ")
