"""Settings in the link: what goes in comes out, and what is unreadable is ignored."""

import base64
import random
import string
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from explorer.views.settings.link_values import UNPACKED_LIMIT, pack, unpack
from explorer.views.settings.setting import LONGEST, Setting
from tests.views.opening import page_settings, read_data


@given(st.text())
def test_any_text_survives_the_link(text):
    assert unpack(pack(text), "") == text


@pytest.mark.parametrize("value", [3, 0.25, True, False, -1, None])
def test_numbers_and_switches_survive_the_link(value):
    assert unpack(pack(value), value) == value


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("abc", 3), ("1.5", 3), ("true", 3), ("7", True), ("[1]", 2), ("z~!!", 3), ("z~AAAA", "text"),
        ("{", 1.0), ("NaN", 1.0), ("1e999", 1.0), ("9" * 400, 1.0), ("9" * 400, 3), ("[" * 3000, None),
        (pack("[" * 100_000), None),
    ],
)  # fmt: skip
def test_an_unreadable_value_gives_way_to_the_default(text, default):
    assert Setting("name", default).accept(unpack(text, default)) == default


def test_a_whole_number_in_a_link_is_a_fine_temperature():
    assert Setting("temperature", 0.7).accept(unpack("1", 0.7)) == 1.0


def test_a_small_link_does_not_unpack_into_gigabytes():
    bomb = "z~" + base64.urlsafe_b64encode(zlib.compress(b"a" * 50_000_000, 9)).decode()
    assert len(unpack(bomb, "")) <= UNPACKED_LIMIT


def script():
    import streamlit as st

    from explorer.views.settings.setting import Setting
    from explorer.views.settings.settings import Settings

    text, layer = Setting("text", "default"), Setting("layer", 3)
    settings = Settings("test", text, layer)
    settings.open()
    st.slider("Layer", 0, 9, key=settings.key(layer))
    st.button("preset", on_click=lambda: settings.update({"text": "preset", "layer": 5}))
    st.button("reset", on_click=settings.reset)
    st.button("nothing")
    st.checkbox("Examples", key="examples")
    st.text(f"{settings[text]}|{settings[layer]}")
    settings.close()


def test_a_link_opens_the_same_view_and_follows_changes():
    at = AppTest.from_function(script, default_timeout=300)
    at.query_params["layer"] = "7"
    at.run()
    assert at.text[0].value == "default|7"
    at.slider[0].set_value(2).run()
    assert at.text[0].value == "default|2"
    assert at.query_params["layer"] == "2"
    at.button[0].click().run()
    assert at.text[0].value == "preset|5"
    assert at.query_params["text"] == "preset"
    at.button[1].click().run()
    assert at.text[0].value == "default|3"
    assert not at.query_params


def box():
    import streamlit as st

    from explorer.views.settings.setting import Setting
    from explorer.views.settings.settings import Settings
    from explorer.views.widgets.text_box import text_box

    text, word = Setting("text", "default"), Setting("word", "bank", most=10)
    settings = Settings("test", text, word)
    settings.open()
    text_box(settings, text, "A text")
    text_box(settings, word, "A word")
    st.text(f"{settings[text]}|{settings[word]}")
    settings.close()


def test_a_text_too_long_for_its_box_loses_its_end_and_the_box_says_so():
    at = AppTest.from_function(box, default_timeout=300)
    at.query_params["text"] = "a" * (LONGEST + 1)
    at.query_params["word"] = "bank"
    at.run()
    assert not at.exception and at.text[0].value == "a" * LONGEST + "|bank"
    first, second = (read_data(mount) for mount in at.get("bidi_component"))
    assert first["notice"] == "Only the first 20,000 characters are kept."
    assert second["notice"] == ""


def test_the_address_of_a_moment_ago_is_no_link_that_was_opened(monkeypatch):
    at = AppTest.from_function(script, default_timeout=300)
    at.query_params["layer"] = "4"
    at.run()
    at.slider[0].set_value(5).run()
    at.query_params["layer"] = "4"  # as a browser sends it that has not yet taken over the new address
    at.slider[0].set_value(6).run()
    assert at.text[0].value == "default|6" and at.query_params["layer"] == "6"
    monkeypatch.setattr("explorer.views.settings.page_history.SETTLED_S", 0.0)
    at.query_params["layer"] = "4"
    at.slider[0].set_value(7).run()
    assert at.text[0].value == "default|7", "nor after a while: no link is opened by moving a slider"
    at.query_params["layer"] = "4"
    at.run()
    assert at.text[0].value == "default|4", "but going back to it later opens it"


def went_back(at: AppTest, **address: str) -> str:
    """What the page says after the browser has gone back or forward to another address of it."""
    for name in ("text", "layer"):
        at.query_params.pop(name, None)
    for name, value in address.items():
        at.query_params[name] = value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("explorer.views.settings.page_history.is_history_navigation", lambda: True)
        at.run()
    assert not at.exception
    return at.text[0].value


def test_the_first_press_of_back_undoes_the_first_change_of_a_page_at_once():
    at = AppTest.from_function(script, default_timeout=300).run()
    at.slider[0].set_value(5).run()
    assert at.query_params["layer"] == "5"
    assert went_back(at) == "default|3" and not at.query_params
    assert went_back(at, layer="5") == "default|5", "and on again"


def test_a_text_that_is_too_long_for_the_address_comes_back_too():
    at = AppTest.from_function(script, default_timeout=300).run()
    settings = page_settings("test", text="default", layer=3)
    long = "".join(random.Random(1).choices(string.ascii_letters, k=9000))
    at.session_state[settings.key("text")] = long
    at.run()
    at.slider[0].set_value(6).run()
    assert at.text[0].value == f"{long}|6" and "text" not in at.query_params
    at.slider[0].set_value(3).run()
    assert went_back(at, layer="6") == f"{long}|6"


def test_a_click_from_before_the_new_address_is_no_press_of_back():
    at = AppTest.from_function(script, default_timeout=300).run()
    at.slider[0].set_value(5).run()
    at.query_params.pop("layer")  # as a browser sends it that has not yet taken over the new address
    at.button[2].click().run()
    assert at.text[0].value == "default|5" and at.query_params["layer"] == "5"


def test_closing_a_popover_with_the_address_of_a_moment_ago_is_no_press_of_back():
    at = AppTest.from_function(script, default_timeout=300).run()
    at.slider[0].set_value(5).run()
    at.query_params.pop("layer")
    at.checkbox[0].check().run()  # a widget that is no setting, as an open popover is
    assert at.text[0].value == "default|5" and at.query_params["layer"] == "5"


def interrupted():
    import streamlit as st

    from explorer.views.settings.setting import Setting
    from explorer.views.settings.settings import Settings

    view, layer = Setting("view", "one"), Setting("layer", 3)
    settings = Settings("test", view, layer)
    settings.open()
    st.slider("Layer", 0, 9, key=settings.key(layer))
    settings.close()
    if st.session_state.setdefault("before", 0) > 0:
        settings.note_drawn()
    st.session_state["before"] += 1


def test_what_an_interrupted_run_has_sent_is_sent_again():
    """It may be lost on the way: the browser would draw the widget with its least value, and send that."""
    at = AppTest.from_function(interrupted, default_timeout=300).run()
    assert at.run().slider[0].proto.set_value
    assert not at.run().slider[0].proto.set_value, "what the browser has is not sent again"


def menu():
    import streamlit as st

    from explorer.views.settings.setting import Setting
    from explorer.views.settings.settings import Settings

    layer = Setting("layer", 3)
    settings = Settings("test", layer)
    settings.open()
    st.text(f"{settings[layer] + 1}")
    st.selectbox("Layer", range(9), key=settings.key(layer), format_func=lambda i: f"Layer {i + 1}")
    settings.close()


def test_the_label_of_a_menu_that_has_changed_is_no_number():
    """Streamlit passes on what a browser still shows of an earlier menu."""
    at = AppTest.from_function(menu, default_timeout=300).run()
    at.selectbox[0].set_value(5).run()
    assert at.text[0].value == "6"
    box = at.selectbox[0]
    box.options = [*box.options, "Layer 12"]
    box.set_value("Layer 12").run()
    assert not at.exception and at.text[0].value == "6"


def unanswered():
    import streamlit as st

    from explorer.views.settings.setting import Setting
    from explorer.views.settings.settings import Settings

    layer = Setting("layer", 3)
    settings = Settings("test", layer)
    st.session_state["test.layer"] = None
    settings.open()
    st.text(f"{settings[layer] + 1}")
    settings.close()


def test_nothing_in_place_of_a_number_is_the_chosen_one():
    """Streamlit passes on None where a row of buttons does not have what the browser still shows."""
    at = AppTest.from_function(unanswered, default_timeout=300).run()
    assert not at.exception and at.text[0].value == "4"
