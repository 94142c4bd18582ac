"""Labels at the ends of curves: their marks as characters, and places without overlap."""

from collections.abc import Sequence
from typing import Any
from unicodedata import east_asian_width

from explorer.views.look.theme import Palette
from explorer.views.types import go
from explorer.views.widgets.chart_look import say

GLYPHS = "●■▲◆✚★"  # the shapes of the marks, as characters
LABEL_PX, LETTER_PX = 24, 7.6  # the height of a label, and about the width of a letter
WIDE_PX = 16.4


def spread(values: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels, near their values, in their order, `gap` apart and inside low to high."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    blocks: list[list[float]] = []  # [place of the first label, number of labels]
    for i in order:
        blocks.append([values[i], 1])
        while len(blocks) > 1 and blocks[-1][0] < blocks[-2][0] + blocks[-2][1] * gap:
            (start, n), (other, m) = blocks[-2], blocks.pop()
            # The best start of a block is the mean of the starts that its labels would have at their values.
            blocks[-1] = [(start * n + (other - n * gap) * m) / (n + m), n + m]
    places = [start + i * gap for start, n in blocks for i in range(int(n))]
    for i, place in enumerate(places):
        places[i] = max(place, low, places[i - 1] + gap if i else low)
    for i in reversed(range(len(places))):
        places[i] = min(places[i], places[i + 1] - gap if i + 1 < len(places) else high)
    at = dict(zip(order, places))
    return [round(at[i], 10) for i in range(len(values))]


def width_px(label: str) -> float:
    """About the width of a label, in which a Chinese character is twice as wide as a letter.

    >>> width_px("BERT"), width_px("层")
    (30.4, 16.4)
    """
    return sum(WIDE_PX if east_asian_width(letter) in "WF" else LETTER_PX for letter in label)


def name_ends(
    figure: "go.Figure",
    ends: Sequence[tuple[str, float, str]],
    height: int,
    palette: Palette,
    low: float = 0,
    **where: Any,
) -> None:
    """Write names at the ends of lines of shares, none on another; each has a line's last value and colour.

    `height` is that of the plot without its margins, in px, and `low` the lowest place of a name; `where` is
    passed on to the annotations.
    """
    places = spread([value for _, value, _ in ends], LABEL_PX / height, low, 1)
    for (name, _, colour), place in zip(ends, places):
        say(figure, name, palette, y=place, xanchor="left", font={"color": colour}, **where)
