"""The streams of many phones: those that leave while others answer take nobody's stream with them."""

import asyncio
import json
import threading
import time

import pytest
from starlette.applications import Starlette

from explorer.room import changes, routes
from explorer.room.changes import Changes
from explorer.room.questions import Question
from explorer.room.result import count_answers
from explorer.room.store import Store

PHONES = 100
QUESTION = Question("free", "Now?")


class Stream:
    """A phone's stream of a room, read from the server's own application until the phone leaves."""

    def __init__(self, app, code):
        self.left, self.keys = asyncio.Event(), asyncio.Queue()
        path = f"/join/{code}/events"
        scope = {
            "type": "http", "method": "GET", "path": path, "root_path": "", "query_string": b"", "headers": []
        }  # fmt: skip
        self.task = asyncio.create_task(app(scope, self.receive, self.send))

    async def receive(self):
        """Nothing until the phone leaves."""
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        """Keep the keys of the events that the phone hears."""
        for line in message.get("body", b"").decode().splitlines():
            if line.startswith("data: {") and line != "data: {}":
                self.keys.put_nowait(json.loads(line.removeprefix("data: ")).get("key"))


def test_a_new_phone_hears_its_question_after_a_hundred_have_left_while_others_answered(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(routes, "store", store := Store(tmp_path / "rooms.sqlite"))
    monkeypatch.setattr(changes, "EVERY_S", 0.01)  # many changes while they leave
    app = Starlette(routes=routes.routes())
    ended = threading.Event()

    def answer(code, question):
        for number in range(1_000_000):
            if ended.wait(0.002):
                return
            store.answer(code, question, f"phone {number % 40}", str(number))

    async def leave():
        code, secret = store.open_room()
        question = store.ask(code, secret, QUESTION)
        phones = [Stream(app, code) for _ in range(PHONES)]
        for phone in phones:
            await phone.keys.get()
        answers = threading.Thread(target=answer, args=(code, question))
        answers.start()
        for phone in phones:
            phone.left.set()
            await asyncio.sleep(0.01)
        ended.set()
        await asyncio.to_thread(answers.join)
        code, secret = store.open_room()
        phone = Stream(app, code)
        assert await phone.keys.get() == "0"  # no question yet
        await asyncio.to_thread(store.ask, code, secret, QUESTION)
        key = await asyncio.wait_for(phone.keys.get(), 30)
        phone.left.set()
        await asyncio.wait([phone.task, *(each.task for each in phones)], timeout=30)
        assert phone.task.done()
        return key

    assert asyncio.run(leave()).endswith("open/0")


def test_a_change_that_a_new_phone_reads_first_is_heard_by_the_others(tmp_path):
    store = Store(tmp_path / "rooms.sqlite")
    code, secret = store.open_room()

    async def listen():
        of = Changes(store).of
        first = of(code, 30.0)
        await anext(first)
        waiting = asyncio.create_task(anext(first))
        await asyncio.sleep(0)
        store.ask(code, secret, QUESTION)  # between two looks of the watch
        second = of(code, 30.0)
        await anext(second)
        began = time.monotonic()
        await asyncio.wait_for(waiting, 20)
        await first.aclose()
        await second.aclose()
        return time.monotonic() - began

    assert asyncio.run(listen()) < 20


@pytest.mark.slow
def test_the_last_phone_hears_the_last_reveal_after_five_hundred_have_come_and_gone_five_times(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(routes, "store", store := Store(tmp_path / "rooms.sqlite"))
    app = Starlette(routes=routes.routes())

    async def lecture():
        code, secret = store.open_room()
        last = Stream(app, code)
        for turn in range(5):
            phones = [Stream(app, code) for _ in range(500)]
            for phone in phones:
                await asyncio.wait_for(phone.keys.get(), 60)
            question = await asyncio.to_thread(store.ask, code, secret, QUESTION)
            for number, phone in enumerate(phones):
                phone.left.set()
                await asyncio.to_thread(store.answer, code, question, f"phone {number} of {turn}", "bank")
            await asyncio.to_thread(store.show, code, secret, count_answers(QUESTION, ["bank"], {}).to_json())
            await asyncio.wait_for(asyncio.gather(*(phone.task for phone in phones)), 60)
        keys = []
        while not keys or f"{question}/shown" not in keys[-1]:
            keys.append(await asyncio.wait_for(last.keys.get(), 60))
        last.left.set()
        await asyncio.wait_for(last.task, 60)
        return keys

    assert len({key.split("/")[0] for key in asyncio.run(lecture())}) == 6  # none, and five questions
