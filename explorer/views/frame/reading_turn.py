"""What models put into the blanks of a text; the model beside BERT reads on in the background.

It takes a core for most of a second. No page waits for it to the end: BERT's bars are there, and the page is
drawn again when the others are.
"""

import time
from contextlib import nullcontext
from functools import partial

import streamlit as st

from explorer import analysis
from explorer.catalogue.ability import Ability
from explorer.errors import ExplorerError
from explorer.locale import N_, _
from explorer.server import background, memory, turns
from explorer.server.kept import Kept
from explorer.server.streamlit_private import end_if_asked, in_script
from explorer.views.frame.lecture.stage import RECORDING
from explorer.views.types import Blanks, Model
from explorer.views.widgets.text_box import MASK
from explorer.views.widgets.wait_until import wait_until

PATIENCE_S = 1.0  # that a page waits, where no other visitor does, before it is drawn without
LOOK_S = 0.05  # between two looks: a newer press ends the wait
NOW = N_("It tries one word after the other and reads on …")
LATER = N_("Other sentences are read first. This one waits for its turn.")
MOST_TIMED = 64  # answers that are kept

_answers: "Kept[tuple[Blanks, float]]" = Kept(MOST_TIMED)  # by the models' names and the texts
_refused: Kept[bool] = Kept(MOST_TIMED)  # whose errors pages see as they ask themselves


def read(name: str, text: str) -> bool:
    """Whether the model of this name has filled the blanks of a text, or cannot; else it will."""
    key = name, text
    if _answers.look_up(key) or _refused.look_up(key):
        return True
    background.ask(key, partial(_read, *key))
    return False


def wait(name: str, text: str) -> bool:
    """Say that a text is being read, and wait a moment; False if the page is drawn again for it."""
    if RECORDING.get():
        _read(name, text)
        return True
    key, until = (name, text), time.monotonic() + PATIENCE_S
    line = st.empty()
    line.html(f'<p class="rb-point">{_(NOW)}</p>')
    with turns.outside_slot():
        while background.alone(key) and time.monotonic() < until:
            end_if_asked()
            time.sleep(LOOK_S)
    line.empty()
    if read(name, text):
        return True
    wait_until(partial(read, name, text), _(NOW if background.alone(key) else LATER))
    return False


def _read(name: str, text: str) -> None:
    try:
        timed(memory.get(name), text)
    except ExplorerError:
        _refused.put((name, text), True)


def until(model: "Model", text: str, last: int) -> str:
    """The part of a text on which its blanks up to number `last` depend: for a reader, up to the next one."""
    return text if Ability.FILL in model.abilities else up_to(text, last)


def up_to(text: str, last: int) -> str:
    """A text up to the blank after number `last`."""
    return MASK.join(text.split(MASK)[: last + 2])


def timed(model: "Model", text: str) -> "tuple[Blanks, float]":
    """The probabilities in every blank, and the seconds that they took; cached for all visitors."""

    def read_and_time() -> "tuple[Blanks, float]":
        started = time.perf_counter()
        with st.spinner(_("Trying words and reading on …")) if in_script() else nullcontext():
            return analysis.prediction.blanks(model, text), time.perf_counter() - started

    return _answers.get((str(model.checkpoint), text), read_and_time)
