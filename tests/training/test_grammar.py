"""Our grammar: the same sentences from the same seed, and a tree under each of them."""

import re

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from explorer import assets
from explorer.analysis.heads import relations
from tests.analysis.heads.trees import assert_tree
from training.grammar import sentences as grammar
from training.grammar.__main__ import content
from training.grammar.rules import Node, plural


def test_the_file_is_what_the_grammar_makes():
    assert (assets.RELATIONS / "grammar.txt").read_text(encoding="utf-8") == content()


@pytest.mark.slow
@examples(max_examples=20)
@given(st.integers(0, 10**6))
def test_any_seed_gives_trees(seed):
    found = grammar.sentences(24, seed)
    assert len({parse.text for parse in found}) == 24
    for parse in found:
        assert_tree(parse)
        assert not re.search(r"\b[Aa] [aeio]|\b[Aa] honest|\b[Aa]n useful|can not", parse.text), parse.text
    assert grammar.sentences(24, seed) == found


def test_seeds_differ():
    assert grammar.sentences(24, 1) != grammar.sentences(24, 2)


def test_a_tree_is_laid_out_by_hand():
    subject = Node("dog", [("nmod:poss", Node("her"))])
    root = Node("saw", [("nsubj", subject)], [("obj", Node("Anna")), ("punct", Node("."))])
    assert grammar.linearize(root) == relations.Parse(
        "Her dog saw Anna.",
        ("Her", "dog", "saw", "Anna", "."),
        ("nmod:poss", "nsubj", "root", "obj", "punct"),
        (1, 2, -1, 2, 2),
    )


@pytest.mark.parametrize(
    "relation", ["acl:relcl", "nmod:poss", "aux", "aux:pass", "iobj", "advcl", "conj", "nmod"]
)
def test_structures_vary(relation):
    assert sum(relation in parse.relations for parse in relations.library("grammar")) >= 25


def test_questions_are_there():
    assert sum(parse.text.endswith("?") for parse in relations.library("grammar")) >= 50


def test_words_vary():
    words = {word.lower() for parse in relations.library("grammar") for word in parse.words}
    assert len(words) >= 200


def test_plurals():
    assert [plural(noun) for noun in ("box", "loaf", "donkey", "potato", "watch", "lamp")] == [
        "boxes",
        "loaves",
        "donkeys",
        "potatoes",
        "watches",
        "lamps",
    ]
