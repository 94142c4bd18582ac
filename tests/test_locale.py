"""The interface in other languages: no text is missing or stale, and each phone has its own language."""

import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import locale
from explorer.commands import translations
from explorer.room import page, routes
from explorer.room.questions import Question
from explorer.room.result import count_answers
from explorer.room.store import Store

LANGUAGES = locale.languages()[1:]
FIELD = re.compile(r"\{\w*\}")


@pytest.fixture
def phone(tmp_path, monkeypatch):
    monkeypatch.setattr(routes, "store", Store(tmp_path / "rooms.sqlite"))
    return TestClient(Starlette(routes=routes.routes()), base_url="http://class")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_missing_or_stale_and_each_keeps_its_fields(language):
    assert (translations.missing(language), translations.stale(language)) == ([], [])
    for entry in locale.read_catalogue(language):
        if entry.id:
            forms = [entry.string] if isinstance(entry.string, str) else entry.string
            english = entry.id if isinstance(entry.id, str) else entry.id[1]
            for form in forms:
                assert sorted(FIELD.findall(form)) == sorted(FIELD.findall(english)), form


def test_a_changed_text_and_one_that_went_are_said(monkeypatch, capsys):
    keys = {key: place for key, place in translations.keys().items() if key != "Send"} | {"Post": "a.py:1"}
    monkeypatch.setattr(translations, "keys", lambda: keys)
    translations.main("fr")
    said = capsys.readouterr().out
    assert (
        'msgid "Post"\nmsgstr ""' in said
        and '# delete: msgid "Send"' in said
        and "1 missing, 1 stale" in said
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_has_its_page_in_the_language_of_its_browser(phone, language):
    code, _ = routes.store.open_room()
    sent = {"accept-language": f"{language}-XX;q=0.9, en;q=0.5"}
    text = phone.get(f"/join/{code}", headers=sent).text
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">' in text
    assert "You are in." not in text and "No connection" not in text and "{" + "offline}" not in text
    css, script = (
        re.search(r'content: "( [^"\\\n<]+)"', text),
        re.search(r'textContent = "([^"\\\n<]+)"', text),
    )
    assert css and script  # nothing ends the string in which a translation stands


def test_the_address_names_a_language_which_the_phone_keeps(phone):
    code, secret = routes.store.open_room()
    routes.store.ask(code, secret, Question("number", "How many?", low=0, high=2_000_000))
    assert "Un nombre de 0 à 2\u202f000\u202f000" in phone.get(f"/join/{code}?lang=fr").text
    assert phone.get(f"/join/{code}/state").json()["count"] == "Personne n’a encore répondu."
    refused = phone.post(f"/join/{code}", data={"question": 1, "answer": "{low}"}).text
    assert "« {low} » n’est pas un nombre de 0" in refused
    phone.post(f"/join/{code}", data={"question": 1, "answer": "1 500 000"})
    assert phone.get(f"/join/{code}/state").json()["count"] == "1 a répondu."
    english = TestClient(phone.app, base_url="http://class")
    assert english.get(f"/join/{code}/state").json()["count"] == "1 answered."


def test_a_reveal_is_drawn_once_for_each_language():
    question = Question("choice", "Which?", choices=("a", "b"))
    reveal = count_answers(question, ["0", "1", "1"], {}).to_json()
    shown = {}
    for language in ("en", "fr", "zh", "xx"):
        locale.use(language)
        shown[language] = page.result_html.draw(question, reveal, "1")
    locale.use("en")
    assert "2 of 3" in shown["en"] and "2 sur 3" in shown["fr"] and "3 人中 2 人" in shown["zh"]
    assert shown["xx"] == shown["en"]
