"""The library of ambiguous Chinese words: its form, both scripts, sentences that stand by themselves."""

import json
import re
from collections import Counter, defaultdict
from statistics import mean

import pytest

from explorer.analysis.senses.chinese_words import INDEX, RARE, file, find, sentences, word, words
from explorer.assets import SENSES_ZH
from explorer.errors import TextError
from tests.chinese_script import SIMPLIFIED, TRADITIONAL, script

COMMON, RARE_NAMES = words(), words(rare=True)
EVERY = [*COMMON, *RARE_NAMES]
SENTENCES, RARELY = 12, 8  # a sense
SHARED = 7  # characters in a row that no two unmarked sentences share
SPREAD = 4  # characters that the senses' mean lengths may differ by


def named(one):
    return one.name


def test_there_are_words_enough_and_every_file_has_its_entry():
    assert len(COMMON) >= 12
    for folder, these in ((SENSES_ZH, COMMON), (SENSES_ZH / RARE, RARE_NAMES)):
        assert sorted(path.stem for path in folder.glob("*.txt")) == [one.name for one in these]
    stored = json.loads((SENSES_ZH / INDEX).read_text(encoding="utf-8"))
    assert sorted(stored) == sorted(one.name for one in EVERY)


def test_no_form_belongs_to_two_words():
    forms = Counter(form for one in EVERY for form in one.forms)
    assert max(forms.values()) == 1
    for one in EVERY:
        one.forms[0].encode("big5")
        one.forms[-1].encode("gb2312")
        assert 1 <= len(one.forms) <= 2
    with pytest.raises(TextError, match="河"):
        word("河")


@pytest.mark.parametrize("one", EVERY, ids=named)
def test_every_sense_has_its_sentences_and_its_meaning_in_english(one):
    senses = Counter(s.sense for s in sentences(one))
    assert set(senses.values()) == {RARELY if one.rare else SENTENCES}
    assert list(senses) == list(one.senses) and 2 <= len(senses) <= 4
    assert all(re.match("[A-Za-z]", meaning) for meaning in (one.pinyin, one.gloss, *one.senses.values()))


@pytest.mark.parametrize("one", EVERY, ids=named)
def test_the_word_stands_once_and_its_offsets_point_at_it(one):
    for sentence in sentences(one):
        ((start, end),) = find(sentence.text, one)
        assert sentence.text[start:end] in one.forms
        assert sum(sentence.text.count(form) for form in one.forms) == 1


@pytest.mark.parametrize("one", EVERY, ids=named)
def test_half_of_each_sense_is_in_each_script(one):
    for sense in one.senses:
        texts = [s.text for s in sentences(one) if s.sense == sense]
        scripts = Counter(map(script, texts))
        assert None not in scripts, [text for text in texts if script(text) is None]
        half = len(texts) // 2
        assert scripts == ({one.only: len(texts)} if one.only else {TRADITIONAL: half, SIMPLIFIED: half})


@pytest.mark.parametrize("one", EVERY, ids=named)
def test_marked_sentences_are_groups_across_all_senses_in_one_script(one):
    groups = defaultdict(list)
    for s in sentences(one):
        if s.mark:
            groups[s.mark].append(s)
    assert len(groups) == (2 if one.rare else 4)
    for group in groups.values():
        assert [s.sense for s in group] == list(one.senses)
        assert len({script(s.text) for s in group}) == 1


@pytest.mark.parametrize("one", COMMON, ids=named)
def test_the_character_before_or_after_does_not_give_the_sense_away_alone(one):
    """In some groups a neighbour is the same whatever the sense."""
    groups = defaultdict(list)
    for s in sentences(one):
        if s.mark:
            ((start, end),) = find(s.text, one)
            groups[s.mark].append((s.text[start - 1 : start], s.text[end : end + 1]))
    alike = [before for before in groups.values() if any(len(set(side)) == 1 for side in zip(*before))]
    assert len(alike) >= 2, groups


@pytest.mark.parametrize("one", EVERY, ids=named)
def test_length_tells_no_sense(one):
    lengths = [mean(len(s.text) for s in sentences(one) if s.sense == sense) for sense in one.senses]
    assert max(lengths) - min(lengths) <= SPREAD, lengths


def test_the_word_stands_in_different_places():
    for one in COMMON:
        places = [find(s.text, one)[0][0] / len(s.text) for s in sentences(one)]
        assert min(places) < 0.25 and max(places) > 0.6, one.name


def test_no_sentence_stands_twice():
    texts = Counter(s.text for one in EVERY for s in sentences(one))
    assert [text for text, times in texts.items() if times > 1] == []


def test_no_two_unmarked_sentences_share_seven_characters_in_a_row():
    holders = defaultdict(set)
    for one in EVERY:
        for s in sentences(one):
            if not s.mark:
                for i in range(len(s.text) - SHARED + 1):
                    holders[s.text[i : i + SHARED]].add(s.text)
    assert {run: held for run, held in holders.items() if len(held) > 1} == {}


def test_lines_end_as_they_should():
    for one in EVERY:
        for line in file(one).read_text(encoding="utf-8").splitlines():
            assert line == line.strip() and line.split(" #")[0][-1] in "。！？", line
