"""What is left of a text once everybody has gone: a process opens pages with it, and looks at its objects.

The text has a word that is made up anew each time; nobody here holds it whole while they are looked at.
"""

import gc
import json
import random
import string
import time
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, ClassVar

from streamlit import runtime

from explorer.server import bounds
from tests.command import parser
from tests.views.opening import QUICK, opened

SENTENCE = "we sat on the {} of the river"
# What is typed, by page; {} is the word.
TYPED: dict[str, dict[str, str]] = {
    "masked": {"text": SENTENCE + " [MASK]."},
    "attention": {"text": SENTENCE},
    "heads": {"text": SENTENCE},
    "senses": {"text": f"{SENTENCE}\nthe {{}} was old", "word": "{}"},
    "search": {"question": SENTENCE, "sentences": f"{SENTENCE}\nthe {{}} was old"},
    "probing": {"text": SENTENCE},
    "tokens": {"text": SENTENCE},
    "sides": {"text": SENTENCE},
    "transformer": {"text": SENTENCE},
    "continuations": {"text": SENTENCE},
    "why": {"first": "The {} of the river is", "second": "The {} of the town is"},
    "vectors": {"word": "{}"},
}


def holders(letters: list[str]) -> list[str]:
    """The objects that hold the word of these letters, each with what leads to it."""
    gc.unfreeze()
    gc.collect()
    word, spelled = "".join(letters), "".join(letters).encode()
    todo, found = gc.get_objects(), []
    seen = {id(todo), *map(id, todo)}
    while todo:
        holder = todo.pop()
        # Of a dictionary with strings for keys the collector visits the values alone.
        for thing in [*gc.get_referents(holder), *(dict.keys(holder) if isinstance(holder, dict) else ())]:
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            if isinstance(thing, str) and word in thing.lower() and thing is not word:
                found.append(f"{type(holder).__name__}: {thing}")
            elif isinstance(thing, bytes | bytearray) and spelled in thing and thing is not spelled:
                found.append(f"{type(holder).__name__}: {thing!r}")
            todo.append(thing)
    return [each[:100] for each in found]


class Planted:
    """Three places in which a word hides from a quick look."""

    by_text: ClassVar[dict[str, str]] = {}
    frozen: ClassVar[list[Any]] = []

    @staticmethod
    @lru_cache
    def length(text: str) -> int:
        """Kept by its argument."""
        return len(text)


def plant(letters: list[str]) -> list[int]:
    """How many holders there are after each of three plantings."""
    counts = []
    Planted.length("cached " + "".join(letters))
    counts.append(len(holders(letters)))
    Planted.by_text["dict " + "".join(letters)] = ""  # of strings alone: the collector does not track it
    counts.append(len(holders(letters)))
    Planted.frozen.append(["frozen " + "".join(letters)])
    gc.freeze()
    counts.append(len(holders(letters)))
    Planted.length.cache_clear(), Planted.by_text.clear(), Planted.frozen.clear()
    return counts


def type_into(page: str, letters: list[str]) -> None:
    """Open a page with the word, and leave it."""
    link = {name: text.replace("{}", "".join(letters)) for name, text in TYPED[page].items()}
    opened(page, **QUICK.get(page, {}), **link)


def leave() -> None:
    """What the server does once the last browser has gone, and an hour has passed."""
    sweep, sessions = bounds.Sweep(), [SimpleNamespace(session=SimpleNamespace(id="a"))]
    server = SimpleNamespace(
        _session_mgr=SimpleNamespace(list_sessions=lambda: sessions),
        is_active_session=lambda session: False,
        close_session=lambda session: sessions.clear(),
    )
    runtime.get_instance = lambda: server
    now = time.monotonic()
    for later in (0.0, 3600.0, 3601.0):
        sweep.look(now + later)


def main() -> None:
    """Print what is found: planted, after the pages, and after leaving."""
    parser("tests.server.left_behind", __doc__).parse_args()
    letters = random.choices(string.ascii_lowercase.replace("a", ""), k=14)
    planted = plant(letters)
    for page in TYPED:
        type_into(page, letters)
    there = len(holders(letters))
    leave()
    print(json.dumps({"planted": planted, "there": there, "left": holders(letters)}))


if __name__ == "__main__":
    main()
