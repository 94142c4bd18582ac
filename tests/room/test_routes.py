"""The phone's page: a form without a script, JSON and a stream with one; and what is refused."""

import asyncio
import json
import sqlite3
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.room import limit, page, routes
from explorer.room.changes import Changes
from explorer.room.limit import Limit
from explorer.room.questions import Question
from explorer.room.result import Result, Row, count_answers
from explorer.room.store import Store

LARGEST_PAGE = 40_000  # bytes over the wire
ATTACK = '</script><img src=x onerror="alert(1)">{body}'


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(routes, "store", Store(tmp_path / "rooms.sqlite"))
    monkeypatch.setattr(routes, "_wrong", Limit(routes.MOST_WRONG, 60))
    monkeypatch.setattr(routes, "_new", Limit(routes.MOST_NEW, 1))
    return routes.store


@pytest.fixture
def phone(store):
    return TestClient(Starlette(routes=routes.routes()), base_url="http://class")


def ask(store, **fields):
    code, secret = store.open_room()
    question = Question(**{"kind": "word", "text": "What comes next?"} | fields)
    return code, secret, store.ask(code, secret, question)


def test_the_page_is_one_short_document(phone, store):
    code, _, _ = ask(store, context=ATTACK)
    answer = phone.get(f"/join/{code.lower()}")
    assert answer.status_code == 200 and len(answer.content) < LARGEST_PAGE
    assert "src=" not in answer.text.replace("src=x", "") and "href=" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "<img" not in answer.text and answer.text.count("</script>") == 1


def test_a_code_leads_to_its_room_and_a_wrong_one_says_so(phone, store):
    code, _, _ = ask(store)
    assert phone.get("/join", params={"code": f" {code.lower()} "}).url.path == f"/join/{code}"
    assert phone.get("/join/XXXX", params={"code": code.lower()}).url.path == f"/join/{code}"
    wrong = phone.get("/join/XXXX")
    assert wrong.status_code == 404 and "There is no open room" in wrong.text and 'name="code"' in wrong.text


def test_without_a_script_an_answer_is_a_form_and_is_shown_again(phone, store):
    code, secret, number = ask(store)
    page = phone.post(f"/join/{code}", data={"question": number, "answer": ATTACK})
    assert store.answers(code, secret) == [ATTACK]
    assert "Sent:" in page.text and "<img" not in page.text
    phone.post(f"/join/{code}", data={"question": number, "answer": "bank"})
    assert store.answers(code, secret) == ["bank"]


def test_a_sentence_goes_to_the_side_whose_button_is_pressed(phone, store):
    code, secret, number = ask(store, kind="side", choices=("school", "holidays"))
    form = {"question": number, "side": "1", "answer": f"Swim! {ATTACK}"}
    page = phone.post(f"/join/{code}", data=form)
    assert store.answers(code, secret) == [f"1 Swim! {ATTACK}"] and "Sent: <b>holidays: Swim!" in page.text
    answers = ["1 We swam.", "0 A test again.", f"1 Swim! {ATTACK}"]
    shown = count_answers(store.newest(code).question, answers, {}, merged={"1 we swam": ""})
    store.show(code, secret, shown.to_json())
    page = phone.get(f"/join/{code}").text
    lists = page.partition('">school</p>')[2].split('">holidays</p>')
    assert "A test again." in lists[0] and 'class="own"' in lists[1] and "We swam.</b>" not in page
    assert "<img" not in page


def test_with_a_script_it_is_json(phone, store):
    code, secret, number = ask(store, kind="choice", choices=("A", "B"))
    headers = {"accept": "application/json"}
    event = phone.post(f"/join/{code}", data={"question": number, "answer": "1"}, headers=headers).json()
    assert "Sent: <b>B</b>" in event["html"] and event["count"] == "1 answered."
    bad = phone.post(f"/join/{code}", data={"question": number, "answer": "7"}, headers=headers).json()
    assert "not one of the answers" in bad["problem"]
    assert store.answers(code, secret) == ["1"]


@pytest.mark.parametrize("data", [{"answer": "bank"}, {"question": "0", "answer": "bank"}, {"question": "x"}])
def test_a_forged_form_is_refused(phone, store, data):
    code, secret, _ = ask(store)
    page = phone.post(f"/join/{code}", data=data)
    assert store.answers(code, secret) == [] and 'role="alert">' in page.text


def test_another_site_cannot_answer(phone, store):
    code, secret, number = ask(store)
    data = {"question": number, "answer": "bank"}
    assert phone.post(f"/join/{code}", data=data, headers={"origin": "http://evil"}).status_code == 403
    assert phone.post(f"/join/{code}", data=data, headers={"origin": "http://class"}).status_code == 200
    assert store.answers(code, secret) == ["bank"]


def test_a_phone_is_asked_again_with_its_first_answer(phone, store):
    code, secret, number = ask(store)
    phone.post(f"/join/{code}", data={"question": number, "answer": "bank"})
    store.close(code, secret)
    again = store.ask_again(code, secret)
    page = phone.get(f"/join/{code}").text
    assert "Your first answer: <b>bank</b></p>" in page and 'value="bank"' in page and "Sent:" not in page
    page = phone.post(f"/join/{code}", data={"question": again, "answer": "river"}).text
    assert "Sent: <b>river</b>" in page and "first answer" not in page


def test_the_class_is_on_the_phone_once_it_is_shown(phone, store):
    code, secret, number = ask(store)
    phone.post(f"/join/{code}", data={"question": number, "answer": "bank"})
    store.answer(code, number, "another", "river")
    store.close(code, secret)
    assert "river" not in phone.get(f"/join/{code}").text
    merged = {"bank": "banks"}
    result = count_answers(Question("word", ""), ["bank", "river"], {"shore": 0.46}, "river", ATTACK, merged)
    store.show(code, secret, result.to_json())
    page = phone.get(f"/join/{code}").text
    assert (
        '<li class="own"><b dir="auto">banks</b>' in page and '<li class="right"><b dir="auto">river' in page
    )
    assert "46%" in page and "<img" not in page
    key = phone.get(f"/join/{code}/state").json()["key"]
    store.show(code, secret, replace(result, says="Two are one.").to_json())
    assert phone.get(f"/join/{code}/state").json()["key"] != key


@pytest.mark.parametrize(
    ("kind", "fields", "own", "model", "expected"),
    [
        ("token", {"choices": ("the", "dog")}, "1", {"1": 0.5}, ['class="own"', "bar model", "50%"]),
        (
            "number",
            {"high": 100.0},
            "40",
            {"60": 1.0},
            ['<circle class="own"', '<line class="model"', ">100<"],
        ),
        ("choice", {"choices": ("A", "B")}, "0", {"A": 0.25, "B": 0.75}, ['class="own"', "75%"]),
    ],
)
def test_each_kind_has_its_picture_on_the_phone(phone, store, kind, fields, own, model, expected):
    code, secret, number = ask(store, kind=kind, **fields)
    phone.post(f"/join/{code}", data={"question": number, "answer": own})
    question = store.newest(code).question
    store.show(code, secret, count_answers(question, [own, own], model, who="BERT").to_json())
    page = phone.get(f"/join/{code}").text
    assert all(part in page for part in expected) and page.count('own"') == 1
    assert "You answered" in page and "BERT" in page


def test_a_room_that_has_ended_and_a_full_disk_are_said_without_the_servers_paths(phone, store):
    code, secret, number = ask(store)
    data, headers = {"question": number, "answer": "bank"}, {"accept": "application/json"}

    def responses():
        yield phone.post(f"/join/{code}", data=data, headers=headers)
        yield phone.post(f"/join/{code}", data=data)
        yield from (phone.get(f"/join/{code}{place}") for place in ("", "/state", "/events"))

    kept = store.path
    store.path /= "x"
    assert {
        (r.status_code, "The server cannot keep answers" in r.text, kept.name in r.text) for r in responses()
    } == {(503, True, False)}
    store.path = kept
    store.end(code, secret)
    assert {(r.status_code, "There is no open room" in r.text) for r in responses()} == {(404, True)}


def test_many_wrong_codes_are_refused_but_no_phone_that_is_in_a_room(phone, store):
    code, _, number = ask(store)
    stranger = TestClient(phone.app, base_url="http://class")
    phone.get(f"/join/{code}")
    for _ in range(routes.MOST_WRONG):
        assert stranger.get("/join/XXXX").status_code == 404
    for place in ("", "/state", "/events"):
        assert stranger.get(f"/join/XXXX{place}").status_code == 429
        assert stranger.get(f"/join/{code}{place}").status_code == 429
    assert stranger.post(f"/join/{code}", data={"question": number, "answer": "bank"}).status_code == 429
    assert phone.get(f"/join/{code}/state").status_code == 200
    assert phone.post(f"/join/{code}", data={"question": number, "answer": "bank"}).status_code == 200
    assert phone.get("/join/XXXX").status_code == 429  # to be in one room lets nobody try others


def test_a_forged_question_number_is_no_wrong_code(phone, store):
    code, _, number = ask(store)
    for _ in range(routes.MOST_WRONG + 1):
        page = phone.post(f"/join/{code}", data={"question": number + 1, "answer": "bank"})
        assert page.status_code == 422 and "not one of this room" in page.text
    assert phone.get("/join/XXXX").status_code == 404


def test_phones_beyond_fifty_a_second_wait_and_try_again(phone, store, monkeypatch):
    code, secret, number = ask(store)
    now = 0.0
    monkeypatch.setattr(limit, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(routes, "_new", Limit(2, 0.5))
    headers = {"accept": "application/json"}

    def post(name):
        cookies = {"cookie": f"{routes.COOKIE}=chosen-by-itself-{name}"}
        return phone.post(
            f"/join/{code}", data={"question": number, "answer": "bank"}, headers=headers | cookies
        )

    assert [post(name).status_code for name in "aabc"] == [200, 200, 200, 429]
    assert post("c").json()["again"] and len(store.answers(code, secret)) == 2
    waiting = TestClient(phone.app, base_url="http://class").get(f"/join/{code}")
    assert waiting.status_code == 429 and '<meta http-equiv="refresh"' in waiting.text
    assert "<noscript>" not in waiting.text
    now = 0.5
    assert post("c").status_code == 200


def test_an_answer_opens_the_rooms_once(store, monkeypatch):
    code, _, number = ask(store)
    openings, connect = [], sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *at, **how: openings.append(at) or connect(*at, **how))
    assert "bank" in routes._answer(code, "phone", {"question": str(number), "answer": "bank"}).html
    assert len(openings) == 1


def test_a_reveal_is_read_and_drawn_once_for_many_phones(store, monkeypatch):
    code, secret, _ = ask(store, kind="number", high=1000.0)
    question = store.newest(code).question
    answers = [str(place % 500) for place in range(1_000)]
    store.show(code, secret, count_answers(question, answers, {}).to_json())
    current, reads = store.newest(code), []
    from_json = Result.from_json
    monkeypatch.setattr(Result, "from_json", lambda text: reads.append(text) or from_json(text))
    began = time.process_time()
    pages = [page.view(current, answers[place]).html for place in range(1_000)]
    assert len(reads) <= 1 and time.process_time() - began < 2
    assert all(one.count('class="own"') == 1 for one in pages)


def test_the_phone_reads_counts_and_whole_per_cent_under_headings_and_no_bar_for_nought(phone, store):
    code, secret, _ = ask(store, kind="choice", choices=("A", "B", "C"))
    question = store.newest(code).question
    result = count_answers(question, ["0", "0", "1"], {"A": 0.596, "B": 0.004, "C": 0.4}, "A", "BERT")
    store.show(code, secret, result.to_json())
    html = phone.get(f"/join/{code}/state").json()["html"]
    assert '<span class="class">the class</span><span class="model" dir="auto">BERT</span>' in html
    assert all(f">{share}<" in html for share in ("2 of 3", "1 of 3", "0 of 3", "60%", "&lt;1%"))
    assert '<svg class="bar" width="66.7%"' in html, "a full bar is all of the class, as on the wall"
    assert html.count("<svg") == 5 and 'class="right"' in html  # of six bars
    store.show(code, secret, replace(result, taste=True).to_json())
    assert "There is no right answer." in phone.get(f"/join/{code}/state").json()["html"]


def test_who_has_not_answered_has_no_own_answer_in_a_reveal(phone, store):
    code, secret, _ = ask(store)
    question = store.newest(code).question
    unseen = Row("", "\u200b", 1, 1.0)  # as an older version counted one
    store.show(code, secret, replace(count_answers(question, [], {}), rows=(unseen,)).to_json())
    assert 'class="own"' not in phone.get(f"/join/{code}").text


def test_a_stream_says_what_changes_and_ends_with_the_room(store):
    code, secret, number = ask(store)

    async def listen():
        versions = []
        async for version in Changes(store).of(code, 5.0):
            versions.append(version)
            if len(versions) == 1:
                await asyncio.to_thread(store.answer, code, number, "a", "bank")
            elif version is not None:
                await asyncio.to_thread(store.end, code, secret)
        return versions

    versions = asyncio.run(asyncio.wait_for(listen(), 60))
    assert versions[1] == versions[0] + 1 and versions[-1] is None


def test_the_stream_of_an_ended_room_ends(phone, store):
    code, secret, _ = ask(store)
    with phone.stream("GET", f"/join/{code}/events") as stream:
        lines = stream.iter_lines()
        data = next(line for line in lines if line.startswith("data:"))
        assert json.loads(data.removeprefix("data:"))["key"]
        store.end(code, secret)
        assert "event: end" in list(lines)
