"""A page on which several things go wrong: each is said once, and the rest of the page stands."""

from streamlit.testing.v1 import AppTest


def script():
    import streamlit as st

    from explorer.errors import TextError
    from explorer.views.frame.hints import Hints
    from explorer.views.frame.view import OpenPage, Page, View, run

    def failing(*message):
        def step(page):
            raise TextError(*message)

        return step

    view = View(
        label="View",
        first=Hints("", ""),
        example=failing(""),
        draw=failing("The text is gone.", "Open it again."),
        below=failing("The text is gone.", "Open it again."),
        reading=failing("There is no model.", ""),
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
    at = AppTest.from_function(script).run(timeout=60)
    assert not at.exception
    assert [line.value for line in at.text] == [
        "The text is gone.",
        "Open it again.",
        "There is no model.",
        "the end",
    ]
