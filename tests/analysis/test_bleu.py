"""BLEU against sacrebleu: tokens, counts, brevity, smoothing and the score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from explorer.analysis.bleu import Outcome, Smoothing, bleu, match_mask, tokenize
from explorer.errors import ExplorerError, TextError

MAT = "the cat sat on the mat"
words = st.lists(st.sampled_from("the cat sat on a mat , . dog".split()), min_size=1, max_size=12).map(
    " ".join
)


def theirs(candidate, references, smoothing="exp", effective_order=False):
    metric = BLEU(smooth_method=smoothing, effective_order=effective_order)
    return metric.corpus_score([candidate], [[one] for one in references]), metric


@given(words, st.lists(words, min_size=1, max_size=3), st.sampled_from(list(Smoothing)), st.booleans())
def test_the_score_and_its_parts_are_sacrebleus(candidate, references, smoothing, effective_order):
    ours = bleu(candidate, references, smoothing=smoothing, effective_order=effective_order)
    wanted, metric = theirs(candidate, references, smoothing, effective_order)
    assert ours.score == pytest.approx(wanted.score, abs=1e-9)
    assert [o.precision for o in ours.orders] == pytest.approx(wanted.precisions, abs=1e-9)
    assert ours.penalty == pytest.approx(wanted.bp)
    assert (len(ours.candidate), ours.closest) == (wanted.sys_len, wanted.ref_len)
    assert f"{metric.get_signature()}".startswith(ours.signature)
    if smoothing != Smoothing.ADD_K:  # which changes their counts
        assert [o.matches for o in ours.orders] == wanted.counts
        assert [o.total for o in ours.orders] == wanted.totals


@given(
    st.text(alphabet=st.sampled_from("ab 1,.-'\"&;<>()é—!?%\n/") | st.characters(exclude_categories=["Cs"]))
)
def test_any_text_has_sacrebleus_tokens(text):
    assert tokenize(text) == Tokenizer13a()(text.rstrip()).split()


@pytest.mark.parametrize(
    "text", ["3-4 &amp; 5", "U.S. $1,000.50", "l'été", "a-\nb <skipped> c", "&amp;lt;", "..,"]
)
def test_tokens_of_hard_cases(text):
    assert tokenize(text) == Tokenizer13a()(text.rstrip()).split()


def test_three_of_five_bigrams():
    found = bleu("the cat sat on a mat", [MAT]).orders[1]
    assert (found.matches, found.total) == (3, 5)
    assert found.outcomes == (Outcome.MATCH, Outcome.MATCH, Outcome.MATCH, Outcome.MISSING, Outcome.MISSING)


def test_a_repeated_word_fools_plain_precision_alone():
    text = "the the the the the the"
    plain, clipped = (bleu(text, [MAT], clip=clip).orders[0] for clip in (False, True))
    assert plain.precision == 100 and clipped.precision == pytest.approx(100 * 2 / 6)
    assert clipped.outcomes == (Outcome.MATCH,) * 2 + (Outcome.CLIPPED,) * 4


def test_an_ngram_counts_as_often_as_the_one_reference_that_has_it_most_often():
    found = bleu("the the the", ["the cat the", "the dog"]).orders[0]
    assert found.matches == 2


def test_a_candidate_too_short_for_a_4_gram():
    assert bleu("the cat sat", [MAT]).score == 0
    found = bleu("the cat sat", [MAT], effective_order=True)
    assert found.orders_used == 3 and found.score > 30


def test_marks_in_a_reference():
    assert match_mask(MAT.split(), "the cat sat on a mat".split(), 2) == [True] * 4 + [False] * 2


def test_what_cannot_be_scored():
    with pytest.raises(TextError, match="no candidate"):
        bleu("  ", [MAT])
    with pytest.raises(TextError, match="no reference"):
        bleu(MAT, ["", " "])
    with pytest.raises(ExplorerError, match="no smoothing"):
        bleu(MAT, [MAT], smoothing="half")
