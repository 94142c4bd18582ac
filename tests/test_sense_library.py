"""The library of ambiguous words: its form, its size, and sentences that do not lean on one another."""

import re
from collections import Counter, defaultdict

import pytest

from explorer.analysis.senses.occurrences import Sentence, find, library, library_words

pytestmark = pytest.mark.weights

WORDS = library_words()
LEAST, SHARED = 12, 5  # sentences a sense; words in a row that no two unmarked sentences share


def test_there_are_sixty_words():
    assert len(WORDS) >= 60


@pytest.mark.parametrize("word", WORDS)
def test_every_sense_has_sentences_enough(word):
    senses = Counter(s.sense for s in library(word))
    assert None not in senses
    assert 2 <= len(senses) <= 5
    assert min(senses.values()) >= LEAST, senses


@pytest.mark.parametrize("word", WORDS)
def test_marked_sentences_are_groups_across_senses(word):
    groups = defaultdict(set)
    marked = Counter()
    for s in library(word):
        if s.mark:
            groups[s.mark].add(s.sense)
            marked[s.sense] += 1
    assert all(len(senses) > 1 for senses in groups.values()), groups
    assert all(marked[s.sense] >= 4 for s in library(word))


def test_the_word_stands_in_different_places():
    for word in WORDS:
        places = [find(s.text, word)[0][0] / len(s.text) for s in library(word)]
        assert min(places) < 0.25 and max(places) > 0.75, word


def test_no_two_unmarked_sentences_share_five_words_in_a_row():
    holders: dict[tuple[str, ...], list[Sentence]] = defaultdict(list)
    for word in WORDS:
        for sentence in library(word):
            if not sentence.mark:
                words = re.findall(r"[\w'’-]+", sentence.text.lower())
                for run in {tuple(words[i : i + SHARED]) for i in range(len(words) - SHARED + 1)}:
                    holders[run].append(sentence)
    assert {" ".join(run): [s.text for s in held] for run, held in holders.items() if len(held) > 1} == {}
