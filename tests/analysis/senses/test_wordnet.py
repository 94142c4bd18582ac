"""The extract of WordNet: all words of the library, in WordNet's order, and what it misses."""

import json

import pytest

from explorer.analysis.senses import wordnet
from explorer.analysis.senses.occurrences import library_words
from explorer.assets import WORDNET
from explorer.errors import FormatError, TextError
from explorer.views.senses.example_sentences import senses_of
from measuring import wordnet as made


def test_every_word_of_the_library_has_senses():
    for word in library_words():
        found = wordnet.meanings(word)
        assert len(found) >= 2, word
        for part in {one.part for one in found}:
            for lemma in {one.lemma for one in found}:
                numbers = [one.number for one in found if (one.part, one.lemma) == (part, lemma)]
                assert numbers == list(range(1, len(numbers) + 1))
        assert all(one.definition for one in found)


def test_bank_is_a_slope_first_and_an_institution_second():
    first, second = wordnet.meanings("bank")[:2]
    assert "sloping land" in first.definition and "financial institution" in second.definition
    assert "depository financial institution" in second.synonyms and "bank" not in second.synonyms


def test_a_plural_is_found_under_its_base_forms():
    assert {one.lemma for one in wordnet.meanings("leaves")} == {"leaf", "leave"}


def test_what_is_missing_are_senses_of_our_own_sentences():
    listed = json.loads((WORDNET / "missing.json").read_text(encoding="utf-8"))
    for word, senses in listed.items():
        assert set(senses) < set(senses_of(word)) and wordnet.missing(word) == senses
    assert wordnet.missing("bank") == []
    for word, hint in {"apple": "compan", "python": "programming"}.items():
        assert not any(hint in one.definition for one in wordnet.meanings(word))


def test_the_words_of_a_course_are_there():
    words = set((WORDNET / "words.txt").read_text(encoding="utf-8").split())
    assert len(words) >= 300 and all(wordnet.meanings(word) for word in words)
    assert any("proficient" in one.synonyms for one in wordnet.meanings("good"))


def test_a_word_outside_the_extract_is_named():
    with pytest.raises(TextError, match="“quetzal” is not in the extract"):
        wordnet.meanings("quetzal")


LINES = {
    "index.noun": "mouse n 2 1 @ 2 1 00000010 00000020  \n",
    "data.noun": '00000010 05 n 02 mouse 0 house_mouse 0 001 @ 1 n 0000 | a rodent; "a mouse in the hay"  \n'
    "00000020 06 n 01 mouse 0 000 | a device; with a button  \n",
    "noun.exc": "mice mouse\n",
}


@pytest.fixture
def folder(tmp_path):
    for part in made.PARTS:
        for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
            (tmp_path / name).write_text(LINES.get(name, ""), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("word", ["mouse", "mice"])
def test_the_files_are_read_as_their_manual_says(folder, word):
    first, second = made.senses(folder, word)
    assert (first["lemma"], first["part"], first["number"]) == ("mouse", "noun", 1)
    assert first["synonyms"] == ["house mouse"] and first["definition"] == "a rodent"
    assert second["definition"] == "a device; with a button"


def test_another_folder_is_told(tmp_path):
    with pytest.raises(FormatError, match="is not there"):
        made.senses(tmp_path / "nothing", "mouse")
