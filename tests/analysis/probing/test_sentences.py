"""Sentences for probes: a treebank's columns, documents of names, and a visitor's own text."""

import pytest

from explorer.analysis.probing import own_sentences
from explorer.analysis.probing.sentences import is_mark, read_names, read_treebank, split
from explorer.analysis.probing.structural import tree_distances
from explorer.errors import TextError


def row(number, form, tag="X", head=0, relation="dep", misc="_"):
    return "\t".join([str(number), form, "_", tag, "_", "_", str(head), relation, "_", misc])


def test_a_contraction_is_its_parts_and_the_text_is_put_together_again():
    lines = [
        "# text = We don't moor in Ely.", row(1, "We", "PRON", 4, "nsubj"), row("2-3", "don't", head="_"),
        row(2, "do", "AUX", 4, "aux"), row(3, "n't", "PART", 4, "advmod"),
        row(4, "moor", "VERB", 0, "root"), row("4.1", "left", head="_"), row(5, "in", "ADP", 6, "case"),
        row(6, "Ely", "PROPN", 4, "obl:at", "Entity=LOC|SpaceAfter=No"), row(7, ".", "PUNCT", 4, "punct"),
    ]  # fmt: skip
    (one,) = read_treebank(lines)
    assert one.text == "We don't moor in Ely."
    assert one.words == ["We", "do", "n't", "moor", "in", "Ely", "."]
    assert one.heads == (3, 3, 3, -1, 5, 3, 3)
    assert one.relations[5] == "obl", "subtypes are left out"
    assert one.entities == ("O",) * 5 + ("LOC", "O")


def test_parts_that_are_not_their_contraction_stand_apart():
    lines = [row("1-2", "au", head="_"), row(1, "à", head=3), row(2, "le", head=3), row(3, "port", head=0)]
    (one,) = read_treebank(lines)
    assert one.text == "à le port"


@pytest.mark.parametrize(
    ("line", "said"), [("1\tonly\tthree", "3 columns"), (row(1, "word", head="_"), "head")]
)
def test_another_file_is_refused_with_the_line(line, said):
    with pytest.raises(TextError, match=f"Line 2.*{said}|Line 2 has the {said}"):
        list(read_treebank(["# a comment", line]))


def test_documents_of_names_are_kept_apart():
    lines = "Ada I-PER\nsleeps O\n. O\n\nYork I-LOC\n-DOCSTART- O\nIBM I-ORG\n".splitlines()
    documents = read_names(lines)
    assert [[one.text for one in document] for document in documents] == [["Ada sleeps.", "York"], ["IBM"]]
    assert documents[0][0].entities == ("PER", "O", "O")


@pytest.mark.parametrize("one", own_sentences(), ids=lambda one: one.text[:20])
def test_our_own_sentences_are_trees_that_a_visitor_can_type(one):
    assert split(one.text).spans == one.spans
    assert one.heads.count(-1) == 1 and tree_distances(one.heads).min() == 0, "no word hangs on itself"
    assert one.heads[-1] == one.heads.index(-1), "a sentence's last mark hangs on its root"
    assert not any(one.heads.count(at) for at, word in enumerate(one.words) if is_mark(word))


def test_an_empty_text_has_no_words():
    with pytest.raises(TextError):
        split("  ")
