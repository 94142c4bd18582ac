"""The index against a plain scan: every sentence that has the word, and no other; fair, repeatable draws."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.senses.occurrences import Sentence, find
from explorer.corpus.index import build
from explorer.corpus.lookup import draw, lookup, shuffled
from explorer.corpus.matching import forms, tidy
from explorer.errors import TextError

WORDS = [
    "blood bank",
    *"bank Bank BANKS banking ban the café cafe naïve straße STRASSE Ёлка ёлка İstanbul ıstan ſee".split(),
    *"see 银行 银行家 人工智能 人工 T恤 🛶 🪑bank bank🪑 foo_bar foo C++ don't blood 100% a_b".split(),
    *"ΣΊΣΥΦΟΣ σίσυφος 은행 은 բանկ ԲԱՆԿ \\ bank\u0301 OR NEAR(".split(),
    *"don’t можна м'ята мʼята कल कला नदी".split(),
    *"bank에서 은행에서 ธนาคาร ขา เขา כָּתַב כתב كَتَبَ كتب صہ‌ها 银\ufe00行".split(),
    *'ngân nga\u0302n well-known well\u2011known ｶﾞ ガ ក្រ រ m\u200dr i̇stanbul ẞ maß צה״ל צה"ל'.split(),
    *'"bank" bank* key: - ban\ue000 x\u0345 ﬁne fine ǅ ǆ'.split(),
]
BETWEEN = [
    " ", "", ", ", "-", "\u00ad", "  ", "_", ". ", "'", "\u200d", "₿", "’", "\u200c", "\u0301", "\u094d",
    "에",
]  # fmt: skip
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(BETWEEN)), min_size=1, max_size=8)
anything = settings(max_examples=150, deadline=None)


def joined(pairs) -> str:
    return tidy("".join(word + between for word, between in pairs))


@anything
@given(st.lists(texts, min_size=1, max_size=6), st.sampled_from(WORDS), st.booleans())
def test_nothing_is_missed_and_nothing_is_added(corpus, word, with_forms):
    sentences = [text for text in map(joined, corpus) if text]
    if not sentences:
        return
    index = build("x", map(Sentence, sentences))
    words = forms(tidy(word)) if with_forms else [tidy(word)]
    expected = Counter(
        {i: n for i, text in enumerate(sentences, 1) if (n := sum(len(find(text, w)) for w in words))}
    )
    try:
        matches = lookup(index, word, with_forms)
    except TextError:
        assert not expected
        return
    assert dict(zip(matches.sentences, matches.times)) == expected
    sample = draw(index, matches, 1000)
    assert len(sample.occurrences) + sample.repeats == expected.total() == matches.total and sample.whole
    for one in sample.occurrences:
        assert one.text == sentences[one.sentence - 1]
        assert any(one.span in find(one.text, w) for w in words)


@anything
@given(st.text(min_size=1, max_size=30), st.text(max_size=12))
def test_any_text_and_any_word(text, word):
    """What a person pastes and types may be anything at all."""
    sentences = [s for s in (tidy(text), tidy(f"{text} {word} {text}"), "a plain one") if s]
    index = build("x", map(Sentence, sentences))
    try:
        matches = lookup(index, word)
        assert dict(zip(matches.sentences, matches.times)) == {
            i: len(find(s, tidy(word))) for i, s in enumerate(sentences, 1) if find(s, tidy(word))
        }
    except TextError:
        assert not tidy(word) or not any(find(s, tidy(word)) for s in sentences)


def test_a_chinese_word_in_both_scripts(indexed):
    index = indexed("我去銀行。\n他去了银行。\n出租车来了。\n計程車走了。\n出租汽车。\nA/B and bank.\n")
    for endings in (False, True):
        assert lookup(index, "銀行/银行", endings).forms == {"銀行": 1, "银行": 1}
        assert lookup(index, "出租车/計程車", endings).total == 2
        assert lookup(index, "出租汽车/銀行", endings).total == 2
        assert lookup(index, "A/B", endings).total == 1


def test_chinese_words_of_every_length(indexed):
    index = indexed("他去了银行。银行家在图书馆。我们在河边。人工智能很有用。\nThe bank 银行 is open.\n")
    assert lookup(index, "银行").total == 3
    assert lookup(index, "银").total == 3
    assert lookup(index, "图书馆").total == 1 and lookup(index, "人工智能").total == 1
    assert draw(index, lookup(index, "银行"), 10).occurrences[0].form == "银行"
    with pytest.raises(TextError):
        lookup(index, "图书馆员")


def test_forms_are_counted_apart(indexed):
    index = indexed("A bank and two banks. Banking is dull. The Bank's door. Embankment.")
    assert lookup(index, "bank").forms == {"bank": 2}
    assert lookup(index, "bank", forms=True).forms == {"bank": 2, "banks": 1, "banking": 1}


def test_a_word_that_cannot_be_looked_up(indexed):
    index = indexed("The bank is shut.")
    answers = {" \u00ad ": "There is no word", "x" * 61: "has 61 characters", "zz": "does not occur"}
    for word, says in answers.items():
        with pytest.raises(TextError, match=says):
            lookup(index, word)


def test_a_draw_is_repeatable_and_a_larger_one_begins_with_it(indexed):
    index = indexed("".join(f"Number {i} is a bank by a bank.\n" for i in range(400)))
    matches = lookup(index, "bank")
    assert matches.total == 800 and len(matches.sentences) == 400
    few, many = draw(index, matches, 60, seed=3), draw(index, matches, 300, seed=3)
    assert many.occurrences[:60] == few.occurrences and len(many.occurrences) == 300 and not many.whole
    assert draw(index, matches, 60, seed=4).occurrences != few.occurrences
    whole = draw(index, matches, 5000, seed=3)
    assert len(set(whole.occurrences)) == 800 and whole.whole


def test_repeats_are_passed_over_and_counted(indexed):
    index = indexed("The bank is shut.\n" * 2000 + "A bank here.\nA bank there.\n")
    sample = draw(index, lookup(index, "bank"), 60)
    shown = {one.text for one in sample.occurrences}
    assert shown == {"A bank here.", "A bank there.", "The bank is shut."}
    assert sample.repeats == 1999 and sample.whole


def test_a_shuffle_is_a_permutation_and_uniform():
    assert sorted(shuffled(500, 1)) == list(range(500))
    firsts = Counter(next(shuffled(10, seed)) for seed in range(5000))
    thirds = Counter([*shuffled(10, seed)][2] for seed in range(5000))
    for counts in (firsts, thirds):
        assert sum((n - 500) ** 2 / 500 for n in counts.values()) < 27.9, "chi-square, 9 degrees, p = 0.001"


def test_a_sentence_keeps_its_sense(indexed):
    index = indexed("text,sense\nWe sat on the bank,river\nThe bank was shut,money\n", "t.csv")
    sample = draw(index, lookup(index, "bank"), 9)
    assert {(one.text, one.sense) for one in sample.occurrences} == {
        ("We sat on the bank", "river"),
        ("The bank was shut", "money"),
    }
