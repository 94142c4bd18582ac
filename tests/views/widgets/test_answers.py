"""What a component has sent may arrive when the component has already left the page."""

from streamlit.testing.v1 import AppTest


def script():
    import streamlit as st

    from explorer.views.widgets.registry import sent

    st.text(f"{sent('nobody', 'more')}")


def test_an_answer_of_a_component_that_has_gone_is_none():
    at = AppTest.from_function(script).run()
    assert not at.exception
    assert at.text[0].value == "None"
