"""Sentences against each other: what the page sends to its pictures, and what it says of odd sentences."""

from contextlib import nullcontext
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from explorer.analysis import sentences
from explorer.analysis.sentences import vectors
from explorer.server import kept
from explorer.views.search import kinds
from explorer.views.search.sentences import MOST, OPENING
from tests.shared_models import model
from tests.views.opening import opened, page_settings, printed_result, sent, told

run = partial(opened, "search", model="bert")
LINES = OPENING.splitlines()
# The dialog alone: a test's rerun is one of the whole page, which would close it.
DIALOG = """
import streamlit as st
from explorer.views.search.own_file import _choose
from tests.views.opening import page_settings

_choose(page_settings("search"), lambda settings, texts: st.session_state.update(taken=texts))
"""


@pytest.mark.parametrize(("kind", "name"), [("tfidf", ""), ("word2vec", "word2vec"), ("model", "bert")])
def test_the_squares_are_the_cosines_of_the_chosen_vectors(kind, name):
    at = run(kind=kind)
    (data,) = sent(at, "cosine_matrix")
    cosines = sentences.read(model(name) if name else None, LINES).cosines
    lower = [round(float(cosines[i, j]) * 1000) for i in range(12) for j in range(i)]
    assert data["cosines"] == pytest.approx(lower, abs=1) and data["shades"] == data["cosines"]
    assert sorted(data["order"]) == list(range(12)) and data["layer"] is None
    assert [row["whole"][0] for row in data["rows"]] == LINES
    assert printed_result(at)[0] == pytest.approx(cosines[0].tolist(), abs=1e-3)


@pytest.mark.parametrize("picture", ["matrix", "pca", "tsne"])
def test_the_nearest_of_a_clicked_sentence_are_listed_and_linked(picture):
    at = run(picture=picture, locked="7")
    (listed,) = sent(at, "nearest")
    near = sentences.read(model("bert"), LINES).nearest(7, 5)
    assert listed["title"]["whole"] == LINES[7]
    assert [row["id"] for row in listed["rows"]] == [str(i) for i, _ in near]
    assert [row["cosine"] for row in listed["rows"]] == [f"{cosine:.2f}" for _, cosine in near]
    if picture != "matrix":
        (plane,) = sent(at, "word_map")
        assert len(plane["points"]) == 24 and plane["near"] == [row["id"] for row in listed["rows"]]


@pytest.mark.parametrize("colour", ["meaning", "language"])
def test_a_sentence_of_ones_own_is_a_ring_among_the_translations_and_its_nearest_are_listed(colour):
    ours = sentences.translations()
    own = "Il neige.\nOù est la gare ?"
    at = run(collection="translations", kind="tfidf", added=own, colour=colour, locked=str(len(ours) + 1))
    (plane,) = sent(at, "word_map")
    groups = [name for _, name in plane["legend"]]
    assert len(groups) == len(set(groups)) == {"meaning": 8, "language": 24}[colour]
    assert [groups[dot["mark"]] for dot in plane["dots"][:-2]] == [getattr(each, colour) for each in ours]
    assert [dot["text"] for dot in plane["dots"][:-2]] == [each.language for each in ours]
    assert [dot["text"] for dot in plane["dots"] if dot.get("hollow")] == own.splitlines()
    (listed,) = sent(at, "nearest")
    assert (listed["rows"][0]["whole"], listed["rows"][0]["sense"]) == ("Où est la gare ?", "French")
    counts = sentences.neighbours(sentences.read(None, [each.text for each in ours]))
    assert f"For {counts.translation} of 192 sentences the nearest is a translation" in told(at)
    assert printed_result(at) == counts._asdict()


def test_a_model_that_reads_english_names_the_one_that_reads_all_the_languages():
    assert "e5 reads a hundred languages" in told(run(collection="translations", kind="bert-mini"))


@pytest.mark.parametrize(
    ("name", "last"),
    [("minilm", ["BERT mini, averaged", "MiniLM"]), ("bert-mini", ["MiniLM", "BERT mini"])],
)
def test_the_pages_own_model_is_a_kind_once(name, last):
    assert list(kinds.choices(page_settings("search", model=name)).values())[-2:] == last


def test_the_texts_of_a_table_are_taken_and_one_of_numbers_is_refused():
    at = AppTest.from_string(DIALOG).run(timeout=300)
    at.file_uploader[0].set_value([("numbers.csv", b"1,2\n3,4\n", "text/csv")]).run()
    assert "no column of text" in told(at) and "taken" not in at.session_state
    rows = b"number,text\n1,We sat on the bank.\n2,It rained all day.\n"
    at.file_uploader[0].set_value([("ours.csv", rows, "text/csv")]).run()
    assert at.session_state["taken"] == ["We sat on the bank.", "It rained all day."]


def test_what_is_left_out_of_a_file_is_said_before_it_is_taken():
    at = AppTest.from_string(DIALOG).run(timeout=300)
    at.file_uploader[0].set_value([("words.tsv", b"We\tO\nsaw\tO\nOslo\tB-city\n", "text/csv")]).run()
    assert "CoNLL" in told(at) and "taken" not in at.session_state
    at.button(key="search/use-file").click().run()
    assert at.session_state["taken"] == ["We saw Oslo"]


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"sentences": "Alone."}, "nothing to be compared with"),
        ({"sentences": " \n \n"}, "nothing to be compared with"),
        (
            {"sentences": "\n".join(["The same."] * (MOST + 5))},
            f"The first {MOST} of 205 sentences are shown.",
        ),
        ({"sentences": "It rains. " * 9_000 + "\nShort."}, "Of line 1 the model reads the beginning only."),
        ({"sentences": "Zzqqxx!\nWe sat down.", "kind": "word2vec"}, "Sentences without a known word: 1"),
        ({"sentences": "?!\n...", "kind": "tfidf"}, "Sentences without a known word: 2"),
        ({"sentences": "Equal.\nEqual.\nEqual.\nEqual.\nEqual.", "picture": "tsne"}, "all"),
    ],
)
def test_odd_sentences_are_drawn_or_say_why_not(link, words):
    assert words in told(run(**link))


def test_equal_sentences_have_a_cosine_of_one_exactly():
    (data,) = sent(run(sentences="\n".join(["The same."] * MOST)), "cosine_matrix")
    assert set(data["cosines"]) == {1000}


def test_only_new_sentences_are_read(monkeypatch):
    run()
    texts = []
    embed = vectors.embed
    monkeypatch.setattr(
        vectors, "embed", lambda model, some, *more: texts.extend(some) or embed(model, some, *more)
    )
    run(sentences=OPENING + "\nA thirteenth.")
    assert texts == ["A thirteenth."]


def test_a_long_reading_that_was_left_goes_on_where_it_was():
    texts = [f"Line {i}." for i in range(kinds.SLOW + 1)]
    kept.forget_results()

    class Left(Exception):
        pass

    def leave(fraction, text):
        if fraction:
            raise Left

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Left):
        patch.setattr(kinds.kit, "progress_bar", lambda: nullcontext(leave))
        kinds._by_model(model("bert-mini"), texts)
    assert len(kinds._rows._entries) == kinds.AT_ONCE
    assert len(kinds._by_model(model("bert-mini"), texts).texts) == len(kinds._rows._entries) == len(texts)
