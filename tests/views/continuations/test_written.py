"""A continuation that flows past its page: the same text, presses at once, and the page in between."""

import threading
from itertools import pairwise

import pytest

from explorer.analysis.generation.steps import Sampling, generate
from explorer.views.continuations.session import RUN
from explorer.views.continuations.written import Written
from explorer.views.look import blocklist, theme
from tests.views.continuations.growing import write
from tests.views.continuations.opening import component_data, followed
from tests.views.opening import opened


@pytest.fixture
def text(run):
    return Written(run, theme.LIGHT, blocklist.over("gpt"), plain=False, decimals=False)


def test_it_is_the_text_that_is_written_alone(text, tiny_gpt):
    while text.drawn()["going"]:
        text.grow()
    alone = generate(tiny_gpt, "the bank", Sampling(max_new_tokens=8))
    assert text.run.generation.ids == [step.id for step in alone]
    assert text.run.tree.path(0) == tuple(text.run.generation.ids)
    assert "".join(chip["text"] for chip in text.drawn()["chips"])


def test_a_button_is_pressed_while_it_has_its_name_and_stop_even_while_the_model_reads(text):
    run, number = text.run, text.run.number
    with run.lock:
        pressing = threading.Thread(target=text.press, args=(number, "Stop"))
        pressing.start()
        pressing.join(20)
        assert run.paused and not pressing.is_alive()
    text.press(number, "Start again")
    text.press(number - 1, "Continue")
    assert run.paused and not run.pressed
    text.press(number, "Continue")
    assert run.going and run.pressed
    write(run)
    text.press(number, "Stop")
    assert run.number == number and run.button == "Start again", "it had ended before"


def test_the_page_has_the_text_between_two_steps(text, monkeypatch):
    run, ended, steps, begun, pages = text.run, threading.Event(), [], [], 0

    def step(self) -> None:
        with self.lock:
            if self.lock._door.locked():  # the page waits
                begun.append(pages)
            steps.append(ended.wait(0.01))

    monkeypatch.setattr(type(run), "grow", step)

    def grow() -> None:
        while not ended.is_set():
            text.grow()

    growing = threading.Thread(target=grow)
    growing.start()
    try:
        for _ in range(10):
            ended.wait(0.02)
            with run.lock:
                pages += 1
    finally:
        ended.set()
        growing.join(20)
    assert len(steps) > 10
    assert len(begun) == len(set(begun)), "the page is next"


def test_a_page_and_its_stream_show_one_text():
    at = opened("continuations", model="gpt", length="6", token="2")
    page = component_data(at, "stream")
    said = followed(page)
    assert [one["count"] for one in said] == [1, 2, 3, 4, 5, 6]
    assert all(after["at"] <= before["count"] for before, after in pairwise(said))
    at.run()
    assert component_data(at, "stream")["count"] == 6 and component_data(at, "stream")["shown"] == 2
    first = at.session_state[RUN].generation.ids
    again = followed(component_data(at, "stream"), "Start again")
    assert again[0]["run"] != page["run"] and again[-1]["count"] == 6 and not again[-1]["going"]
    at.run()
    assert not at.exception and at.session_state[RUN].generation.ids == first
    assert "token" not in at.query_params, "what is written anew is shown by its newest step"
