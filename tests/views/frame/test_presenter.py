"""Presenter mode without a browser: what stays, what goes, and that links and page changes keep it."""

import importlib
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.about import choice, record
from explorer.views.frame import presenter
from explorer.views.frame.glossary import with_terms
from explorer.views.frame.lecture import lecturing
from explorer.views.frame.navigation import pages
from explorer.views.frame.presets import presets
from explorer.views.widgets.registry import style
from tests.views.opening import opened, opened_in_app, said
from tests.views.opening import press as go

started = partial(opened_in_app, present="1")
LARGER = "--rb-zoom: calc"  # in its style sheet
EVERY = pytest.mark.parametrize("page", pages(), ids=lambda p: p.name)


READING = 'id="rb-reading"'
TOLD = 'rb-first rb-told"', 'rb-now rb-told"'  # lines that presenter mode shows


def press(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click().run()
    assert not at.exception
    return at


@pytest.mark.slow
@EVERY
def test_a_link_opens_it_without_explanations_and_it_is_left_and_entered(page):
    at = opened(page.name, present="1")
    assert at.title[0].value == page.title
    assert with_terms(page.caption) not in said(at) and LARGER in said(at)
    assert READING in said(at) and not any(sign in said(at) for sign in TOLD), "for paper alone"
    assert len(at.sidebar) == 0 and not any("Show the code" in fold.label for fold in at.expander)
    assert at.query_params["present"] == ["1"] or at.query_params["present"] == "1"
    press(at, "present/leave")
    assert with_terms(page.caption) in said(at) and LARGER not in said(at) and len(at.sidebar) > 0
    assert "present" not in at.query_params
    press(at, "present/enter")
    assert "present" in at.query_params and with_terms(page.caption) not in said(at)


def test_a_step_to_another_page_is_made_though_a_message_ends_the_run_on_its_way(monkeypatch):
    at, begun = started("sides", view="characters"), []
    with monkeypatch.context() as interrupted:
        interrupted.setattr(presenter.st, "switch_page", lambda path, **_: begun.append(path))
        press(at, "present/PageDown")
        assert begun and at.title[0].value == "From both sides"
    assert at.run().title[0].value == "Word senses"


@pytest.mark.parametrize("value", ["", "0", "yes", "</style>"])
def test_anything_else_in_the_address_is_not_presenter_mode(value):
    at = opened("home", present=value)
    assert with_terms(pages()[0].caption) in said(at) and "</style></style>" not in said(at)


def test_a_link_with_settings_keeps_both():
    at = opened("masked", present="1", text="A [MASK] by the lake.", k="5")
    assert at.session_state["masked.text"] == "A [MASK] by the lake." and "k" in at.query_params
    press(at, "present/leave")
    assert "text" in at.query_params and "present" not in at.query_params
    press(at, "present/enter")
    press(at, "masked/reset")
    assert set(at.query_params) == {"present"}


def test_an_address_that_the_browser_sent_too_late_does_not_undo_it_and_back_does(monkeypatch):
    at = press(opened("home"), "present/enter")
    at.query_params.clear()  # a message that left the browser before it had the new address
    at.run()
    assert LARGER in said(at) and at.query_params["present"] in ("1", ["1"])
    press(at, "present/leave")
    at.query_params["present"] = "1"
    at.run()
    assert LARGER not in said(at) and "present" not in at.query_params
    at.query_params["present"] = "1"
    monkeypatch.setattr("explorer.views.settings.settings.is_history_navigation", lambda: True)
    assert LARGER in said(at.run())


def test_a_problem_is_still_told_and_its_page_can_be_left():
    at = started("masked", model="bret")
    assert any("bret" in text.value for text in at.text)
    assert not at.button(key="present/PageDown").disabled
    css = style("frame/presenter.css")
    assert ":not(:has(.st-key-problem, .rb-told, .st-key-formulas))" in css


def test_a_clicker_goes_through_all_views_and_on_to_the_next_page_and_back_the_same_way():
    module = importlib.import_module("explorer.views.vectors.page")
    names = [page.name for page in pages()]
    before, after = (pages()[names.index("vectors") + by].title for by in (-1, 1))
    at = started("vectors")
    views = list(module.VIEWS)
    for view, following in zip(views, [*views[1:], None]):
        assert at.session_state["vectors.view"] == view
        title = module.VIEWS[following].text.label if following else after
        assert lecturing.plain(title) in at.button(key="present/PageDown").help
        go(at, "present/PageDown")
    assert at.title[0].value == after and at.query_params["present"] in ("1", ["1"])
    go(at, "present/PageUp")
    assert at.session_state["vectors.view"] == views[-1]
    for view in reversed(views[:-1]):
        go(at, "present/PageUp")
        assert at.session_state["vectors.view"] == view
    go(at, "present/PageUp")
    assert at.title[0].value == before


@pytest.mark.slow
def test_the_next_page_opens_with_its_first_view_even_if_it_was_left_at_another():
    at = started("tokens", view="vocabulary")
    go(at, "present/PageDown")
    module = importlib.import_module("explorer.views.elmo.page")
    assert at.session_state["sides.view"] == next(iter(module.VIEWS))
    at.session_state["sides.view"] = list(module.VIEWS)[-1]
    at.run()
    for _ in module.VIEWS:
        go(at, "present/PageUp")
    assert at.session_state["tokens.view"] == "vocabulary"
    go(at, "present/PageDown")
    assert at.session_state["sides.view"] == next(iter(module.VIEWS))


def test_at_the_first_and_the_last_page_one_way_ends():
    assert started(pages()[0].name).button(key="present/PageUp").disabled
    module = importlib.import_module("explorer.views.about.page")
    last = list(module.views_of(choice.Training("gpt", "", record.read("gpt"))))[-1]
    at = started(pages()[-1].name, model="gpt", view=last)
    assert at.button(key="present/PageDown").disabled and not at.button(key="present/PageUp").disabled


def test_presets_are_at_hand_and_close_when_one_is_chosen():
    at = started("vectors")
    preset = next(one for one in presets("vectors") if one.values["view"] == "neighbours")

    def control():
        (popover,) = (one.proto.id for one in at.get("popover") if "lightbulb" in one.proto.popover.icon)
        return popover

    opener = control()
    go(at, f"vectors/preset/{preset.label}")
    assert at.session_state["vectors.word"] == preset.values["word"]
    assert control() != opener, "a new control, which is closed"
    assert at.query_params["present"] in ("1", ["1"])


def test_what_to_see_is_shown_by_a_key_and_hidden_again():
    at = opened("home", present="1")
    assert "Now try" in said(at) and TOLD[0] not in said(at), "on paper alone"
    assert at.button(key="present/tell").proto.shortcut == "s"
    press(at, "present/tell")
    assert TOLD[0] in said(at)
    press(at, "present/tell")
    assert TOLD[0] not in said(at)


def test_outside_of_presenter_mode_there_is_no_such_control():
    buttons = opened("vectors").button
    assert not any((button.key or "").startswith("present/Page") for button in buttons)
