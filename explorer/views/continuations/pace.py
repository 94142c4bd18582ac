"""How much of a text one answer to the page brings: little in a quiet room, more in a full one.

An answer costs the same whether it brings one token or twenty. Writers ask again as soon as they have been
answered: served every third token, a few of them would keep the processor from everybody else.
"""

import threading
from typing import NamedTuple

LEAST, MOST = 3, 20  # tokens of an answer
SECONDS = 0.08  # that the least may take
ANSWERING = "ScriptRunner"  # what Streamlit's threads are called that answer a visitor


class Portion(NamedTuple):
    """The most that an answer brings."""

    tokens: int
    seconds: float


def under_way() -> int:
    """How many visitors of this process are being answered now."""
    return sum(thread.name.startswith(ANSWERING) for thread in threading.enumerate())


def portion(answers: int) -> Portion:
    """What one of so many answers may bring: twice as many tokens as there are answers, from LEAST to MOST.

    >>> [portion(answers).tokens for answers in (0, 1, 2, 5, 30)]
    [3, 3, 4, 10, 20]
    """
    tokens = min(max(2 * answers, LEAST), MOST)
    return Portion(tokens, SECONDS * tokens / LEAST)
