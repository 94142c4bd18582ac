"""The line below which nothing that a search found should be believed, and what is said of it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from explorer.catalogue.language import ENGLISH, language_of
from explorer.locale import localised
from explorer.views import kit
from explorer.views.search import kinds
from explorer.views.types import LanguageModel, Ranking, SentenceVectors, Tensor

LOOKED_AT = 20  # passages whose language is looked at
CHANCE = 25  # of 40: so many right guesses are within what a coin does in 19 of 20 trials

VIEW_TEXT = kit.view_text("search", "find")


class Line(NamedTuple):
    """The score that 19 of 20 unrelated questions stay below, by a kind of vectors or by words."""

    score: float
    kind: str

    def data(self, has_scores: bool) -> dict[str, str]:
        """What stands beside it, and what is told on hover."""
        says = VIEW_TEXT.phrases
        text = (
            says["below"].format(score=localised(f"{self.score:.2f}")) if has_scores else says["below_this"]
        )
        return {"text": text, "tip": f"{says['line']} {self.measured}".strip()}

    def note(self, ranking: "Ranking") -> str:
        """What is said if nothing that was found is above it; else empty."""
        is_above = any(match.score > self.score for match in ranking.matches)
        return "" if is_above else VIEW_TEXT.phrases["all_below"]

    @property
    def measured(self) -> str:
        """How often it was right on our own town; empty if that was not measured."""
        from explorer.analysis.sentences import our_town

        if not (counts := our_town.measured()["lines"].get(self.kind)):
            return ""
        says = VIEW_TEXT.phrases
        chance = says["chance"] if counts["above"] + counts["below"] <= CHANCE else ""
        return f"{says['measured'].format(**counts)} {chance}".strip()


def is_drawn(question: str, passages: Sequence[str]) -> bool:
    """Whether question and passages are English, as the questions are that draw the line."""
    return {language_of(question), language_of("\n".join(passages[:LOOKED_AT]))} <= {"", ENGLISH}


def by_meaning(page: kit.OpenPage[Any], passages: "SentenceVectors") -> Line:
    """The line among the cosines of the chosen kind of vectors."""
    from explorer.analysis.sentences import unrelated

    if not (name := kinds.model_name(page.settings)):
        return Line(unrelated.line(passages), "tfidf")
    questions = _unrelated_vectors(kit.memory.get(name), passages)
    return Line(unrelated.line_through(passages.best(questions)), name)


@kit.kept(8, of="models")
def _unrelated_vectors(model: "LanguageModel", _passages: "SentenceVectors") -> "Tensor":
    """The vectors of the unrelated questions, which any passages of this model give them."""
    from explorer.analysis.sentences import unrelated

    return _passages.place(unrelated.questions())


@kit.kept(32)
def by_words(passages: Sequence[str]) -> Line:
    """The line among the scores of the search for words."""
    from explorer.analysis.sentences import unrelated

    return Line(unrelated.line(passages), "bm25")
