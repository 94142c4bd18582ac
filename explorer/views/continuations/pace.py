"""How many tokens one answer to the page brings: few for a few visitors, more for many.

An answer costs the same whether it brings twenty tokens or none, and a page asks again as soon as it has been
answered. With three tokens an answer, a few pages that write would keep the processor from all others.
"""

import threading
from typing import NamedTuple

LEAST, MOST = 3, 20  # tokens of an answer
SHORTEST, LONGEST = 0.08, 0.8  # seconds of an answer
EACH = 0.04  # seconds for each of those who are answered
ANSWERING = "ScriptRunner"  # in the name of Streamlit's threads that answer a visitor


class Portion(NamedTuple):
    """The most tokens that an answer brings, and the most seconds that it takes."""

    tokens: int
    seconds: float


def under_way() -> int:
    """The number of visitors whom this process is answering now."""
    return sum(thread.name.startswith(ANSWERING) for thread in threading.enumerate())


def portion(answers: int) -> Portion:
    """The portion of each of several simultaneous answers: two tokens for each, from LEAST to MOST."""
    tokens = min(max(2 * answers, LEAST), MOST)
    return Portion(tokens, min(max(EACH * answers, SHORTEST), LONGEST))
