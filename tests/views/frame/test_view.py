"""A page on which several things go wrong: each is said once, and the rest of the page stands."""

from streamlit.testing.v1 import AppTest

from tests.views.opening import said


def script():
    import streamlit as st

    from explorer.errors import TextError
    from explorer.views.frame.hints import Hints
    from explorer.views.frame.order import run
    from explorer.views.frame.view import OpenPage, Page, View
    from explorer.views.frame.view_text import Reading, ViewText

    def failing(*message):
        def step(page):
            raise TextError(*message)

        return step

    view = View(
        text=ViewText(label="View", first=Hints("", ""), reading=Reading("")).of_page(
            reading=failing("There is no model.", "")
        ),
        example=failing(""),
        picture=failing("The text is gone.", "Open it again."),
        footer=failing("The text is gone.", "Open it again."),
    )
    run(
        Page(
            name="home",
            views={"view": view},
            open=lambda settings, header: OpenPage(settings, view, None),
            end=lambda page: st.text("the end"),
        )
    )


def test_each_problem_is_said_once():
    at = AppTest.from_function(script).run(timeout=300)
    assert not at.exception
    assert [line.value for line in at.text] == [
        "The text is gone.",
        "Open it again.",
        "There is no model.",
        "the end",
    ]


def training_script():
    import streamlit as st

    from explorer.views.frame.example import Example
    from explorer.views.frame.hints import Hints
    from explorer.views.frame.lecture.lecturing import plain
    from explorer.views.frame.order import run
    from explorer.views.frame.view import OpenPage, Page, View
    from explorer.views.frame.view_text import Reading, ViewText

    def draw(page):
        if st.button("Train", key="train"):
            st.session_state["trained"] = True
        return []

    view = View(
        text=ViewText(
            label="View", first=Hints("Before training.", "Press Train."), reading=Reading("A sentence.")
        ).of_page(
            change=lambda page: "After training.", is_opening=lambda page: not st.session_state.get("trained")
        ),
        picture=draw,
        example=lambda page: Example(plain, text="a"),
    )
    run(Page(name="home", views={"view": view}, open=lambda settings, header: OpenPage(settings, view, None)))


def test_what_no_setting_holds_may_end_the_opening_too():
    at = AppTest.from_function(training_script).run(timeout=300)
    assert "Before training." in said(at) and "After training." not in said(at)
    at.button(key="train").click().run()
    assert not at.exception
    assert "Before training." not in said(at) and "After training." in said(at)
