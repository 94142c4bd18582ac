"""A preset is no lucky find: with nine siblings of its sentence, its point holds for seven of the ten.

A page's siblings stand in a file of their own (`heads.json` is also Attention's): other words, the same
pattern, the same point. Each was written down before any of them was tried.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HOLDS = 7  # of ten: the preset's own sentence and nine siblings


def siblings(page: str) -> dict[str, Any]:
    """The siblings of a page's presets."""
    return json.loads((Path(__file__).parent / f"{page}.json").read_text(encoding="utf-8"))


def seven_of_ten(holds: Callable[..., bool], ten: Sequence) -> None:
    """The point holds for a preset's own sentence, which comes first, and for six siblings at least.

    Each is a sentence, or the arguments of `holds`, the sentence first.
    """
    asked = [(one,) if isinstance(one, str) else tuple(one) for one in ten]
    assert len({one[0] for one in asked}) == len(asked) == 10
    assert holds(*asked[0]), "the preset's own sentence"
    held, failing = 1, []
    for one in asked[1:]:
        if holds(*one):
            held += 1
        else:
            failing.append(one)
        if held == HOLDS:  # whatever the others say
            return
    raise AssertionError(failing)
