"""Related methods: GloVe's counts, and other things than words that get vectors as in word2vec."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer import assets
from explorer.errors import TextError
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import caching
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.settings.settings import Settings
from explorer.views.vectors import examples
from explorer.views.vectors import glove_and_fasttext_pictures as pictures
from explorer.views.vectors.settings import PAIR, RELATIVE, TEXT
from explorer.views.vectors.training_session import LONGEST
from explorer.views.vectors.word_table import split_words
from explorer.views.widgets.controls import segments
from explorer.views.widgets.formula import Formula
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.vectors.cooccurrence import Counts, Ratio


KINDS = {"glove": "GloVe", "anything": "Not only words"}

WINDOW, SHOWN = 5, 12


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

        return Reading(
            "A bar shows how probable a word is near one of the two, counted within five words, where closer "
            "words count more. The number is the left probability divided by the right one. A word that "
            "tells the two apart is at one of the ends; words in the middle do not tell them apart.",
            f"Words that occur {LEAST} times or more are compared, without function words. So "
            "that no ratio is infinite, one more co-occurrence at the edge of the window is added to every "
            "count. The text comes from “Train it live”, and you can paste another one there. GloVe counted "
            "billions of words.",
        )
    return Reading(
        "The filled box is the thing whose vector is learnt; the outlined ones are its neighbours. Change "
        "what counts as a word and what counts as a text, and the same training gives vectors of other "
        "things.",
        "Press Baskets below: items that are bought together in a shop find each other.",
    )


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


@caching.resource(max_entries=8)
def _counts(text: str) -> "Counts":
    """The co-occurrence counts of a text, cached for all visitors. Raises TextError for a longer text."""
    from explorer.analysis.vectors import cooccurrence

    if len(text) > LONGEST:
        raise TextError(f"The text has {len(text):,} characters; {LONGEST:,} are counted.", "Paste a part.")
    return cooccurrence.count(text, WINDOW)


VIEW = View(
    label="Related methods",
    first=Hints(
        "“Winter” is near “snow”, and “storm” is near “rain”. “Falls” is near both, so it does not tell them "
        "apart.",
        "Type “king prince”: which words tell these two apart?",
    ),
    settings=(RELATIVE, TEXT, PAIR),
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
    formulas=(
        Formula(
            r"J = \sum_{i,j} f(X_{ij}) \left(w_i^{\top} \tilde{w}_j + b_i + \tilde{b}_j - \log "
            r"X_{ij}\right)^2",
            "GloVe’s loss: Pennington et al. 2014, equation 8.",
            {
                "Xij": "How often word j occurs near word i, where closer words count more.",
                "f": "A weight: rare pairs count less, and very frequent ones no more than others.",
                "bi": "A number of its own for each word, as frequent words have large counts.",
            },
        ),
    ),
)
