"""One sentence at a time is read on by the model beside BERT, since each takes a core for half a second.

The page with BERT's bars waits for none; a sentence whose turn has not come is asked about again each second.
"""

import threading

import streamlit as st

from explorer.views.frame.server import caching, memory, turns
from explorer.views.masked import candidates
from explorer.views.types import Model

PATIENCE_S = 0.3  # that a page waits for its turn before it is drawn without
MOST_ANSWERS = 1000

_turn = threading.Lock()
_answers: set[tuple[str, str]] = set()  # that `candidates` keeps: the models’ names and the texts
caching.forget_with_texts(_answers)


def read(model: "Model", text: str) -> bool:
    """Have a model fill the blanks of a text, unless it has; False where another text has the turn.

    Raises TextError.
    """
    key = str(model.checkpoint), text
    if key in _answers:
        return True
    with turns.outside_slot():
        if not _turn.acquire(timeout=PATIENCE_S):
            return False
        try:
            candidates.timed(model, text)
        finally:
            _turn.release()
    if len(_answers) >= MOST_ANSWERS:
        _answers.clear()
    _answers.add(key)
    return True


@st.fragment(run_every=1.0)
def wait(name: str, text: str) -> None:
    """Say that the text waits for its turn, and draw the page again once it has been read."""
    if read(memory.get(name), text):
        st.rerun()
    st.html('<p class="rb-point">Other sentences are read first. This one waits for its turn.</p>')
