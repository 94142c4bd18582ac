"""GloVe's counts, on the Map: which words occur near one word rather than near another."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.errors import TextError
from explorer.server.kept import kept
from explorer.views.frame.example import Example
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Saves
from explorer.views.settings.settings import Settings
from explorer.views.types import Counts, Ratio
from explorer.views.vectors import examples
from explorer.views.vectors.settings import PAIR, TEXT
from explorer.views.vectors.training_session import LONGEST
from explorer.views.vectors.word_table import split_words
from explorer.views.widgets.numbers import short
from explorer.views.widgets.quoted import quoted

CSS = Path(__file__).with_name("spelling_and_counts.css")
WINDOW, SHOWN = 5, 12
NEITHER = "<small>near neither</small>"


def draw(settings: Settings) -> Saves:
    """A line for each word that the ratio compares."""
    from explorer.analysis.vectors import cooccurrence

    first, second = _pair(settings)
    rows = cooccurrence.ratios(_counts(settings[TEXT].strip()), first, second, SHOWN)
    st.html(f"<style>{assets.text(CSS)}</style>{ratios_html(first, second, rows)}")
    file = f"glove-{first}-{second}"
    csv = [[row.word, row.first, row.second, row.ratio] for row in rows]
    heads = ["word", f"near {first}", f"near {second}", "ratio"]
    return [Picture("picture", file), Export("Ratios", f"{file}.csv", lambda: table(heads, csv))]


def example(page: OpenPage[None]) -> Example:
    """The same numbers from Python."""
    first, second = _pair(page.settings)
    text = page.settings[TEXT].strip()
    return Example(examples.ratios, text=text, first=first, second=second, window=WINDOW, top=SHOWN)


def ratios_html(first: str, second: str, rows: "Sequence[Ratio]") -> str:
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


def _pair(settings: Settings) -> tuple[str, str]:
    """The two words. Raises TextError for any other number of them."""
    words = split_words(settings[PAIR])
    if len(words) != 2:
        raise TextError("GloVe’s ratio compares two words.", "Type two words of the text.")
    return words[0], words[1]


@kept(8)
def _counts(text: str) -> "Counts":
    """The co-occurrence counts of a text, cached for all visitors. Raises TextError for a longer text."""
    from explorer.analysis.vectors import cooccurrence

    if len(text) > LONGEST:
        raise TextError(f"The text has {len(text):,} characters; {LONGEST:,} are counted.", "Paste a part.")
    return cooccurrence.count(text, WINDOW)
