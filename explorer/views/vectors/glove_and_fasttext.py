"""Its kin: GloVe's counts, fastText's pieces of words, and other things that have vectors as in word2vec."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer import assets
from explorer.errors import TextError
from explorer.views.frame import blocklist, caching
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.vectors import examples
from explorer.views.vectors import glove_and_fasttext_pictures as pictures
from explorer.views.vectors.presets import GLOVE_AND_FASTTEXT as PRESETS
from explorer.views.vectors.settings import MODEL, PAIR, RELATIVE, SPELT, TEXT
from explorer.views.vectors.training_session import LONGEST
from explorer.views.vectors.word_table import display, split_words
from explorer.views.vectors.word_table import table as known_words
from explorer.views.widgets.bars import bars
from explorer.views.widgets.one_of import one_of
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.vectors.cooccurrence import Counts, Ratio
    from explorer.analysis.vectors.pieces import RelatedWord
    from explorer.models import LanguageModel


KINDS = {"glove": "GloVe", "fasttext": "fastText", "anything": "Not only words"}

TOP, WINDOW, SHOWN = 7, 5, 12


def controls(page: OpenPage[None]) -> None:
    """Draw the choice of the method, and the box of its words."""
    settings = page.settings
    settings.restrict(RELATIVE, KINDS)
    left, right = st.columns([4, 7], gap="medium", vertical_alignment="center")
    with left:
        one_of(settings, RELATIVE, "Which relative", KINDS)
    with right:
        if settings[RELATIVE] == "glove":
            text_box(settings, PAIR, "Two words of the text", "Two words of the text")
        elif settings[RELATIVE] == "fasttext":
            text_box(settings, SPELT, "A word, real or made up", "Type a word")


def draw(page: OpenPage[None]) -> Saves:
    """Draw the paragraph and the picture of the chosen method."""
    st.html(f"<style>{assets.text(pictures.CSS)}</style>")
    return {"glove": _glove, "fasttext": _fasttext, "anything": _anything}[page.settings[RELATIVE]](page)


def reading(page: OpenPage[None]) -> Reading:
    """How to read the picture."""
    if page.settings[RELATIVE] == "glove":
        return Reading(
            "A bar is how probable a word is near one of the two: counted within five words, near ones "
            "weighing more. The number is the left share over the right one. Words that tell the two apart "
            "are at the ends; in the middle are those that say nothing of their difference.",
            "The text is the one of “Train it live”; paste another there. GloVe counted billions of words.",
        )
    if page.settings[RELATIVE] == "fasttext":
        return Reading(
            "All pieces of three to six characters, marks included, and the word itself. At the right are "
            "the words that share most of them, with the cosine of the two sets of pieces: what those words "
            "are taught, this word learns too.",
            "Only spelling is compared here. fastText trains a vector for each piece, and meaning decides.",
        )
    return Reading(
        "Filled is the one whose vector is learnt, outlined are its neighbours. Change what counts as a "
        "word and what as a text, and the same training gives vectors of other things.",
        "Press Baskets below: items of a shop that are bought together find each other.",
    )


def example(page: OpenPage[None]) -> Example:
    """The same numbers from Python."""
    settings = page.settings
    if settings[RELATIVE] == "glove":
        first, second = _pair(settings)
        text = settings[TEXT].strip()
        return Example(examples.ratios, text=text, first=first, second=second, window=WINDOW, top=SHOWN)
    if settings[RELATIVE] == "fasttext":
        return Example(
            examples.word_pieces, model=Load(settings[MODEL]), word=settings[SPELT].strip(), top=TOP
        )
    return Example(examples.pairs, text=pictures.SENTENCE, window=2)


def _glove(page: OpenPage[None]) -> Saves:
    from explorer.analysis.vectors import cooccurrence

    first, second = _pair(page.settings)
    rows = cooccurrence.ratios(_counts(page.settings[TEXT].strip()), first, second, SHOWN)
    st.html(
        '<p class="rb-how"><b>GloVe</b> (2014) reads no text while it learns: it counts once which words '
        "stand near which, and looks for vectors whose products give the logarithms of the counts. Its idea "
        "is the ratio: not how often a word stands near one, but how much more often than near another.</p>"
    )
    st.html(pictures.ratios(first, second, rows))
    return [
        Picture("picture", f"glove-{first}-{second}"),
        Export("Ratios", f"glove-{first}-{second}.csv", lambda: ratios_csv(first, second, rows)),
    ]


def _fasttext(page: OpenPage[None]) -> Saves:
    from explorer.analysis.vectors import pieces

    settings = page.settings
    word = settings[SPELT].strip()
    parts = pieces.pieces(word)
    relatives = _relatives(page.model, word)
    blocked = blocklist.over(settings[MODEL], word)
    st.html(
        '<p class="rb-how"><b>fastText</b> (2017) gives a vector to each piece of a word, and adds them up. '
        "So related forms share what they learn, and a word that nobody has seen has a vector too.</p>"
    )
    left, right = st.columns([7, 5], gap="large")
    left.html(pictures.pieces(pieces.by_length(parts)))
    with right:
        rows = [
            {
                "token": relative.word,
                "cosine": relative.cosine,
                "tip": f"{relative.shared} pieces shared",
                "covered": blocklist.covers(blocked, "", relative.word),
            }
            for relative in relatives
        ]
        label = f"Words that share most pieces with {word}"
        bars(rows, "vectors/pieces", label, visible=TOP, headings=("cosine",))
    return [
        Picture("picture", f"pieces-{word}"),
        Export("Pieces", f"pieces-{word}.csv", lambda: table(["piece"], [[piece] for piece in parts])),
        Export("Words", f"words-{word}.csv", lambda: relatives_csv(relatives, blocked)),
    ]


def _anything(page: OpenPage[None]) -> Saves:
    st.html(
        '<p class="rb-how"><b>Not only words.</b> word2vec needs no more than things that stand in a row, or '
        "together. So other things were given vectors in the same way, soon after 2013.</p>"
    )
    st.html(pictures.others())
    return [Picture("picture", "not-only-words")]


def ratios_csv(first: str, second: str, rows: "list[Ratio]") -> str:
    """The words of the picture with both probabilities and their ratio."""
    heads = ["word", f"near {first}", f"near {second}", "ratio"]
    return table(heads, [[r.word, r.first, r.second, r.ratio] for r in rows])


def relatives_csv(relatives: "list[RelatedWord]", blocked: blocklist.Blocklist) -> str:
    """The words that share most pieces, with the number; blocked words are written as dots."""
    rows = [[display(r.word, blocked), r.shared, r.cosine] for r in relatives]
    return table(["word", "pieces shared", "cosine"], rows)


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


@caching.data(max_entries=256)
def _relatives(model: "LanguageModel", word: str) -> "list[RelatedWord]":
    from explorer.analysis.vectors import pieces

    return pieces.relatives(word, known_words(model).words, TOP)


VIEW = View(
    label="Its kin",
    first=Hints(
        "GloVe counts which words stand together; a ratio of two counts says what tells two words apart.",
        "Choose fastText, and type a word that nobody has written before.",
    ),
    settings=(RELATIVE, TEXT, PAIR, SPELT),
    presets=PRESETS,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
