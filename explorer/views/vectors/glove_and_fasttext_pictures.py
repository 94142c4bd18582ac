"""The pictures of GloVe, fastText and other successors of word2vec, as HTML; typed text is escaped."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.views.widgets.bars import short
from explorer.views.widgets.quoted import quoted

if TYPE_CHECKING:
    from explorer.analysis.vectors.cooccurrence import Ratio

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
        "A paragraph is one more word, which stands beside all of its own words.",
    ),
    (
        "sent2vec, 2017",
        "sentences",
        ["we drink", "drink tea", "tea", "in the", "garden"],
        2,
        "A sentence is the mean of its words and word pairs: the mean is to predict a missing word.",
    ),
    (
        "item2vec, 2016",
        "baskets, playlists",
        ["flour", "sugar", "yeast", "vanilla", "eggs"],
        2,
        "A basket or a playlist is a sentence without order: its items are each other’s neighbours.",
    ),
    (
        "DeepWalk, 2014",
        "pages and people",
        ["home", "courses", "timetable", "rooms", "map"],
        2,
        "Someone clicks from link to link: each walk is a sentence, and each page or person a word.",
    ),
]


def ratios(first: str, second: str, rows: "Sequence[Ratio]") -> str:
    """A line for each word: its share near one word to the left, near the other to the right."""
    most = max((max(row.first, row.second) for row in rows), default=0.0) or 1.0
    lines = "".join(
        f'<div class="line"><span class="bar left" title="{short(row.first)}">'
        f'<i style="width:{row.first / most:.1%}"></i></span>'
        f"<b>{quoted(row.word)}</b>"
        f'<span class="bar right" title="{short(row.second)}">'
        f'<i style="width:{row.second / most:.1%}"></i></span><em>{ratio(row.ratio)}</em></div>'
        for row in rows
    )
    head = (
        f'<div class="line head"><span class="left">near {quoted(first)}</span><b></b>'
        f'<span class="right">near {quoted(second)}</span><em>ratio</em></div>'
    )
    return f'<div class="rb-ratios">{head}{lines}</div>'


def ratio(value: float) -> str:
    """A ratio with two significant figures, or ∞ or 0 for a word that is near only one of the two.

    >>> ratio(2.55), ratio(0.031), ratio(math.inf), ratio(0)
    ('2.5', '0.031', '∞', '0')
    """
    if math.isinf(value):
        return "∞"
    return "0" if value == 0 else f"{value:.2g}"


def pieces(rows: Mapping[int, Sequence[str]]) -> str:
    """The pieces of a word, a row for each length; the whole word, last, stands out."""
    whole = list(rows.values())[-1][-1]
    lines = "".join(
        f'<div class="row"><span class="name">{size} characters</span><span class="all" dir="auto">'
        + "".join(
            f'<span class="{"piece whole" if piece == whole else "piece"}">{quoted(piece)}</span>'
            for piece in pieces_of_size
        )
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
