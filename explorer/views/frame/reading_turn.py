"""What models put into the blanks of a text; one text at a time is read on by the model beside BERT.

Each takes a core for half a second. The page with BERT's bars waits for none; a text whose turn has not come
is asked about again each second.
"""

import threading
import time

import streamlit as st

from explorer import analysis
from explorer.catalogue.ability import Ability
from explorer.server import memory, turns
from explorer.server.kept import Kept
from explorer.views.types import Blanks, Model
from explorer.views.widgets.text_box import MASK

PATIENCE_S = 0.3  # that a page waits for its turn before it is drawn without
WAITING = "Other sentences are read first. This one waits for its turn."
MOST_TIMED = 64  # answers that are kept

_turn = threading.Lock()
_answers: "Kept[tuple[Blanks, float]]" = Kept(MOST_TIMED)  # by the models' names and the texts


def read(name: str, text: str) -> bool:
    """Have the model of this name fill the blanks of a text, unless it has done so.

    False where another text has the turn. Raises TextError.
    """
    if _answers.look_up((name, text)):
        return True
    with turns.outside_slot():
        if not _turn.acquire(timeout=PATIENCE_S):
            return False
        try:
            timed(memory.get(name), text)
        finally:
            _turn.release()
    return True


def until(model: "Model", text: str, last: int) -> str:
    """The part of a text on which its blanks up to number `last` depend: for a reader, up to the next one."""
    reads_on = Ability.FILL not in model.abilities
    return MASK.join(text.split(MASK)[: last + 2]) if reads_on else text


def timed(model: "Model", text: str) -> "tuple[Blanks, float]":
    """The probabilities in every blank, and the seconds that they took; cached for all visitors."""

    def read_and_time() -> "tuple[Blanks, float]":
        started = time.perf_counter()
        with st.spinner("Trying words and reading on …"):
            return analysis.prediction.blanks(model, text), time.perf_counter() - started

    return _answers.get((str(model.checkpoint), text), read_and_time)
