"""Session files: what is saved opens again; what is no session file says so and changes nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import TextError
from explorer.views.frame.saving import saving
from explorer.views.frame.saving.saving import MOST_BYTES, SessionFile, read, write
from explorer.views.settings.setting import LONGEST_OF_ALL
from tests.views.opening import page_settings

PAGES = ["senses", "masked"]


def session_text(**changes) -> str:
    return json.dumps({"riverbank": 1, "page": "senses", "settings": {}} | changes)


@given(
    st.text(max_size=300),
    st.integers(-9, 99),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_what_is_saved_opens_again(text, layer, senses, warmth):
    settings = page_settings("senses", text=text, layer=layer, senses=senses, warmth=warmth)
    content = write(settings)
    assert read("a.json", len(content.encode()), content, PAGES) == SessionFile("senses", settings.defaults)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a session file"), ("hello", "not a session file"), ("[1, 2]", "not a session file"),
        ('{"page": "senses", "settings": {}}', "not a session file"),
        ('{"riverbank": 1, "page": "senses"}', "not a session file"),
        ('{"riverbank": 1, "page": "senses", "settings": [1]}', "not a session file"),
        ("[" * 100_000, "not a session file"), (session_text(riverbank=2), "another version"),
        (session_text(riverbank="</script>" * 99), "another version"),
        (session_text(page="elsewhere"), "not here"), (session_text(page=["senses"]), "not here"),
        (session_text(settings={"text": "a" * (LONGEST_OF_ALL + 1)}), "100,001 characters"),
    ],
)  # fmt: skip
def test_another_file_says_what_is_wrong_with_it(text, says):
    with pytest.raises(TextError, match=says) as raised:
        read("a.json", len(text), text, PAGES)
    assert "a.json" in raised.value.message and raised.value.hint and len(str(raised.value)) < 250


@pytest.mark.parametrize("text", [None, session_text()])
def test_a_large_file_is_not_even_read(text):
    with pytest.raises(TextError, match=r"1\.5 MB"):
        read("big.json", int(1.5 * MOST_BYTES), text, PAGES)


def test_what_a_session_does_not_say_or_says_wrongly_is_the_default():
    settings = page_settings("senses", text="default", layer=3, own=False)
    content = {"text": "mine\ud83d", "layer": "four", "other": 1}
    saving.apply(SessionFile("senses", content), settings)
    values = settings.values()
    assert values == {"text": "mine�", "layer": 3, "own": False}


def test_no_number_that_is_not_one_comes_in():
    session = read(
        "a.json", 9, '{"riverbank": 1, "page": "senses", "settings": {"t": NaN, "u": Infinity}}', PAGES
    )
    assert session.settings == {"t": None, "u": None}
