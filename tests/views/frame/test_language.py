"""The language of a visitor: of the address, chosen, or the browser’s; once chosen, all links keep it."""

from inspect import unwrap

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest

from explorer.server import session_language, streamlit_private
from tests.views.opening import opened, opened_in_app

SAVE = {"en": "Save", "fr": "Enregistrer", "zh": "保存"}


@pytest.fixture(autouse=True)
def streamlits_own(monkeypatch):
    monkeypatch.setattr(
        SafeSessionState, "on_script_will_rerun", unwrap(SafeSessionState.on_script_will_rerun)
    )


def language(at: AppTest) -> str:
    """The language in which a page is shown, by its controls."""
    controls = {popover.proto.popover.label for popover in at.get("popover")}
    [name] = [name for name, label in SAVE.items() if label in controls]
    return name


@pytest.mark.parametrize(
    ("wish", "shown"), [("fr", "fr"), ("zh-CN", "zh"), ("FR", "fr"), ("en", "en"), ("xx", "en"), ("de", "en")]
)
def test_the_address_names_a_language_that_the_app_has(wish, shown):
    at = opened("home", lang=wish)
    assert language(at) == shown
    assert at.query_params.get("lang") == (None if wish in ("xx", "de") else shown)


@pytest.mark.parametrize(
    ("browser", "shown"), [("fr-CH", "fr"), ("zh-TW", "zh"), ("pt-BR", "en"), ("", "en")]
)
def test_the_browser_decides_where_nobody_has_chosen_and_no_link_says_so(monkeypatch, browser, shown):
    monkeypatch.setattr(ContextProxy, "locale", property(lambda self: browser))
    at = opened("home")
    assert (language(at), "lang" in at.query_params) == (shown, False)
    assert language(opened("home", lang="en")) == "en"


def test_a_choice_lasts_from_page_to_page_and_is_in_every_address():
    at = opened_in_app("home")
    at.button_group(key="language").set_value("zh").run()
    assert language(at) == "zh" and at.query_params["lang"] == "zh"
    at.switch_page("pages/tokens.py")
    at.run()
    assert language(at) == "zh" and at.query_params["lang"] == "zh"
    at.button_group(key="language").set_value("en").run()
    assert language(at) == "en" and at.query_params["lang"] == "en"


def test_an_address_that_the_browser_sent_too_late_does_not_undo_a_choice():
    at = opened("home", lang="fr")
    at.button_group(key="language").set_value("en")
    at.query_params["lang"] = "fr"
    assert language(at.run()) == "en"


def test_what_is_set_stays_set_in_another_language():
    at = opened("tokens", view="vocabulary")
    at.selectbox(key="tokens.colour").set_value("length").run()
    before = {name: at.session_state[f"tokens.{name}"] for name in ("view", "colour")}
    at.button_group(key="language").set_value("fr").run()
    assert before == {name: at.session_state[f"tokens.{name}"] for name in before}
    assert before["view"] == "vocabulary" and before["colour"] == "length"


def test_an_open_lecture_goes_on_in_the_chosen_language():
    at = opened("home", lang="fr", course="meaning", stop="1")
    assert (at.session_state["/lecture/at"], at.session_state["/lecture"][0].text) == (0, "Le sens")
    at.button_group(key="language").set_value("zh").run()
    assert (at.session_state["/lecture/at"], at.session_state["/lecture"][0].text) == (0, "意义")
    at.button_group(key="language").set_value("en").run()
    assert at.session_state["/lecture"][0].text == "Meaning" and not at.exception


def press() -> None:
    import streamlit as st

    from explorer.locale import _
    from explorer.server import session_language

    session_language.follow_address()

    @st.fragment
    def part() -> None:
        st.button("Again", key="again")
        st.session_state["of_fragment"] = _("Save")

    st.button("Press", key="press", on_click=lambda: st.session_state.update(of_callback=_("Save")))
    part()


def test_callbacks_and_fragments_speak_it_too():
    streamlit_private.finish_callbacks(session_language.use)
    at = AppTest.from_function(press, default_timeout=300)
    at.query_params["lang"] = "fr"
    at.run().button(key="press").click().run()
    at.button(key="again").click().run()
    assert at.session_state["of_callback"] == at.session_state["of_fragment"] == SAVE["fr"]
