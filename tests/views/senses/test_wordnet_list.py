"""WordNet's list beside the map: its senses, what it misses, and the room that it takes."""

from functools import partial

from explorer.analysis.senses import wordnet
from tests.views import opening
from tests.views.opening import preset, said, sent

opened = partial(opening.opened, "senses")
NOT_IN = preset("senses", "Not in WordNet")


def rows(at) -> int:
    return said(at).count('class="rb-sense"')


def test_it_waits_to_be_asked_for():
    at = opened()
    assert rows(at) == 0 and sent(at, "nearest")


def test_the_list_stands_in_the_place_of_the_neighbours():
    at = opened(wordnet="true")
    assert rows(at) == len(wordnet.meanings("bank")) and not sent(at, "nearest")
    assert "sloping land" in said(at) and "Our sentences have 3" in said(at)
    box = next(mount for mount in sent(at, "text_box") if mount["label"].startswith("Sentences"))
    assert box["lines"] < next(m for m in sent(opened(), "text_box") if m["label"].startswith("Sen"))["lines"]


def test_the_preset_says_what_is_missing():
    at = opened(**NOT_IN.values)
    assert "It lacks #company" in said(at) and rows(at) == 2
    definitions = [one.definition for one in wordnet.meanings("apple")]
    assert "fruit" in definitions[0] and "tree" in definitions[1]
    lines = NOT_IN.values["text"].splitlines()
    assert 2 * sum(line.endswith("#company") for line in lines) == len(lines)


def test_the_list_can_be_saved():
    at = opened(wordnet="true")
    assert any("WordNet" in button.label for button in at.get("download_button"))


def test_a_word_that_is_none_of_our_own_examples_has_its_list():
    text = "She is good at chess. #skill\nHe is a good cook. #skill\nBe good to him. #kind"
    at = opened(wordnet="true", word="good", text=text)
    assert "proficient" in said(at) and rows(at) == len(wordnet.meanings("good"))
    assert "Our sentences" not in said(at)
