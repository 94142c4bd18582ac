"""The pictures of GloVe, fastText and other successors of word2vec, as HTML; typed text is escaped."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.views.widgets.numbers import short
from explorer.views.widgets.quoted import quoted

if TYPE_CHECKING:
    from explorer.analysis.vectors.cooccurrence import Ratio

NEITHER = "<small>near neither</small>"
CSS = Path(__file__).with_name("glove_and_fasttext.css")
SENTENCE = "we drink tea in the garden"
# A model's name, what it gives vectors to, a row of these, the index of the learnt one, and a line on it.
OTHERS = [
    ("word2vec, 2013", "words", SENTENCE.split(), 2, "A word, by the words around it."),
    (
        "doc2vec, 2014",
        "paragraphs",
        ["paragraph 7", *SENTENCE.split()[:4]],
        0,
        "A paragraph counts as one more word, which occurs beside all of its own words.",
    ),
    (
        "sent2vec, 2017",
        "sentences",
        ["we drink", "drink tea", "tea", "in the", "garden"],
        2,
        "A sentence is the mean of its words and word pairs. The mean has to predict a missing word.",
    ),
    (
        "item2vec, 2016",
        "baskets, playlists",
        ["flour", "sugar", "yeast", "vanilla", "eggs"],
        2,
        "A basket or a playlist is a sentence without order. All its items are neighbours of each other.",
    ),
    (
        "DeepWalk, 2014",
        "pages and people",
        ["home", "courses", "timetable", "rooms", "map"],
        2,
        "Someone clicks from link to link. Each walk is a sentence, and each page or person is a word.",
    ),
]


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
        f'<div class="kin"><span class="name"><b>{name}</b><small>{what}</small></span><span class="things">'
        + "".join(
            f'<span class="{"centre" if at == middle else "near"}">{thing}</span>'
            for at, thing in enumerate(things)
        )
        + f"</span><span>{line}</span></div>"
        for name, what, things, middle, line in OTHERS
    )
    return f'<div class="rb-kin">{lines}</div>'
