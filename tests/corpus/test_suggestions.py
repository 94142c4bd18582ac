"""Words to look at: those of several known senses, and those in varied company; never plain ones."""

import pytest

from explorer.corpus.suggestions import suggest


def test_known_words_come_first_then_varied_company(indexed):
    fillers = ["boat", "coin", "shore", "rope", "lamp", "door", "roof", "field"]
    fillers += ["stone", "cloud", "chair", "bread", "glass", "storm", "paper", "grass"]
    lines = [f"The {fillers[i % 16]} gauge met a {fillers[(i * 7 + 3) % 16]} here.\n" for i in range(40)]
    lines += ["Old Ebenezer Quill spoke.\n"] * 40
    lines += [f"The bank by the {fillers[i % 4]}.\n" for i in range(5)]
    index = indexed("".join(lines))
    suggestions = suggest(index, 8)
    words = list(suggestions)
    assert suggestions["bank"] == 5 and words[:2] == ["bank", "gauge"]
    assert not {"the", "by", "here", "quill"} & set(words[:3])
    assert suggest(index, 8) == suggestions


def test_few_sentences_suggest_little_and_none_is_no_error(indexed):
    assert suggest(indexed("The bank is shut.")) == {}
    assert list(suggest(indexed("The bank is shut. " * 3))) == ["bank", "shut"]
    assert suggest(indexed("他去了银行。" * 20)) == {}
    assert list(suggest(indexed("नदी में बैंक था।\n" * 3))) == ["नदी", "बैंक", "में"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("die Straße\ndie STRASSE\nStraße am Fluss\n", "straße"),
        ("مُحَمَّد ذهب\nمحمد رجع\nثم محمد نام\n", "مُحَمَّد"),
        ("می\u200cخواهم بروم\nمی\u200cخواهم بیایم\nمی\u200cخواهم بخوابم\n", "می\u200cخواهم"),
        ("İSTANBUL güzel\nistanbul kent\nİstanbul\n", "istanbul"),
    ],
)
def test_a_word_is_shown_as_the_text_writes_it(indexed, text, expected):
    assert list(suggest(indexed(text))) == [expected]


def test_neighbours_are_counted_for_a_word_in_every_spelling(indexed):
    company = ["Haus", "Baum", "Turm", "Stein", "Wagen", "Garten"]
    lines = [f"Straße {one} neu\nSTRASSE {one} neu\n" for one in company]
    assert next(iter(suggest(indexed("".join([*lines, *["Acker karg Boden\n"] * 20]))))) in ("straße", "neu")
