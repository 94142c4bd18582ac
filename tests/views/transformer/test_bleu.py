"""BLEU beside the translator's own translation: its number is sacrebleu's."""

from functools import partial

import pytest
import sacrebleu

from explorer.analysis.bleu import bleu
from explorer.views.transformer.bleu import _arithmetic
from tests.views import opening
from tests.views.opening import said

REFERENCE = "Mon frère a acheté un véhicule rouge."

opened = partial(opening.opened, "transformer", view="translator")


def test_the_number_on_the_page_is_sacrebleus():
    at = opened(translator_reference=REFERENCE)
    translation, score = opening.printed_result(at)
    theirs = sacrebleu.corpus_bleu([translation], [[REFERENCE]])
    assert score == pytest.approx(theirs.score, abs=0.01) and f"<b>{theirs.score:.2f}</b>" in said(at)
    assert f"BLEU {theirs.score:.1f}" in [popover.proto.popover.label for popover in at.get("popover")]
    for precision in theirs.precisions:
        assert f"{precision:.1f}%" in said(at)


@pytest.mark.parametrize("reference", ["", " \u2003 "])
def test_without_a_persons_translation_there_is_no_score(reference):
    at = opened(translator_reference=reference)
    assert "BP " not in said(at) and not at.exception


def test_what_is_typed_stays_text():
    at = opened(translator_reference="</script> <b>Mon frère")
    assert "<b>Mon" not in said(at) and not at.exception and "smoothed" in said(at)


@pytest.mark.parametrize(("text", "is_short"), [("the cat sat", True), ("the cat sat down", False)])
def test_a_short_text_has_no_4_gram_which_is_said(text, is_short):
    assert ("fewer than four" in _arithmetic(bleu(text, [text]))) == is_short
