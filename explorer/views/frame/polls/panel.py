"""What the teacher sees of a poll: who has answered, Close and Reveal, and the class beside the model."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from explorer.errors import ExplorerError, NotFoundError
from explorer.locale import N_, _, format_number, ngettext
from explorer.room.page import GAPS, key_of
from explorer.room.questions import Question
from explorer.room.result import Result
from explorer.room.store import CurrentQuestion
from explorer.room.tally import key as fold
from explorer.room.tally import tally
from explorer.server.session import Session
from explorer.views.frame import presenter, problem
from explorer.views.frame.lecture import stage
from explorer.views.frame.polls import asking, class_room, picture
from explorer.views.frame.polls.asking import Polls
from explorer.views.frame.polls.class_room import Room
from explorer.views.frame.polls.poll import Poll, text_end
from explorer.views.frame.polls.rounds import Rounds
from explorer.views.frame.polls.verdict import verdict
from explorer.views.frame.saving.saving import Export, Picture
from explorer.views.settings.settings import Settings
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component, component_value
from explorer.views.widgets.visually_hidden import icon_button

APART = re.compile(r" (?=[.,;:!?])| (['’]) ")  # spaces between tokens that a sentence does not have
LONGEST_ABOUT = 120  # characters of the sentence's end above the class's answers: two lines
LONGEST_ABOVE_FEW, FEW = 186, 4  # three lines, above the rows of so many choices
SIZES = {"short": 60, "long": 140, "longest": 10_000}  # by the most letters, how large a text is set on stage
EVERY_S = 0.8  # between two looks at an open question: an answer is on the wall within a second
TALLY = Session("/room/tally", False)  # whether the tally is shown while the question is open
AGAIN = N_("A second round, after a minute of talk")


def draw_line(settings: Settings) -> None:
    """The stage's line for the question, with how many have answered; empty where nothing is asked."""
    current, text, choices = _question_on_stage(settings)
    with st.container(key="question", horizontal=True, vertical_alignment="center"):
        letters = f"--rb-letters: {max(len(text), 1)}"
        names = "".join(f"<li>{quoted(choice)}</li> " for choice in choices)
        st.html(
            f'<p class="rb-question" style="{letters}">{quoted(text) if text else ""}</p>'
            + (f'<ul class="rb-choices rb-beside-picture">{names}</ul>' if names else "")
        )
        here = class_room.room() if current is not None else None
        if current is not None and here is not None and current.state != "shown":
            every = EVERY_S if current.state == "open" else None
            st.fragment(_look, run_every=every)(_count, key_of(current), here, st.empty(), True)
        if current is not None and current.state != "open" and not class_room.is_folded():
            icon_button(
                "replay",
                f"{_(AGAIN)} (A)",
                key="present/again",
                shortcut="A",
                type="tertiary",
                on_click=problem.keep_errors(ask_again),
            )


def _question_on_stage(settings: Settings) -> tuple[CurrentQuestion | None, str, tuple[str, ...]]:
    """The question that the class is asked, the words of the stage's line, and its choices."""
    try:
        current = class_room.question()
    except ExplorerError:  # the popover says what is wrong
        current = None
    stop = stage.stop(settings)
    poll = current.question if current is not None else stop.poll if stop else None
    choices = poll.choices if poll is not None and poll.kind == "choice" else ()
    return current, current.question.text if current is not None else stop.question if stop else "", choices


def draw(settings: Settings, make_polls: Polls, state: str = "") -> Sequence[Export | Picture]:
    """The newest question above the picture, none once it is put away; what there is to save of it.

    `state` is what stands on the stage, in presenter mode: the question large, the class's answers, or their
    strip.
    """
    asking.INCOMPLETE.set(False)
    try:
        current, here = class_room.question(), class_room.room()
        tally = current is not None and current.state == "open" and TALLY.get()
        if state in ("asked", "open", "closed") and not tally:
            draw_large(_question_text(settings, make_polls, current), here)
            return []
    except ExplorerError as error:
        st.text(str(error))
        return []
    if current is None or here is None:
        return []
    if state == "model":
        _strip(current.id)
    elif state:
        with st.container(key=picture.BOX):
            if sentence := _sentence(current.question):
                few = current.question.kind == "choice" and len(current.question.choices) <= FEW
                end = text_end(sentence, LONGEST_ABOVE_FEW if few else LONGEST_ABOUT)
                st.html(f'<p class="rb-about rb-sentence">{_with_gaps(end)}</p>')
            st.fragment(_look, run_every=EVERY_S if tally else None)(_answers, key_of(current), here, None)
    else:
        with st.container(key=picture.BOX, border=True):
            with st.container(horizontal=True, vertical_alignment="center", key="poll-line"):
                key, question = key_of(current), quoted(current.question.text)
                st.html(f'<p class="rb-question-asked" data-key="{key}">{question}</p>')
                count_place = st.empty()
                draw_buttons(here, current.state)
            every = EVERY_S if current.state == "open" else None
            st.fragment(_look, run_every=every)(_answers, key, here, count_place)
    return picture.saves(_revealed) if current.state == "shown" else []


def _question_text(settings: Settings, make_polls: Polls, current: CurrentQuestion | None) -> Question:
    """What is asked on stage, with its sentence and its choices."""
    if current is not None:
        return current.question
    stop = stage.stop(settings)
    text = stop.question if stop else ""
    same = next((poll for poll in make_polls() if fold(poll.question.text) == fold(text)), None)
    asking.INCOMPLETE.set(same is not None and same.waits)
    return same.question if same else Question("free", text)


def draw_large(question: Question, here: Room | None) -> None:
    """The question in the middle of the stage: its sentence or itself, choices or bounds; the way in."""
    sentence = _sentence(question)
    text = _with_gaps(sentence) if sentence else quoted(question.text)
    look, size = "rb-sentence" if sentence else "", _size(sentence or question.text)
    parts = [f'<p class="rb-large {look}" data-letters="{size}">{text}</p>']
    if question.kind == "choice":
        names = "".join(f"<li>{quoted(choice)}</li>" for choice in question.choices)
        parts.append(f'<ul class="rb-choices">{names}</ul>')
    if question.kind == "number" and question.whole:
        low, high = format_number(question.low), format_number(question.high)
        bounds = _("A whole number from {low} to {high}", low=low, high=high)
        parts.append(f'<p class="rb-choices">{bounds}</p>')
    if here is not None:
        address = class_room.address().removeprefix("http://").removeprefix("https://")
        where, code = f"<b>{quoted(f'{address}/join')}</b>", f'<b translate="no">{here.code}</b>'
        way = _("Join at {address} with {code}", address=where, code=code)
        parts.append(f'<p class="rb-way-in">{way if address else _("Join with {code}", code=code)}</p>')
    with st.container(key="asked"):
        st.html("".join(parts))


def _sentence(question: Question) -> str:
    """The sentence that a question is about; "" where it has none."""
    words = APART.sub(r"\1", " ".join(question.choices)) if question.kind == "token" else ""
    return question.context or words


def _with_gaps(sentence: str) -> str:
    return GAPS.sub('<span class="rb-gap"></span>', quoted(sentence))


def _size(text: str) -> str:
    """How long a text on stage is, which says how large it is set."""
    return next(name for name, most in SIZES.items() if len(text) <= most)


def _strip(number: int) -> None:
    """The class's answers in one line above the picture; a press brings them back."""
    mount = f"strip/{number}"

    def pressed() -> None:
        if component_value(mount, "press", bool):
            class_room.unfold()

    result, poll = _revealed(), class_room.poll()
    if poll is None:
        return
    says = result.says or verdict(result, poll)
    with st.container(key="strip"):
        data = picture.strip_data(poll.question, result) | {"says": says}
        component("frame/polls/strip")(key=mount, data=data, on_press_change=pressed)


def _look(draw: Callable[..., Any], *question: Any) -> None:
    """Draw what the room has now: its file is opened once for all that is read of it."""
    with class_room.store().reading():
        draw(*question)


def _count(key: str, here: Room, place: Any, on_stage: bool = False) -> CurrentQuestion:
    """How many have answered; `key` is what the page was drawn with, which follows another teacher."""
    current = class_room.question()
    if current is None or key_of(current) != key:
        st.rerun()
    if on_stage:
        count = ngettext("{count} has answered", "{count} have answered", current.count)
        count = count if current.count else _("nobody has answered yet")
        place.html(f'<p class="rb-answered">{count}</p>', width="content")
    else:
        count = _("{count} answered", count=current.count) if current.count else _("nobody has answered yet")
        words = _("{answered} · join with {code}", answered=count, code=f"<b>{here.code}</b>")
        place.html(f'<p class="rb-answered">{words}</p>', width="content")
    return current


def _answers(key: str, here: Room, count_place: Any) -> None:
    """How many have answered, and what; again each second while the question is open.

    The buttons are not part of it: a click on one that is just being drawn again would be lost.
    """
    current = _count(key, here, count_place) if count_place is not None else class_room.question()
    poll = class_room.poll()
    if current is None or poll is None or key_of(current) != key:
        st.rerun()
    if current.state == "shown" or (current.state == "open" and TALLY.get()):
        whose, rounds = poll, class_room.rounds() if poll.question.kind != "side" else []
        if current.state != "shown":
            whose, rounds = Poll(current.question), []
        result = _result(whose, current.id, here, rounds)
        changed = problem.keep_errors(reveal)
        if count_place is None:
            merges = presenter.controls_shown()
            picture.draw_on_stage(whose, result, current.id, changed, rounds, merges)
        else:
            picture.draw(whose, result, current.id, changed, rounds)


def _result(poll: Poll, number: int, here: Room, rounds: Rounds) -> Result:
    """The class's answers to question `number`, and what they come to after a first round."""
    first = [answer for answer, _second in rounds if answer]
    return picture.result_of(poll, class_room.store().answers(*here), number, first)


def _revealed() -> Result:
    """What phones are shown now."""
    current = class_room.question()
    if current is None or not current.reveal:
        raise NotFoundError(_("The answers are no longer shown."), _("Reveal them, then save them."))
    return Result.from_json(current.reveal)


def reveal() -> None:
    """Show phones what is on the wall, again after a change; nothing while the question is open."""
    here, current, poll = class_room.room(), class_room.question(), class_room.poll()
    if here is not None and current is not None and poll is not None and current.state != "open":
        result = _result(poll, current.id, here, class_room.rounds())
        class_room.store().show(*here, result.to_json())


def votes() -> dict[str, int]:
    """How often each word was sent, the most frequent first; empty without a room or a question."""
    here, current = class_room.room(), class_room.question()
    if here is None or current is None:
        return {}
    return tally(class_room.store().answers(*here), picture.merged(current.id))


def sentences() -> list[list[str]]:
    """The class's sentences for either side, as they are shown, without those that were taken out."""
    try:
        current = class_room.question()
    except ExplorerError:  # the popover says what is wrong
        current = None
    if current is None or current.question.kind != "side" or not current.reveal:
        return [[], []]
    result = Result.from_json(current.reveal)
    return [[row.name for row in result.of_side(side)] for side in (0, 1)]


def ask_again() -> None:
    """Ask the question once more, after a minute of talk; the first answers are kept."""
    here, current = class_room.room(), class_room.question()
    if here is not None and current is not None and current.state != "open":
        picture.ask_again(current.id, class_room.store().ask_again(*here))


def draw_buttons(here: Room, state: str) -> None:
    """What can be done with the question in its state."""
    store, safely = class_room.store(), problem.keep_errors
    if state == "open":
        st.toggle(_("Tally"), key=TALLY)
        st.button(_("Close"), key="poll/close", on_click=safely(store.close), args=here)
        return
    if state == "closed":
        st.button(_("Take more answers"), key="poll/again", on_click=safely(store.reopen), args=here)
        st.button(_("Reveal"), key="poll/reveal", type="primary", on_click=safely(reveal))
    st.button(_("Ask again"), key="poll/ask-again", help=_(AGAIN), on_click=safely(ask_again))
    st.button(_("Put away"), key="poll/away", on_click=safely(class_room.put_away))
