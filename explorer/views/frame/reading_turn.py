"""What models put into the blanks of a text; one text at a time is read on by the model beside BERT.

Each takes a core for half a second. The page with BERT's bars waits for none; a text whose turn has not come
is asked about again each second.
"""

import math
import threading
import time

from explorer import analysis
from explorer.catalogue.ability import Ability
from explorer.server import caching, memory, turns
from explorer.views.types import Blanks, Model
from explorer.views.widgets.text_box import MASK

PATIENCE_S = 0.3  # that a page waits for its turn before it is drawn without
WAITING = "Other sentences are read first. This one waits for its turn."
MOST_TIMED = 64  # answers that are kept
MOST_ANSWERS = MOST_TIMED // 2  # each text has an answer of both models

_turn = threading.Lock()
# That `timed` keeps, by the models' names and the texts, and when the reading of each began.
_answers: dict[tuple[str, str], float] = {}
caching.forget_with_texts(_answers)


def read(name: str, text: str) -> bool:
    """Have the model of this name fill the blanks of a text, unless it has done so.

    False where another text has the turn. Raises TextError.
    """
    key = name, text
    if time.monotonic() - _answers.get(key, -math.inf) < caching.KEPT_S:
        return True
    with turns.outside_slot():
        if not _turn.acquire(timeout=PATIENCE_S):
            return False
        started = time.monotonic()
        try:
            timed(memory.get(name), text)
        finally:
            _turn.release()
    if len(_answers) >= MOST_ANSWERS:
        _answers.clear()
    _answers[key] = started
    return True


def until(model: "Model", text: str, last: int) -> str:
    """The part of a text on which its blanks up to number `last` depend: for a reader, up to the next one."""
    reads_on = Ability.FILL not in model.abilities
    return MASK.join(text.split(MASK)[: last + 2]) if reads_on else text


@caching.resource(max_entries=MOST_TIMED, show_spinner="Trying words and reading on …")
def timed(model: "Model", text: str) -> "tuple[Blanks, float]":
    """The probabilities in every blank, and the seconds that they took; cached for all visitors."""
    started = time.perf_counter()
    return analysis.prediction.blanks(model, text), time.perf_counter() - started
