"""GloVe's counts, on the Map: which words occur near one word rather than near another."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.errors import TextError
from explorer.locale import N_, _, format_number, localised
from explorer.views import kit
from explorer.views.types import Counts, Ratio
from explorer.views.vectors import examples
from explorer.views.vectors.settings import PAIR, TEXT
from explorer.views.vectors.training_session import LONGEST
from explorer.views.vectors.word_table import split_words

CSS = Path(__file__).with_name("spelling_and_counts.css")
WINDOW, SHOWN = 5, 12


def draw(settings: kit.Settings) -> kit.Saves:
    """A line for each word that the ratio compares. Raises TextError for a longer text than LONGEST."""
    from explorer.analysis.vectors import cooccurrence

    first, second = _pair(settings)
    text = settings[TEXT].strip()
    if len(text) > LONGEST:
        raise TextError(
            _(
                "The text has {count} characters; {most} are counted.",
                count=format_number(len(text)),
                most=format_number(LONGEST),
            ),
            _("Paste a part."),
        )
    rows = cooccurrence.ratios(_counts(text), first, second, SHOWN)
    st.html(f"<style>{assets.text(CSS)}</style>{ratios_html(first, second, rows)}")
    file = f"glove-{first}-{second}"
    csv = [[row.word, row.first, row.second, row.ratio] for row in rows]
    heads = ["word", f"near {first}", f"near {second}", "ratio"]
    return [
        kit.Picture("picture", file),
        kit.Export(N_("Ratios"), f"{file}.csv", lambda: kit.table(heads, csv)),
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same numbers from Python."""
    first, second = _pair(page.settings)
    text = page.settings[TEXT].strip()
    return kit.Example(examples.ratios, text=text, first=first, second=second, window=WINDOW, top=SHOWN)


def ratios_html(first: str, second: str, rows: "Sequence[Ratio]") -> str:
    """A line for each word: its share near one word to the left, near the other to the right.

    A word that is near neither says so.
    """
    most = max((max(row.first, row.second) for row in rows), default=0.0) or 1.0
    neither = f"<small>{_('near neither')}</small>"
    lines = "".join(
        f'<div class="line"><span class="bar left" title="{kit.short(row.first)}">'
        f'<i style="width:{row.first / most:.1%}"></i></span>'
        f"<b>{kit.quoted(row.word)}</b>"
        f'<span class="bar right" title="{kit.short(row.second)}">'
        f'<i style="width:{row.second / most:.1%}"></i>{"" if row.first or row.second else neither}</span>'
        f"<em>{short_ratio(row.ratio)}</em></div>"
        for row in rows
    )
    head = (
        f'<div class="line head"><span class="left">{_("near {word}", word=kit.quoted(first))}</span><b></b>'
        f'<span class="right">{_("near {word}", word=kit.quoted(second))}</span><em>{_("ratio")}</em></div>'
    )
    return f'<div class="rb-ratios">{head}{lines}</div>'


def short_ratio(value: float) -> str:
    """A ratio with two significant figures.

    >>> short_ratio(8.63), short_ratio(1.96), short_ratio(0.268)
    ('8.6', '2.0', '0.27')
    """
    return localised(f"{value:.1f}" if value >= 1 else f"{value:.2g}")


def _pair(settings: kit.Settings) -> tuple[str, str]:
    """The two words. Raises TextError for any other number of them."""
    words = split_words(settings[PAIR])
    if len(words) != 2:
        raise TextError(_("GloVe’s ratio compares two words."), _("Type two words of the text."))
    return words[0], words[1]


@kit.kept(8)
def _counts(text: str) -> "Counts":
    """The co-occurrence counts of a text, cached for all visitors."""
    from explorer.analysis.vectors import cooccurrence

    return cooccurrence.count(text, WINDOW)
