"""Related methods: GloVe's counts, and other things than words that get vectors as in word2vec."""

import streamlit as st

from explorer import assets
from explorer.errors import TextError
from explorer.server.kept import kept
from explorer.views.frame.example import Example
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import Reading, view_text
from explorer.views.settings.settings import Settings
from explorer.views.types import Counts, Ratio
from explorer.views.vectors import examples
from explorer.views.vectors import glove_and_fasttext_pictures as pictures
from explorer.views.vectors.settings import PAIR, RELATIVE, TEXT
from explorer.views.vectors.training_session import LONGEST
from explorer.views.vectors.word_table import split_words
from explorer.views.widgets.controls import segments
from explorer.views.widgets.text_box import text_box

KINDS = {"glove": "GloVe", "anything": "Not only words"}

WINDOW, SHOWN = 5, 12

VIEW_TEXT = view_text("vectors", "kin")


def controls(page: OpenPage[None]) -> None:
    """Draw the choice of the method, and the box of its words."""
    settings = page.settings
    left, right = st.columns([4, 7], gap="medium", vertical_alignment="center")
    with left:
        segments(settings, RELATIVE, "Which method", KINDS)
    with right:
        if settings[RELATIVE] == "glove":
            text_box(settings, PAIR, "Two words of the text", "Two words of the text")


def draw(page: OpenPage[None]) -> Saves:
    """Draw the paragraph and the picture of the chosen method."""
    st.html(f"<style>{assets.text(pictures.CSS)}</style>")
    return {"glove": _glove, "anything": _anything}[page.settings[RELATIVE]](page)


def reading(page: OpenPage[None]) -> Reading:
    """How to read the picture."""
    if page.settings[RELATIVE] == "glove":
        from explorer.analysis.vectors.cooccurrence import LEAST

        return VIEW_TEXT.readings["glove"].filled(least=LEAST)
    return VIEW_TEXT.reading


def example(page: OpenPage[None]) -> Example:
    """The same numbers from Python."""
    settings = page.settings
    if settings[RELATIVE] == "glove":
        first, second = _pair(settings)
        text = settings[TEXT].strip()
        return Example(examples.ratios, text=text, first=first, second=second, window=WINDOW, top=SHOWN)
    return Example(examples.pairs, text=pictures.SENTENCE, window=2)


def _glove(page: OpenPage[None]) -> Saves:
    from explorer.analysis.vectors import cooccurrence

    first, second = _pair(page.settings)
    rows = cooccurrence.ratios(_counts(page.settings[TEXT].strip()), first, second, SHOWN)
    st.html(
        '<p class="rb-how"><b>GloVe</b> (2014) first counts how often words occur near each other, then '
        "finds vectors whose dot products match the logarithms of those counts. Its idea is the ratio: how "
        "much more often does a word occur near one word than near another?</p>"
    )
    st.html(pictures.ratios(first, second, rows))
    return [
        Picture("picture", f"glove-{first}-{second}"),
        Export("Ratios", f"glove-{first}-{second}.csv", lambda: ratios_csv(first, second, rows)),
    ]


def _anything(page: OpenPage[None]) -> Saves:
    st.html(
        '<p class="rb-how"><b>Not only words.</b> All word2vec needs is things that occur in a sequence or '
        "together. So, soon after 2013, other things were given vectors in the same way.</p>"
    )
    st.html(pictures.others())
    return [Picture("picture", "not-only-words")]


def ratios_csv(first: str, second: str, rows: "list[Ratio]") -> str:
    """The words of the picture with both probabilities and their ratio."""
    heads = ["word", f"near {first}", f"near {second}", "ratio"]
    return table(heads, [[r.word, r.first, r.second, r.ratio] for r in rows])


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


VIEW = View(
    text=VIEW_TEXT,
    settings=(RELATIVE, TEXT, PAIR),
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
