"""Score, run without a browser: the surprisals are the analysis’s own, and the verdict counts them."""

import math
from functools import partial

import pytest

from explorer.analysis import prediction
from explorer.analysis.prediction import pseudo_likelihood
from explorer.views.masked import score as masked_score
from tests.views import opening
from tests.views.opening import defaults, sent, told, unmarked

DEFAULTS = defaults("masked")

run = partial(opening.opened, "masked")


def test_the_words_surprisals_are_drawn_and_add_up(model):
    at = run(view="score")
    lines = sent(at, "word_columns")[0]["lines"]
    for line, text in zip(lines, (DEFAULTS["better"], DEFAULTS["worse"])):
        bits = -prediction.log_likelihood(model, text) / math.log(2)
        assert line["title"] == f"{bits:.1f} bits"
        assert sum(float(word["number"]) for word in line["words"]) == pytest.approx(bits, abs=0.6)
    assert [word["text"] for line in lines for word in line["words"] if word["tone"]] == ["are", "is"]
    assert "prefers the <b>first</b> sentence" in told(at)


def score(*words: tuple[str, float]) -> pseudo_likelihood.SentenceScore:
    return pseudo_likelihood.SentenceScore(
        " ".join(w for w, _ in words), tuple(pseudo_likelihood.WordScore(w, 0, (w,), (b,)) for w, b in words)
    )


def test_a_verdict_counts_the_words_that_differ():
    one, other = score(("the", 1), ("keys", 2), ("are", 3)), score(("The", 1), ("keys", 4), ("is", 6))
    different = masked_score.differing([one, other])
    assert different == [{2}, {2}]
    sentence = unmarked(masked_score.verdict([one, other], different))
    assert (
        "<b>first</b>" in sentence
        and "by 5.0 bits: 3.0 of them from <b>are</b> instead of <b>is</b>, 2.0" in sentence
    )
    worse = score(("the", 1), ("keys", 9), ("<b>", 1))
    sentence = masked_score.verdict([one, worse], masked_score.differing([one, worse]))
    assert "by 5.0 bits: −2.0 of them" in sentence and "&lt;b&gt;" in sentence
    assert "7.0 from the other words" in sentence
    assert masked_score.verdict([one, one], [set(), set()]) == "Both sentences have the same score."
