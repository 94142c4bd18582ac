"""The interface in other languages: what is missing or stale, and each visitor has one of their own."""

import ast
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer import locale
from explorer.assets import CHECKOUT, GLOSSARY
from explorer.commands import translations
from explorer.room import page, routes
from explorer.room.questions import Question
from explorer.room.result import count_answers
from explorer.room.store import Store
from explorer.views.attention import buffer
from explorer.views.frame import glossary, view_text
from explorer.views.frame.hints import Hints
from explorer.views.widgets import registry
from tests.sources import parse

LANGUAGES = locale.languages()[1:]
FILES = [(name, domain) for domain in locale.DOMAINS for name in locale.languages(domain)[1:]]
FIELD = re.compile(r"\{\w*\}")
MARKS = re.compile(
    r"^#+ |\(\d+ min\)$|^ *\* (?:\w+:)?|\(/[^)]*\)|</?\w[^>]*>|\*\*"
)  # what a program reads in a line


@pytest.fixture
def phone(tmp_path, monkeypatch):
    monkeypatch.setattr(routes, "store", Store(tmp_path / "rooms.sqlite"))
    return TestClient(Starlette(routes=routes.routes()), base_url="http://class")


@pytest.mark.parametrize(("language", "domain"), FILES)
def test_no_text_is_stale_and_each_keeps_its_fields_and_marks(language, domain):
    assert translations.stale(language, domain) == []
    missing = translations.missing(language, domain)
    print(f"{language}/{domain}.po: {len(missing)} of {len(translations.keys(domain))} are missing")
    assert domain != locale.PHONE or missing == []
    for entry in locale.read_catalogue(language, domain):
        if entry.id and any([entry.string] if isinstance(entry.string, str) else entry.string):
            forms = [entry.string] if isinstance(entry.string, str) else entry.string
            english = entry.id if isinstance(entry.id, str) else entry.id[1]
            for form in forms:
                assert sorted(FIELD.findall(form)) == sorted(FIELD.findall(english)), form
                assert MARKS.findall(form) == MARKS.findall(english), form


# What is no prose: code, the address of a link, and formats such as “%.1f” and “%{x}”.
NO_PROSE = re.compile(r"`[^`]*`|\]\([^)]*\)|%[.{]")


@pytest.mark.parametrize("domain", locale.DOMAINS)
def test_no_french_line_breaks_before_a_mark_or_in_quotation_marks(domain):
    for entry in locale.read_catalogue("fr", domain):
        for form in [entry.string] if isinstance(entry.string, str) else entry.string:
            if entry.id:
                assert not re.search(r" [;:?!%»]|« ", NO_PROSE.sub("", form)), form


def test_no_function_that_looks_texts_up_shadows_the_name_it_uses():
    for path in sorted((CHECKOUT / "explorer").rglob("*.py")):
        for function in ast.walk(parse(path)):
            if isinstance(function, ast.FunctionDef):
                names = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == "_"]
                kinds = {type(name.ctx) for name in names}
                assert kinds <= {ast.Load} or kinds <= {ast.Store}, f"{path}: {function.name} sets “_”"


def test_a_changed_text_and_one_that_went_are_said(monkeypatch, capsys):
    keys = translations.keys
    changed = {
        "phone": {"Send": "Post"},
        "app": {"Save": "Store", "Copied.": "Copied, “all” of it."},  # in Python and in a script
    }

    def other_keys(domain):
        return {changed.get(domain, {}).get(key, key): place for key, place in keys(domain).items()}

    monkeypatch.setattr(translations, "keys", other_keys)
    translations.main("fr")
    said = capsys.readouterr().out
    for old, new in {**changed["phone"], **changed["app"]}.items():
        assert f'msgid "{new}"\nmsgstr ""' in said and f'# delete: msgid "{old}"' in said
    assert "fr/phone.po: 1 missing, 1 stale" in said


def test_the_texts_of_data_are_among_those_to_be_translated():
    views, lectures = translations.keys("views"), translations.keys("lectures")
    assert {"Word vectors", "Analogies", "Snow or rain", "The vector of one token."} <= views.keys()
    assert "# Meaning" in lectures and any("**ablation**" in line for line in translations.keys("glossary"))
    assert "The bank lent us the [MASK] for a new house." not in views  # an example, which is not translated


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
    assert "«\u00a0{low}\u00a0» n’est pas un nombre de 0" in refused
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


@pytest.fixture
def french(monkeypatch):
    """Some texts in French, whatever is translated so far."""
    words = {"One": "Un", "Two": "Deux", "Three {n}": "Trois {n}", "Copied.": "Copié.", "Label": "Nom"}
    words |= {
        line: line.replace("ablation", "ablation fr") for line in GLOSSARY.read_text("utf-8").split("\n")
    }

    class French(locale.gettext.NullTranslations):
        def gettext(self, message):
            return words.get(message, message)

    catalogue = locale._catalogue
    monkeypatch.setattr(locale, "_catalogue", lambda name: French() if name == "fr" else catalogue(name))
    yield
    locale.use("en")


def test_a_view_read_in_one_language_speaks_that_of_whoever_sees_it(french):
    locale.use("fr")
    text = view_text._view_text(
        label="Label", see="One", then="Not translated", readings={"long": {"reading": "Three {n}"}}
    ).of_page(reading=lambda page: text.readings["long"].filled(n=3))
    assert (text.label, text.first) == ("Nom", Hints("Un", "Not translated"))
    assert text.explanation(None).sentence == "Trois 3"
    locale.use("en")
    assert (text.label, text.first.see, text.explanation(None).sentence) == ("Label", "One", "Three 3")


def test_a_script_gets_its_texts_with_its_data_in_other_languages_than_english(french):
    data = {"most": 1}
    assert registry._with_translations("frame/saving/saver", data) is data
    locale.use("fr")
    said = registry._with_translations("frame/saving/saver", data)
    assert said["most"] == 1 and said["translations"]["Copied."] == "Copié."
    packed = registry._with_translations("frame/saving/saver", buffer.pack(data, b"\x01\x02"))
    assert buffer.unpack(packed) == (said, b"\x01\x02") and packed.index(b"\x01\x02") % 4 == 0
    registry._translations.cache_clear()  # of a language that is put together here


def test_what_is_kept_for_all_visitors_is_kept_for_each_language(french):
    glossary._terms.cache_clear(), glossary._forms.cache_clear()
    for language, term in (("en", "ablation"), ("fr", "ablation fr"), ("en", "ablation")):
        locale.use(language)
        assert term in glossary.terms() and f">{term}</span>" in glossary.with_terms(f"An {term} of ours.")
    glossary._terms.cache_clear(), glossary._forms.cache_clear()


@pytest.mark.parametrize(
    "entry", ['msgstr "{x}"', 'msgstr "{0}"', 'msgstr "{"', 'msgstr ""', 'msgstr "\xe9"', "msgstr"]
)
def test_a_translation_that_is_broken_leaves_english(monkeypatch, tmp_path, entry):
    (tmp_path / "fr").mkdir()
    (tmp_path / "fr" / "phone.po").write_bytes(f'msgid "Room {{code}}"\n{entry}\n'.encode("latin-1"))
    monkeypatch.setattr(locale, "LOCALE", tmp_path)
    with anew():
        locale.use("fr")
        assert locale.language() == "fr" and locale._("Room {code}", code="{x}") == "Room {x}"
        locale.use("en")


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_file_may_begin_with_a_byte_order_mark_and_end_its_lines_as_windows_does(
    monkeypatch, tmp_path, newline
):
    (tmp_path / "fr").mkdir()
    data = (locale.LOCALE / "fr" / "phone.po").read_bytes().replace(b"\n", newline)
    (tmp_path / "fr" / "phone.po").write_bytes(b"\xef\xbb\xbf" + data)
    monkeypatch.setattr(locale, "LOCALE", tmp_path)
    with anew():
        locale.use("fr")
        assert locale._("Send") == "Envoyer"
        locale.use("en")


@contextmanager
def anew():
    """Read the files of the languages anew, and once more at the end."""
    for cached in (locale.languages, locale._catalogue):
        cached.cache_clear()
    yield
    for cached in (locale.languages, locale._catalogue):
        cached.cache_clear()


def test_forty_threads_in_two_languages_do_not_hear_each_other(french):
    together = Barrier(40, timeout=600)

    def say(number):
        locale.use(("en", "fr")[number % 2])
        together.wait()
        return locale._("One")

    with ThreadPoolExecutor(40) as pool:
        assert list(pool.map(say, range(40))) == ["One", "Un"] * 20


def test_what_is_made_later_is_in_the_language_of_whoever_asked(french):
    locale.use("fr")
    make = locale.in_this_language(lambda: locale._("One"))
    locale.use("en")
    assert (make(), locale._("One")) == ("Un", "One")


def test_a_kept_text_with_fields_is_said_in_the_language_of_whoever_sees_it(french):
    text = locale.N_("Three {n}", n="{}")
    assert (text, locale.translate(text)) == ("Three {}", "Three {}")
    locale.use("fr")
    assert (text, locale.translate([text])) == ("Three {}", ["Trois {}"])


CACHES = {"kept", "read_once", "cache", "lru_cache"}


def test_a_kept_result_with_texts_in_it_is_kept_by_language():
    for path in sorted((CHECKOUT / "explorer").rglob("*.py")):
        for function in (node for node in parse(path).body if isinstance(node, ast.FunctionDef)):
            kept_by = {
                ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in function.decorator_list
            }
            raised = {
                node for each in ast.walk(function) if isinstance(each, ast.Raise) for node in ast.walk(each)
            }  # an error is not kept
            calls = (node for node in ast.walk(function) if isinstance(node, ast.Call) and node not in raised)
            called = {ast.unparse(node.func) for node in calls}
            if kept_by & CACHES and called & {"_", "ngettext", "translate", "translate_lines"}:
                arguments = {argument.arg for argument in function.args.args}
                assert arguments & {"language", "_language"}, f"{path}: {function.name}"
