"""One sentence at a time is read on by the model beside BERT, since each takes a core for half a second.

The page with BERT's bars waits for none; a sentence whose turn has not come is asked about again each second.
"""

import math
import threading
import time

from explorer.views.frame.server import caching, memory, turns
from explorer.views.masked import candidates

PATIENCE_S = 0.3  # that a page waits for its turn before it is drawn without
MOST_ANSWERS = candidates.MOST_TIMED // 2  # each text has an answer of both models

_turn = threading.Lock()
# That `candidates` keeps, by the models' names and the texts, and when the reading of each began.
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
            candidates.timed(memory.get(name), text)
        finally:
            _turn.release()
    if len(_answers) >= MOST_ANSWERS:
        _answers.clear()
    _answers[key] = started
    return True
