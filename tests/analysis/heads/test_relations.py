"""Our parsed sentences: their form and their trees."""

import pytest

from explorer.analysis.heads.relations import CLARK, HALVES, RELATIONS, Parse, join, library, read
from explorer.errors import TextError

ASKED = ("det", "amod", "nsubj", "obj", "case", "nmod:poss", "aux")
GOOD = "Her dog sleeps.\nHer/nmod:poss/2 dog/nsubj/3 sleeps/root/0 ./punct/3\n"


def test_a_sentence_is_read():
    [parse] = read("# a remark\n\n" + GOOD)
    assert parse == Parse(
        "Her dog sleeps.",
        ("Her", "dog", "sleeps", "."),
        ("nmod:poss", "nsubj", "root", "punct"),
        (1, 2, -1, 2),
    )
    assert parse.spans == [(0, 3), (4, 7), (8, 14), (14, 15)]


def test_words_join_as_people_write():
    words = ["Is", "Anna", "'s", "cat", ",", "Tom", ",", "asleep", "?"]
    assert join(words) == "Is Anna's cat, Tom, asleep?"


@pytest.mark.parametrize(
    "line",
    ["", "Her/nmod:poss dog/nsubj/3 sleeps/root/0 ./punct/3", "Her/nmod:poss/x dog/nsubj/3 sleeps/root/0"],
)
def test_a_file_of_another_form_is_refused(line):
    with pytest.raises(ValueError):
        read(f"Her dog sleeps.\n{line}\n")


@pytest.mark.parametrize("half", HALVES)
def test_every_sentence_is_a_tree(half):
    for parse in library(half):
        assert join(parse.words) == parse.text
        assert len(parse.words) == len(parse.relations) == len(parse.heads)
        assert set(parse.relations) <= set(RELATIONS), parse.text
        assert [r == "root" for r in parse.relations] == [head == -1 for head in parse.heads], parse.text
        assert parse.heads.count(-1) == 1, parse.text
        for word in range(len(parse)):
            for _ in range(len(parse)):
                word = parse.heads[word] if word >= 0 else word
            assert word == -1, f"a word of “{parse.text}” depends on itself"


def test_no_other_library():
    with pytest.raises(TextError, match=r"“\.\./x”"):
        library("../x")


def test_the_halves_are_as_large_as_promised():
    assert len(library("grammar")) == 300 and len(library("written")) == 200
    texts = [parse.text for half in HALVES for parse in library(half)]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("half", HALVES)
def test_every_relation_asked_for_is_there_often(half):
    counts = {relation: sum(p.relations.count(relation) for p in library(half)) for relation in ASKED}
    assert min(counts.values()) >= 50, counts


@pytest.mark.parametrize("half", HALVES)
def test_lengths_and_marks(half):
    for parse in library(half):
        spoken = [word for word in parse.words if word not in ".,?!"]
        assert 6 <= len(spoken) <= 16, parse.text
        assert parse.words[-1] in ".?" and parse.text[0].isupper()
        assert parse.relations[-1] == "punct" and parse.relations[parse.heads[-1]] == "root"


@pytest.mark.parametrize("half", HALVES)
def test_a_question_ends_with_its_mark(half):
    openers = (
        "Did Do Does Is Are Was Will Would Can Could May Must Should Might Has Have Had "
        "What Which Who Whose Where Why"
    )
    for parse in library(half):
        asks = parse.words[0] in openers.split()
        assert asks <= (parse.words[-1] == "?"), parse.text


@pytest.mark.parametrize("half", HALVES)
def test_marks_agree_with_the_words(half):
    """What the guidelines leave no choice about: each rule would find a slip of the hand."""
    for parse in library(half):
        for i, (word, relation, head) in enumerate(zip(parse.words, parse.relations, parse.heads)):
            where, lower = f"{word} in: {parse.text}", word.lower()
            if lower in ("the", "a", "an", "every", "these", "those"):
                assert relation == "det" and head > i, where
            if lower in ("my", "your", "its", "our", "their"):
                assert relation == "nmod:poss" and head > i, where
            if word == "'s":
                assert relation == "case" and head == i - 1 and parse.relations[head] == "nmod:poss", where
            if lower == "of":
                assert relation == "case" and head > i, where
            if lower == "not":
                assert relation == "advmod", where
            if lower == "and":
                assert relation == "cc" and parse.relations[head] == "conj" and head > i, where
            if relation == "amod" and head < i:
                pytest.fail(where)
            if relation == "case" and word != "'s":
                assert parse.relations[head] in ("obl", "nmod") and head > i, where
            if relation in ("obl", "nmod"):
                dependents = [parse.relations[k] for k, h in enumerate(parse.heads) if h == i]
                assert "case" in dependents or relation == "obl", where
            if relation == "conj":
                assert head < i, where
            if relation in ("nsubj", "obj", "iobj"):
                dependents = [parse.words[k] for k, h in enumerate(parse.heads) if h == i and k < i]
                assert not {"in", "on", "at", "of", "with", "from", "to"} & set(dependents), where
            if relation in ("aux", "aux:pass"):
                assert head > i, where
            if relation == "aux:pass":
                assert "nsubj:pass" in [parse.relations[k] for k, h in enumerate(parse.heads) if h == head], (
                    where
                )


@pytest.mark.parametrize("half", HALVES)
def test_no_arcs_cross(half):
    for parse in library(half):
        arcs = [tuple(sorted((i, h))) for i, h in enumerate(parse.heads) if h >= 0]
        for a, b in arcs:
            assert not any(a < c < b < d for c, d in arcs), parse.text


def test_each_word_has_one_subject_and_one_object_at_most():
    for half in HALVES:
        for parse in library(half):
            for relation in ("nsubj", "obj", "iobj", "cop", "nsubj:pass"):
                heads = [h for r, h in zip(parse.relations, parse.heads) if r == relation]
                assert len(heads) == len(set(heads)), (relation, parse.text)


def test_names_of_the_paper_are_of_known_relations():
    assert set(CLARK) <= set(RELATIONS)
