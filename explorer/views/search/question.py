"""The question, and the passages that are searched: what the views Search and Answer from it share."""

from collections.abc import Sequence

import streamlit as st

from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.search import own_file

QUESTION = kit.Setting("question", "Since when can girls go to the school?", most=2_000)  # of Search
ASKED = kit.Setting("asked", "When was the bakery founded?", most=2_000)  # of Answer from it
SOURCE = kit.Setting("source", "town")
OWN = kit.Setting("own", "", most=kit.LONGEST_OF_ALL)
CUT = kit.Setting("cut", "sentences")
WINDOW = kit.Setting("window", 30)  # words
OVERLAP = kit.Setting("overlap", 10)
PASSAGE = kit.Setting("passage", 0, least=0)  # the place in the ranking of the passage that is explained

SETTINGS = (QUESTION, ASKED, SOURCE, OWN, CUT, WINDOW, OVERLAP, PASSAGE)
SOURCES = {"town": N_("Our made-up town"), "own": N_("A text of your own")}
PICTURES = {"question": N_("A question"), "twenty": N_("Twenty")}  # of both views
NAMES = {"town": N_("Our town"), "own": N_("Your text")}
CUTS = {"sentences": N_("Sentences"), "windows": N_("Windows of words")}
FILE = kit.Session[Sequence[str]]("search/own-passages", ())  # the texts of the visitor's file


def passage_controls(settings: kit.Settings) -> None:
    """The button that opens the choice of a text and of how it is cut; it says what is chosen."""
    settings.restrict(SOURCE, SOURCES)
    settings.restrict(CUT, CUTS)
    settings.send_again(SOURCE, CUT, WINDOW, OVERLAP)
    label = (
        N_("{text}, in sentences") if settings[CUT] == "sentences" else N_("{text}, in windows of {words}")
    )
    with st.popover(_(label, text=_(NAMES[settings[SOURCE]]), words=settings[WINDOW])):
        kit.menu(settings, SOURCE, _("Text"), translate(SOURCES))
        kit.segments(settings, CUT, _("Passages"), translate(CUTS), label_visibility="visible")
        if settings[CUT] == "windows":
            kit.slider(settings, WINDOW, _("Words of a window"), 5, 100)
            kit.slider(settings, OVERLAP, _("repeated in the next"), 0, settings[WINDOW] - 1)


def question_box(settings: kit.Settings, question: kit.Setting[str]) -> None:
    """The visitor's text, if that is searched, and the view's question; a new one is that of both views."""
    if settings[SOURCE] == "own":
        hint = _("Paste a text, or open a file")
        kit.text_box(settings, OWN, _("Your text"), hint, lines=3, resets=[PASSAGE.to(0)])
        own_file.button(settings, _take)

    def ask() -> None:
        settings.set(QUESTION.to(settings[question]), ASKED.to(settings[question]), PASSAGE.to(0))

    kit.text_box(settings, question, _("Question"), _("Ask something"), on_change=ask)


def passages_of(settings: kit.Settings) -> list[str]:
    """The passages of the chosen text, `own_file.MOST` at the most; none without a text."""
    from explorer.analysis.sentences import our_town

    words = settings[WINDOW] if settings[CUT] == "windows" else 0
    if settings[SOURCE] == "town":
        text = our_town.town()
    elif not (text := settings[OWN]):
        text = "\n".join(FILE.get())
    return _cut(text, words, min(settings[OVERLAP], max(words - 1, 0)))[: own_file.MOST]


def short_answers(settings: kit.Settings, question: str) -> tuple[str, ...]:
    """What a right answer contains, for one of our questions; otherwise nothing is known."""
    from explorer.analysis.sentences import our_town

    answers = {each.question: each.answers for each in our_town.questions()}
    return answers.get(question.strip(), ()) if settings[SOURCE] == "town" else ()


@kit.kept(16)
def _cut(text: str, words: int, overlap: int) -> list[str]:
    from explorer.corpus.passages import cut

    return cut(text, words, overlap)


def _take(settings: kit.Settings, texts: list[str]) -> None:
    """Search the texts of a file, for as long as this visit lasts."""
    FILE.set(texts)
    settings.set(OWN.to(""), PASSAGE.to(0))
