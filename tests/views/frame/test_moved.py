"""Links to views that have moved, in the address, in lectures and in session files."""

import json

import pytest

from explorer.views.frame import moved, navigation
from explorer.views.frame.lecture import lecture
from explorer.views.frame.moved import Redirect, redirects
from explorer.views.frame.saving import saving

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


def test_lectures_and_savings_follow(one):
    pages = {"attention": "Attention", "continuations": "Continuations"}
    [item] = lecture.read("[Back](/attention?view=writing)", pages)
    assert (item.page, item.link) == ("continuations", {"view": "back"})
    text = json.dumps({"riverbank": 1, "page": "attention", "settings": {"view": "writing"}})
    assert saving.read("a.json", len(text), text, pages).page == "continuations"


@pytest.mark.parametrize("page", ["probing", "transformer", "vectors"])
def test_an_address_without_a_view_opens_the_first(page):
    assert moved.resolve(page, {"text": "Clara went home."}) == (page, {"text": "Clara went home."})


def test_every_move_leads_to_a_page_and_not_in_a_circle():
    for one in redirects():
        assert navigation.find(one.to)
        assert moved.resolve(one.to, one.new) == (one.to, dict(one.new))
