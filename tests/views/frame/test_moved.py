"""Links to views that have moved, in the address, in lectures and in session files."""

import json

import pytest

from explorer.views.frame import moved, navigation
from explorer.views.frame.lecture import lecture
from explorer.views.frame.moved import Redirect, redirects
from explorer.views.frame.saving import session_file

WRITING = Redirect("attention", {"view": "writing"}, "continuations", {"view": "back"}, {"pair": "second"})


@pytest.fixture
def one(monkeypatch):
    monkeypatch.setattr(moved, "redirects", lambda: (WRITING,))


def test_other_settings_stay_and_may_be_renamed(one):
    assert moved.resolve("attention", {"view": "writing", "text": "A cat", "pair": "B"}) == (
        "continuations",
        {"view": "back", "text": "A cat", "second": "B"},
    )
    assert moved.resolve("attention", {"view": "inside"}) == ("attention", {"view": "inside"})


def test_lectures_and_session_files_follow(one):
    pages = {"attention": "Attention", "continuations": "Continuations"}
    [item] = lecture.read("[Back](/attention?view=writing)", pages)
    assert (item.page, item.link) == ("continuations", {"view": "back"})
    text = json.dumps({"riverbank": 1, "page": "attention", "settings": {"view": "writing"}})
    assert session_file.read("a.json", len(text), text, pages).page == "continuations"


@pytest.mark.parametrize("page", ["probing", "transformer", "vectors"])
def test_an_address_without_a_view_opens_the_first(page):
    assert moved.resolve(page, {"text": "Clara went home."}) == (page, {"text": "Clara went home."})


def test_every_move_leads_to_a_page_and_not_in_a_circle():
    for one in redirects():
        assert navigation.find(one.to)
        assert moved.resolve(one.to, one.new) == (one.to, dict(one.new))


def test_a_new_sentence_is_typed_under_the_map():
    page, link = moved.resolve("senses", {"view": "new", "word": "crane", "new": "A crane flew."})
    assert (page, link) == ("senses", {"view": "map", "word": "crane", "new": "A crane flew."})
    assert "bank" in moved.resolve("senses", {"view": "new"})[1]["new"]


def test_stored_figures_are_on_the_card():
    card = {"view": "card", "model": "bert"}
    for link in ({"view": "gained"}, {"view": "scores"}):
        assert moved.resolve("finetuning", link) == ("models", card)
    own = {"view": "gained", "gained_set": "own"}
    assert moved.resolve("finetuning", own) == ("finetuning", {"view": "sentence"})
    assert moved.resolve("models", {"view": "measured"}) == ("models", {"view": "card", "measure": "scale"})


def test_curves_are_one_view_and_of_the_model_that_the_page_opened_with():
    curves = {"view": "card", "measure": "share"}
    assert moved.resolve("models", {"view": "share", "model": "elmo"}) == (
        "models",
        curves | {"model": "elmo"},
    )
    assert moved.resolve("models", {"view": "share"}) == ("models", curves | {"model": "bert"})
    assert moved.resolve("models", {"sentence": "1"})[1] == {
        "view": "predicted",
        "model": "bert",
        "sentence": "1",
    }
    assert moved.resolve("models", {"model": "gpt", "view": "written"})[1]["view"] == "written"


def test_a_sentence_that_was_scored_is_a_text_to_colour_by_bert():
    old = {"view": "score", "better": "A cat.", "worse": "A cats."}
    page, link = moved.resolve("masked", old)
    assert page == "continuations" and link["passage"] == "A cat." and link["model"] == "bert"
    assert moved.resolve("masked", old | {"model": "bert-mini"})[1]["model"] == "bert-mini"


def test_ones_own_arcs_are_a_kind_of_head():
    old = {"view": "find", "arcs": "[[1, 0]]", "found": "[0, 2]"}
    assert moved.resolve("heads", old)[1] == {
        "view": "kinds",
        "what": "arcs",
        "arcs": "[[1, 0]]",
        "head": "[0, 2]",
    }


def test_words_are_replaced_by_hand_or_by_the_generator():
    for who, now in (("you", "hand"), ("places", "generator")):
        link = moved.resolve("masked", {"view": "replaced", "who": who, "seed": "3"})[1]
        assert link == {"view": "replaced", "who": now, "shown": "true", "seed": "3"}


def test_two_readers_are_a_switch_of_predict():
    old = {"view": "two", "text": "A [MASK]."}
    assert moved.resolve("masked", old)[1] == {"view": "predict", "beside": "true", "text": "A [MASK]."}
