"""The pictures of GloVe, fastText and other successors of word2vec, as HTML; typed text is escaped."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from explorer import assets
from explorer.views.types import Ratio
from explorer.views.widgets.numbers import short
from explorer.views.widgets.quoted import quoted

NEITHER = "<small>near neither</small>"
CSS = Path(__file__).with_name("glove_and_fasttext.css")
SENTENCE = "we drink tea in the garden"


def ratios(first: str, second: str, rows: "Sequence[Ratio]") -> str:
    """A line for each word: its share near one word to the left, near the other to the right.

    A word that is near neither says so.
    """
    most = max((max(row.first, row.second) for row in rows), default=0.0) or 1.0
    lines = "".join(
        f'<div class="line"><span class="bar left" title="{short(row.first)}">'
        f'<i style="width:{row.first / most:.1%}"></i></span>'
        f"<b>{quoted(row.word)}</b>"
        f'<span class="bar right" title="{short(row.second)}">'
        f'<i style="width:{row.second / most:.1%}"></i>{"" if row.first or row.second else NEITHER}</span>'
        f"<em>{short_ratio(row.ratio)}</em></div>"
        for row in rows
    )
    head = (
        f'<div class="line head"><span class="left">near {quoted(first)}</span><b></b>'
        f'<span class="right">near {quoted(second)}</span><em>ratio</em></div>'
    )
    return f'<div class="rb-ratios">{head}{lines}</div>'


def short_ratio(value: float) -> str:
    """A ratio with two significant figures.

    >>> short_ratio(8.63), short_ratio(1.96), short_ratio(0.268)
    ('8.6', '2.0', '0.27')
    """
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def pieces(rows: Mapping[int, Sequence[str]], shared: Collection[str]) -> str:
    """The pieces of a word, a row for each length; those that are `shared` and the whole word stand out."""
    whole = list(rows.values())[-1][-1]

    def look(piece: str) -> str:
        return "piece" + " whole" * (piece == whole) + " shared" * (piece in shared)

    lines = "".join(
        f'<div class="row"><span class="name">{size} characters</span><span class="all" dir="auto">'
        + "".join(f'<span class="{look(piece)}">{quoted(piece)}</span>' for piece in pieces_of_size)
        + "</span></div>"
        for size, pieces_of_size in rows.items()
    )
    return f'<div class="rb-pieces">{lines}</div>'


def others() -> str:
    """Other things that have vectors: a row of them for each model, with the one that is learnt marked."""
    lines = "".join(
        f'<div class="kin"><span class="name"><b>{one["name"]}</b><small>{one["what"]}</small></span>'
        + '<span class="things">'
        + "".join(
            f'<span class="{"centre" if at == one["learnt"] else "near"}">{thing}</span>'
            for at, thing in enumerate(one["things"])
        )
        + f"</span><span>{one['line']}</span></div>"
        for one in assets.data(assets.TEXTS / "vectors_of_things.json")
    )
    return f'<div class="rb-kin">{lines}</div>'
