"""How it was trained, run without a browser: both of its tasks draw what the analysis found."""

from functools import partial

import pytest

from explorer.analysis import prediction
from explorer.analysis.prediction import corruption
from tests import tiny
from tests.views import opening
from tests.views.opening import defaults, sent, told

DEFAULTS = defaults("masked")

HOSTILE = "</script><b>x</b>"

run = partial(opening.opened, "masked")


def test_the_corruption_on_the_page_is_the_analysis_own(model):
    at = run(view="training", seed=5, share=50)
    words = sent(at, "word_columns")[0]["words"]
    encoding = model.encode(DEFAULTS["sentence"])
    corrupted = corruption.corrupt(model, encoding, 5, corruption.Rates(chosen=0.5))
    losses = {one.position: one.loss for one in corruption.losses(model, corrupted)}
    assert len(words) == len(encoding) and len(losses) >= 4
    for position, word in enumerate(words):
        assert word["text"] == model.tokenizer.token(int(corrupted.input_ids[position]))
        if position in losses:
            treatment = corrupted.treatments[position]
            assert word["tone"] == ("hidden" if treatment == "masked" else treatment)
            assert word["tip"].startswith(f"{treatment}; the original token is ")
            assert float(word["number"]) == pytest.approx(losses[position], abs=0.051)
            assert encoding.tokens[position] in word["tip"] and "first guess" in word["tip"]
        else:
            assert "number" not in word and word["tone"] in ("", "quiet")
    at.button(key="masked/throw").click().run()
    assert at.session_state["masked.seed"] == 6
    assert sent(at, "word_columns")[0]["words"] != words


def test_next_sentences_have_their_probabilities(model):
    at = run(view="next", seconds=f"They left at dawn.\n\n{HOSTILE}")
    bars = told(at)
    for second in ("They left at dawn.", HOSTILE):
        expected = prediction.next_sentence(model, DEFAULTS["first"], second)
        assert f"width:{100 * expected:.2f}%" in bars
    assert "&lt;/script&gt;" in bars and HOSTILE not in bars
    assert "Only the first 6 of 8" in told(run(view="next", seconds="a b.\n" * 8))
    assert "Type a first sentence" in told(run(view="next", first=" "))


def test_a_model_without_the_next_sentence_head_says_so(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fill-only")
    tiny.write_bert(folder, "BertForMaskedLM")
    at = run(view="next", model=f"folder:{folder}")
    assert "cannot judge whether one sentence follows another" in told(at) and len(at.button) > 4
