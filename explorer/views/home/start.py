"""Start here: a sentence whose gap is guessed, at once for the opening one, or which is written on."""

from explorer.server import memory
from explorer.views.frame import navigation
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.example import Example, Load
from explorer.views.frame.lecture import lecturing
from explorer.views.frame.lecture.stage import Stage
from explorer.views.frame.polls.poll import Later, Poll, Question, text_end
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import view_text
from explorer.views.home import before, guesses, sentence, writing
from explorer.views.home.guesses import MODEL
from explorer.views.home.settings import GAP_AT, HIDDEN, TEXT
from explorer.views.settings.settings import Settings
from explorer.views.widgets.notes import instruction
from explorer.views.widgets.text_box import GAP, MASK


def draw(page: OpenPage[None]) -> Saves:
    """The sentence, and below it the guesses for its gap, or how it goes on."""
    settings = page.settings
    text = text_of(settings)
    if not text.strip():
        sentence.draw(settings, text, "")
        instruction("Write a sentence, and press a word to hide it.")
        return []
    settings.clamp(GAP_AT, 0, max(text.count(MASK) - 1, 0))
    rows = guesses.bert_rows(text, settings[GAP_AT]) if MASK in text else []
    sentence.draw(settings, text, next((row["token"] for row in rows if not row["covered"]), "").lstrip("#"))
    return guesses.draw(settings, text, rows) if rows else writing.draw(text)


def text_of(settings: Settings) -> str:
    """The sentence with its gap as [MASK], also if a link has another spelling."""
    if settings[TEXT] == TEXT.default:
        return TEXT.default
    from explorer.analysis.prediction import masking

    return masking.standard(settings[TEXT])


def below(page: OpenPage[None]) -> None:
    """What else there is for this sentence, and larger models."""
    text = text_of(page.settings)
    if MASK not in text:
        navigation.link("continuations", "How each token was chosen", text=text)
    if lecturing.at() is None:
        before.prepare()


def example(page: OpenPage[None]) -> Example:
    """The same guesses, or the same continuation, from Python."""
    text = text_of(page.settings)
    if MASK not in text:
        return Example(writing.continuation, model=Load(WRITER), text=text, **writing.SAMPLING)
    return Example(
        guesses.first_guesses, model=Load(MODEL), text=text, top=guesses.ROWS, blank=page.settings[GAP_AT]
    )


def asks(page: OpenPage[None]) -> list[Poll]:
    """Which word fills the gap; or how a sentence without one goes on."""
    text = text_of(page.settings)
    if not text.strip():
        return []
    if MASK not in text:
        first = Later(
            lambda: {token.strip(): p for token, p in writing.written(memory.get(WRITER), text)[:1]}
        )
        question = Question("word", "Which word comes next?", text_end(text))
        return [Poll(question, first, who=memory.short_label(WRITER))]
    at = page.settings[GAP_AT]
    which = f"gap {at + 1}" if text.count(MASK) > 1 else "the gap"
    question = Question("word", f"Which word fills {which}?", text.replace(MASK, GAP))
    model = Later(lambda: {row["token"]: row["probability"] for row in guesses.bert_rows(text, at)})
    return [Poll(question, model, page.settings[HIDDEN], "BERT")]


VIEW = View(
    text=view_text("home", "start"),
    settings=(TEXT, HIDDEN, GAP_AT),
    model=MODEL,
    draw=draw,
    below=below,
    asks=asks,
    example=example,
    stage=Stage(covered=(".token",)),
)
