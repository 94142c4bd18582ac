"""Dice: what follows what in a text, with numbers to throw for each word, and how far such a table gets."""

from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import streamlit as st

from explorer import assets
from explorer.analysis.generation import ngrams
from explorer.errors import ExplorerError
from explorer.locale import N_, _, translate
from explorer.room.questions import LONGEST, Question
from explorer.text.spacing import space_before, with_words
from explorer.views import kit
from explorer.views.continuations import dice_guess, dice_table, dice_writers, examples
from explorer.views.continuations.settings import (
    DICE_PART,
    DICE_SOURCE,
    DICE_START,
    DICE_TEXT,
    DICE_WORDS,
    NEW_TEXT,
    ROUNDS,
    SEED,
    WORDS_BACK,
)
from explorer.views.continuations.texts import FABLE
from explorer.views.frame import problem
from explorer.views.frame.polls import class_room, panel
from explorer.views.settings.settings import Settings
from explorer.views.widgets.visually_hidden import live_region

PARTS = {
    "throw": N_("Throw"),
    "table": N_("The table"),
    "writers": N_("Beside the models"),
    "guess": N_("Guess"),
}
SOURCES = {
    "fable": N_("A fable"),
    "kingdom": N_("The kingdom"),
    "town": N_("A town by the sea"),
    "own": N_("Own text"),
}
BACK = {1: N_("one word back"), 2: N_("two words back"), 3: N_("three words back")}
MOST_WORDS, THROWS = 40, 10
NEXT, NUMBER = N_("Which word comes next?"), N_("Which number do you throw?")
SENTENCE = N_("A sentence for our text?")
ASK = {"word": N_("Ask for a word"), "number": N_("Ask for a number")}
AGAIN = [DICE_WORDS.to([])]
CSS = Path(__file__).with_suffix(".css")


class Word(NamedTuple):
    """A word that was written: the number thrown for it or 0, and how many words before it were seen."""

    word: str
    number: int
    seen: int


def counted_text(settings: Settings) -> str:
    """The text whose words are counted."""
    match settings[DICE_SOURCE]:
        case "kingdom":
            return assets.text(assets.TEXTS / "kingdom.txt")
        case "town":
            return assets.text(assets.SEARCH / "tarrowmouth.txt")
        case "own":
            return settings[DICE_TEXT]
    return FABLE


def table_of(settings: Settings) -> ngrams.Ngrams:
    """The table on screen."""
    return dice_table.counted(counted_text(settings), settings[WORDS_BACK])


def written_words(settings: Settings) -> list[Word]:
    """The words so far. A link may bring anything: what does not fit is left out."""
    rows = [row for row in settings[DICE_WORDS] if isinstance(row, list) and len(row) == 3]
    fitting = [Word(*row) for row in rows if isinstance(row[0], str) and row[0].strip()]
    return [one for one in fitting if type(one.number) is type(one.seen) is int][:MOST_WORDS]


def text_so_far(settings: Settings) -> str:
    """The beginning and what was written after it."""
    return with_words(settings[DICE_START].rstrip(), [one.word for one in written_words(settings)])


def controls(page: kit.OpenPage[None]) -> None:
    """What is shown, which text is counted, how many words back; the texts."""
    settings = page.settings
    st.html(f"<style>{assets.text(CSS)}</style>")
    with st.container(key="dice-controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        kit.segments(settings, DICE_PART, _("What is shown"), translate(PARTS))
        again, bare = partial(settings.set, *AGAIN), "collapsed"
        kit.menu(
            settings,
            DICE_SOURCE,
            _("The text"),
            translate(SOURCES),
            on_change=again,
            label_visibility=bare,
            width=200,
        )
        kit.menu(settings, WORDS_BACK, _("Words back"), translate(BACK), label_visibility=bare, width=200)
        if class_sentences():
            st.button(
                _("Take the class’s sentences"), key="dice/class", on_click=take_sentences, args=[settings]
            )
    if settings[DICE_SOURCE] == "own":
        kit.text_box(settings, DICE_TEXT, _("Own text"), _("A few sentences, or many"), lines=4, resets=AGAIN)
    part = settings[DICE_PART]
    if part in ("throw", "writers"):
        kit.text_box(settings, DICE_START, _("The beginning"), _("A word or two"), resets=AGAIN)
    if part in ("writers", "guess"):
        label, resets = _("A text that none of them has seen"), [ROUNDS.to([])]
        # The box would give away what is guessed.
        with st.popover(_("The text to guess")) if part == "guess" else st.container():
            kit.text_box(settings, NEW_TEXT, label, _("A sentence or two"), lines=3, resets=resets)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The part that is chosen; the CSV of every part but the last two is the whole table."""
    settings = page.settings
    if settings[DICE_SOURCE] == "own" and not settings[DICE_TEXT].strip():
        kit.instruction(_("Paste a text above, or ask a class for a sentence each."))
        return []
    table, picture = table_of(settings), kit.Picture("picture", "dice")
    match settings[DICE_PART]:
        case "writers":
            return [picture, dice_writers.draw(page, counted_text(settings))]
        case "guess":
            return [picture, dice_guess.draw(page, table)]
        case "table":
            st.html(dice_table.whole(table))
        case _:
            _draw_throw(page, table)
    heads = ["words before", "word", "count", "faces of the die", "first number", "last number"]
    return [
        picture,
        kit.Export(N_("The table"), "dice.csv", lambda: kit.table(heads, dice_table.rows(table))),
    ]


def _draw_throw(page: kit.OpenPage[None], table: ngrams.Ngrams) -> None:
    """The text so far, the buttons, how far back its end was seen, and the numbers of what follows."""
    settings = page.settings
    words, text = written_words(settings), settings[DICE_START].rstrip()
    blocked, tokens = kit.blocklist.over("", text), list[dict[str, Any]]()
    for one in words:
        space = space_before(text, one.word)
        tokens.append(
            {
                "text": kit.blocklist.written(blocked, [one.word])[0],
                "note": "" if kit.presenting() else str(one.seen),
                "glued": not space,
                "title": _("thrown: {number}", number=one.number) if one.number else _("sent by the class"),
            }
        )
        text += space + one.word
    start = [{"text": word, "quiet": True} for word in settings[DICE_START].split()]
    if words:
        kit.token_strip([*start, *tokens], "dice/text", _("The text so far"))
        if not kit.presenting():
            kit.note(_("Below each word: how many of the words before it the table had seen together."))
    _buttons(settings, len(words))
    last = words[-1] if words else Word("", 0, 0)
    before = with_words(settings[DICE_START].rstrip(), [one.word for one in words[:-1]])
    if last.number:
        live_region(f"{last.number}: {last.word}")
    st.html(dice_table.next_word(table, ngrams.split(text), ngrams.split(before), last.word, last.number))


def _buttons(settings: Settings, count: int) -> None:
    """Throw; with a room ask it for words or numbers, and take what it has sent."""
    here, asked = class_room.room(), class_room.question()
    with st.container(horizontal=True, key="dice-buttons", vertical_alignment="center"):
        if count >= MOST_WORDS:
            kit.note(
                _("The text has {count} words, which is the most. Start over for another.", count=MOST_WORDS)
            )
        elif asked is not None and asked.question in [poll.question for poll in next_polls(settings)]:
            label = _("Take the sum") if asked.question.kind == "number" else _("Draw by the votes")
            st.button(label, key="dice/take", type="primary", on_click=take, args=[settings])
        else:
            st.button(_("Throw"), key="dice/throw", type="primary", on_click=throw, args=[settings])
            several = _("{count} throws", count=THROWS)
            st.button(several, key="dice/throws", on_click=throw, args=[settings, THROWS])
            if here is not None:
                for poll in next_polls(settings):
                    kind, ask = poll.question.kind, problem.keep_errors(class_room.ask)
                    st.button(_(ASK[kind]), key=f"dice/{kind}", on_click=ask, args=[poll])
        if count:
            st.button(_("Start over"), key="dice/again", type="tertiary", on_click=settings.set, args=AGAIN)


def throw(settings: Settings, times: int = 1) -> None:
    """Add words by throws (for a callback); the same seed throws the same numbers."""
    for _time in range(times):
        number = Random(settings[SEED] * MOST_WORDS + len(written_words(settings))).random()
        add_thrown(settings, 1 + int(number * next_die(settings).used))


def next_die(settings: Settings) -> ngrams.Die:
    """The die for the word after the text so far."""
    table = table_of(settings)
    return ngrams.die(table.following[table.seen(ngrams.split(text_so_far(settings)))])


def add_thrown(settings: Settings, number: int) -> None:
    """Add the word of a number (for a callback)."""
    add_word(settings, next_die(settings).word(number), number)


def add_word(settings: Settings, word: str, number: int = 0) -> None:
    """Add a word (for a callback)."""
    words, seen = written_words(settings), table_of(settings).seen(ngrams.split(text_so_far(settings)))
    if len(words) < MOST_WORDS:
        settings.set(DICE_WORDS.to([*map(list, words), [word, number, len(seen)]]))


@problem.keep_errors
def take(settings: Settings) -> None:
    """Add the word of the class: drawn by the votes, or that of the sum of its numbers (for a callback)."""
    votes, current = panel.votes(), class_room.question()
    if not votes or current is None:
        st.toast(_("Nobody has answered yet."))
        return
    class_room.close()
    panel.reveal()
    if current.question.kind == "number":
        total = sum(int(float(number)) * count for number, count in votes.items())
        add_thrown(settings, (total - 1) % next_die(settings).used + 1)
    else:
        add_word(settings, draw_word(votes, settings[SEED] + len(written_words(settings))))


def draw_word(votes: dict[str, int], seed: int) -> str:
    """A word drawn by its votes, the same for the same seed."""
    return Random(seed).choices(list(votes), list(votes.values()))[0]


def next_polls(settings: Settings) -> list[kit.Poll]:
    """The next word, beside the shares of the dice, and a number for it."""
    text, die = text_so_far(settings), next_die(settings)
    shares = {word: len(numbers) / die.used for word, numbers in die.numbers.items()}
    blocked = kit.blocklist.over("", settings[DICE_START])

    def covered(words: str) -> str:
        return kit.blocklist.written(blocked, [words])[0]

    context = covered(text)
    number = Question("number", _(NUMBER), kit.text_end(context), low=1, high=die.used, whole=True)
    return [
        kit.Poll(Question("word", _(NEXT), kit.text_end(context)), shares, who=_("The dice")),
        kit.Poll(number, die=[covered(die.word(face)) for face in range(1, die.used + 1)]),
    ]


def polls(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """What the part on screen asks; a sentence of everybody's own for the text to count."""
    settings = page.settings
    sentence = kit.Poll(Question("free", _(SENTENCE)), taste=True)
    if settings[DICE_PART] == "guess":
        return dice_guess.polls(page)
    if settings[DICE_PART] != "throw" or not counted_text(settings).strip():
        return [sentence]
    return [*next_polls(settings), sentence]


@problem.keep_errors
def start(settings: Settings) -> None:
    """The press that shows the picture takes the word of the class, or throws the first; or shows a word."""
    current = class_room.question()
    if settings[DICE_PART] == "guess":
        dice_guess.show_asked(settings)
    elif settings[DICE_PART] != "throw" or not counted_text(settings).strip():
        return
    elif current is None and not written_words(settings):
        throw(settings)
    elif current is not None and current.question in [poll.question for poll in next_polls(settings)]:
        if panel.votes():
            take(settings)
        else:
            throw(settings)


def class_sentences() -> list[str]:
    """The sentences that a class has sent for its text, without those that were taken out."""
    try:
        current = class_room.question()
    except ExplorerError:  # the popover says what is wrong
        current = None
    if current is None or current.question.text != _(SENTENCE) or current.state != "shown":
        return []
    blocked = kit.blocklist.over("", "")
    return [one for one in panel.votes() if one and kit.blocklist.written(blocked, [one]) == [one]]


def take_sentences(settings: Settings) -> None:
    """Count the class's sentences (for a callback)."""
    ends = (one if one[-1] in ".!?…" else f"{one}." for one in class_sentences())
    text = " ".join(ends)[: DICE_TEXT.most - LONGEST]
    settings.set(DICE_SOURCE.to("own"), DICE_TEXT.to(text), DICE_START.to(" ".join(text.split()[:1])), *AGAIN)


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The dice from Python."""
    settings = page.settings
    return kit.Example(
        examples.counted_words,
        text=counted_text(settings),
        before=text_so_far(settings),
        back=settings[WORDS_BACK],
        new_text=settings[NEW_TEXT],
    )


VIEW_TEXT = kit.view_text("continuations", "dice")


def _reading(page: kit.OpenPage[None]) -> kit.Reading:
    return VIEW_TEXT.readings.get(page.settings[DICE_PART], VIEW_TEXT.reading)


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=_reading),
    settings=(
        DICE_PART,
        DICE_SOURCE,
        DICE_TEXT,
        WORDS_BACK,
        DICE_START,
        DICE_WORDS,
        NEW_TEXT,
        ROUNDS,
    ),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(start=start, polls=polls, desk=f".st-key-continuations-{DICE_PART}"),
)
