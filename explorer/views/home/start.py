"""Start here: a sentence whose gap is guessed, at once for the opening one, or which is written on."""

from explorer.views import kit
from explorer.views.frame.lecture import lecturing
from explorer.views.home import before, guesses, sentence, writing
from explorer.views.home.guesses import MODEL
from explorer.views.home.settings import GAP_AT, HIDDEN, TEXT


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The sentence, and below it the guesses for its gap, or how it goes on."""
    settings = page.settings
    text = text_of(settings)
    if not text.strip():
        sentence.draw(settings, text, "")
        kit.instruction("Write a sentence, and press a word to hide it.")
        return []
    settings.clamp(GAP_AT, 0, max(text.count(kit.MASK) - 1, 0))
    rows = guesses.bert_rows(text, settings[GAP_AT]) if kit.MASK in text else []
    sentence.draw(settings, text, next((row["token"] for row in rows if not row["covered"]), "").lstrip("#"))
    return guesses.draw(settings, text, rows) if rows else writing.draw(text)


def text_of(settings: kit.Settings) -> str:
    """The sentence with its gap as [MASK], also if a link has another spelling."""
    if settings[TEXT] == TEXT.default:
        return TEXT.default
    from explorer.analysis.prediction import masking

    return masking.standard(settings[TEXT])


def below(page: kit.OpenPage[None]) -> None:
    """What else there is for this sentence, and larger models."""
    text = text_of(page.settings)
    if kit.MASK not in text:
        kit.navigation.link("continuations", "How each token was chosen", text=text)
    if lecturing.at() is None:
        before.prepare()


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same guesses, or the same continuation, from Python."""
    text = text_of(page.settings)
    if kit.MASK not in text:
        return kit.Example(writing.continuation, model=kit.Load(kit.WRITER), text=text, **writing.SAMPLING)
    return kit.Example(
        guesses.first_guesses, model=kit.Load(MODEL), text=text, top=guesses.ROWS, blank=page.settings[GAP_AT]
    )


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which word fills the gap; or how a sentence without one goes on."""
    text = text_of(page.settings)
    if not text.strip():
        return []
    if kit.MASK not in text:
        first = kit.Later(
            lambda: {token.strip(): p for token, p in writing.written(kit.memory.get(kit.WRITER), text)[:1]}
        )
        question = kit.Question("word", "Which word comes next?", kit.text_end(text))
        return [kit.Poll(question, first, who=kit.memory.short_label(kit.WRITER))]
    at = page.settings[GAP_AT]
    which = f"gap {at + 1}" if text.count(kit.MASK) > 1 else "the gap"
    question = kit.Question("word", f"Which word fills {which}?", text.replace(kit.MASK, kit.GAP))
    model = kit.Later(lambda: {row["token"]: row["probability"] for row in guesses.bert_rows(text, at)})
    return [kit.Poll(question, model, page.settings[HIDDEN], "BERT")]


VIEW = kit.View(
    text=kit.view_text("home", "start"),
    settings=(TEXT, HIDDEN, GAP_AT),
    model=MODEL,
    draw=draw,
    below=below,
    asks=asks,
    example=example,
    stage=kit.Stage(covered=(".token",)),
)
