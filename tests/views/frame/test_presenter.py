"""Presenter mode without a browser: what stays, what goes, and that links and page changes keep it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.frame import presenter
from explorer.views.frame.glossary import marked
from explorer.views.frame.navigation import pages

ROOT = Path(__file__).parents[3]
EVERY = pytest.mark.parametrize("page", pages(), ids=lambda p: p.name)


def opened(page, **link: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / page.path), default_timeout=60)
    for name, value in link.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def said(at: AppTest) -> str:
    return " ".join(element.proto.body for element in at.get("html"))


def press(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click().run()
    assert not at.exception
    return at


@EVERY
def test_a_deep_link_opens_with_the_title_and_the_picture_and_without_explanations(page):
    at = opened(page, present="1")
    assert at.title[0].value == page.title
    assert (
        marked(page.caption) not in said(at)
        and "How to read it" not in said(at)
        and "<b>Try</b>" not in said(at)
    )
    assert len(at.sidebar) == 0 and not any("Show the code" in fold.label for fold in at.expander)
    assert "--rb-zoom" in said(at)
    assert at.query_params["present"] == ["1"] or at.query_params["present"] == "1"


@EVERY
def test_it_is_entered_and_left_and_the_explanations_come_back(page):
    at = opened(page)
    assert marked(page.caption) in said(at) and "--rb-zoom" not in said(at) and len(at.sidebar) > 0
    press(at, "present/enter")
    assert "present" in at.query_params and marked(page.caption) not in said(at)
    press(at, "present/leave")
    assert "present" not in at.query_params and marked(page.caption) in said(at) and len(at.sidebar) > 0


@pytest.mark.parametrize("value", ["", "0", "yes", "</style>"])
def test_anything_else_in_the_address_is_not_presenter_mode(value):
    at = opened(pages()[0], present=value)
    assert pages()[0].caption in said(at) and "</style></style>" not in said(at)


def test_a_link_with_settings_keeps_both():
    masked = next(page for page in pages() if page.name == "masked")
    at = opened(masked, present="1", text="A [MASK] by the lake.", k="5")
    assert at.session_state["masked.text"] == "A [MASK] by the lake." and "k" in at.query_params
    press(at, "present/leave")
    assert "text" in at.query_params and "present" not in at.query_params
    press(at, "present/enter")
    press(at, "masked/reset")
    assert set(at.query_params) == {"present"}


def test_a_problem_is_still_told():
    masked = next(page for page in pages() if page.name == "masked")
    at = opened(masked, present="1", model="bret")
    assert any("bret" in text.value for text in at.text)
    css = presenter.CSS.read_text(encoding="utf-8")
    assert ":not(:has(.st-key-problem))" in css


def test_the_ways_before_and_after_follow_the_lecture_and_keep_presenter_mode():
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for number, page in enumerate(pages()):
        at.switch_page(page.path)
        at.query_params["present"] = "1"
        at.run()
        assert not at.exception and at.title[0].value == page.title
        ways = [link.proto for link in at.get("page_link") if "chevron" in link.proto.label]
        before, after = sorted(ways, key=lambda way: way.label)
        assert before.disabled == (number == 0) and after.disabled == (number == len(pages()) - 1)
        assert before.disabled or before.help == f"{pages()[number - 1].title} (PageUp)"
        assert after.disabled or after.help == f"{pages()[number + 1].title} (PageDown)"
        assert before.query_string == after.query_string == "present=1"
