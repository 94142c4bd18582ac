"""What the teacher sees of a poll: who has answered, Close and Reveal, and the class beside the model."""

from typing import Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.room import tally as tallies
from explorer.room.page import key_of, name
from explorer.room.store import CurrentQuestion
from explorer.room.tally import Tally
from explorer.views.frame import popovers, presenter
from explorer.views.frame.polls import asking, class_room
from explorer.views.frame.polls.asking import Polls
from explorer.views.frame.polls.class_room import Room
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.saving.saving import table
from explorer.views.look import blocklist
from explorer.views.widgets.numbers import short
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component
from explorer.views.widgets.token_strip import token_strip
from explorer.views.widgets.visually_hidden import hidden_label

EVERY_S = 1.0  # between two looks at an open question
ROWS = 10
TALLY = "/room/tally"  # whether the tally is shown while the question is open
IN_A_ROOM = ".st-key-header-polls button { border-color: var(--rb-accent); color: var(--rb-accent); }"


def control(make_polls: Polls) -> None:
    """The popover of the class: its room, and a question made from the view on screen."""
    problem = ""
    try:
        here = class_room.room()
    except ExplorerError as error:
        here, problem = None, str(error)
    name = f"Class {here.code}" if here else "Class: ask it, on its phones"
    presents = presenter.presenting()
    with st.popover(
        here.code if here and presents else hidden_label(name),
        icon=":material/groups:",
        key=f"{asking.POPOVER}/{popovers.times_closed(asking.POPOVER)}",
        help=name,
    ):
        if problem:
            st.text(problem)
        if here is None:
            _opening()
        else:
            _open_room(here, make_polls)
    if here is not None:
        st.html(f"<style>{IN_A_ROOM}</style>")
    if here is not None and presents:
        st.html(f'<div class="rb-join-screen">{_invitation(here)}</div>')


def _opening() -> None:
    """What a teacher reads before there is a room."""
    if not class_room.address():
        st.markdown(class_room.no_address())
    st.html(
        '<p class="rb-point">Students answer on their phones: they join with a code, without a name or an '
        "account.</p>"
    )
    st.button("Open a room", key="room/open", type="primary", on_click=class_room.open_room)


def _open_room(here: Room, make_polls: Polls) -> None:
    """How to join, what can be asked, what was answered, and the end."""
    st.html(_invitation(here))
    if not class_room.address():
        st.markdown(class_room.no_address())
    asking.draw(make_polls)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        if class_room.store().newest(here.code) is not None:
            st.download_button(
                "All answers",
                lambda: polls_csv(here),
                f"class-{here.code}.csv",
                key="room/csv",
                on_click="ignore",
            )
        st.button(
            "End the room",
            key="room/end",
            type="tertiary",
            help="Deletes the room with all its answers",
            on_click=class_room.end_room,
        )
    if link := class_room.address():
        _for_the_teacher(f"{link}/", f"{link}/notes", f"{class_room.LINK}{class_room.DOT.join(here)}")


def _for_the_teacher(first: str, notes: str, secret: str) -> None:
    """The links that hold the room's secret, out of sight until they are asked for."""
    with st.expander("For you alone: another computer, notes on your phone"):
        st.html(
            '<p class="rb-point">Show this to nobody: whoever has the secret is the teacher. The first link '
            "takes the room over on another computer, or in this one after a crash; with the code your own "
            "phone follows the lecture’s notes.</p>"
        )
        st.code(f"{first}{secret}", language=None, wrap_lines=True)
        st.html(f'<img class="rb-qr" alt="QR code of the notes" src="{class_room.qr_code(notes + secret)}">')


def _invitation(here: Room) -> str:
    """The code, large, with the QR code and the address where phones can reach it, as HTML."""
    address = class_room.address()
    code = f'<p class="rb-code" translate="no">{here.code}</p>'
    if not address:
        return f'<div class="rb-room"><div>{code}</div></div>'
    picture = class_room.qr_code(f"{address}/join/{here.code}")
    short = quoted(f"{address.removeprefix('http://')}/join")
    return (
        f'<div class="rb-room"><img class="rb-qr" alt="QR code of the address" src="{picture}">'
        f'<div><p class="rb-join">Scan it, or open <b>{short}</b> and type</p>{code}</div></div>'
    )


def draw() -> None:
    """The newest question above the picture; nothing without one, and once it is put away."""
    try:
        current = class_room.question()
    except ExplorerError as error:
        st.text(str(error))
        return
    if current is not None:
        with st.container(key="poll", border=True):
            every = EVERY_S if current.state == "open" else None
            st.fragment(_panel, run_every=every)(key_of(current))


def _panel(key: str) -> None:
    """The question with its answers so far; redrawn each second while it is open.

    `key` is what the page was drawn with: the page follows what this or another teacher does.
    """
    here, current, poll = class_room.room(), class_room.question(), class_room.poll()
    if here is None or current is None or poll is None or key_of(current) != key:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key="poll-line"):
        question = quoted(current.question.text)
        st.html(f'<p class="rb-question-asked" data-key="{key}">{question}</p>')
        count = f"{current.count} answered" if current.count else "nobody has answered yet"
        st.html(f'<p class="rb-answered">{count} · join with <b>{here.code}</b></p>', width="content")
        _buttons(current.state)
    if current.state == "shown" or (current.state == "open" and st.session_state.get(TALLY)):
        answers = class_room.store().answers(*here)
        _picture(current, poll if current.state == "shown" else Poll(poll.question), answers)


def _buttons(state: str) -> None:
    """What can be done with the question in its state."""
    if state == "open":
        st.toggle("Tally", key=TALLY)
        st.button("Close", key="poll/close", on_click=class_room.close)
        return
    if state == "closed":
        st.button("Open again", key="poll/again", on_click=class_room.reopen)
        st.button("Reveal", key="poll/reveal", type="primary", on_click=class_room.reveal)
    st.button("Put away", key="poll/away", on_click=class_room.put_away)


def _picture(current: CurrentQuestion, poll: Poll, answers: list[str]) -> None:
    """The class's answers, beside the model's where it has any."""
    question = current.question
    class_tally = tallies.tally(name(question, answer) for answer in answers)
    if question.kind == "token":
        votes = tallies.tally(answers).counts
        most = max(votes.values(), default=1)
        token_strip(
            [_voted(word, votes.get(str(i), 0), most) for i, word in enumerate(question.choices)],
            "poll/words",
            "Votes",
        )
    component("widgets/before_after")(key="poll/bars", data=picture(class_tally, poll))
    if says := in_words(class_tally, poll):
        st.html(f'<p class="rb-how">{says}</p>')


def _voted(word: str, votes: int, most: int) -> dict[str, Any]:
    """A word of the sentence, underlined by how often it was tapped."""
    share = votes / most
    mark = "solid" if share > 0.5 else "dashed" if share > 0.2 else "dotted" if votes else ""
    return {"text": word, "title": f"{votes} votes", "mark": mark, "selected": votes == most and votes > 0}


def picture(class_tally: Tally, poll: Poll) -> dict[str, Any]:
    """Two distributions over the same words: the class at the left, the model at the right."""
    shares, blocked = (
        class_tally.shares() if class_tally.count else {},
        blocklist.over("", poll.question.context),
    )
    model = {tallies.key(word): (word, share) for word, share in poll.model.items()}
    words = {tallies.key(word): word for word in shares} | {key: word for key, (word, _) in model.items()}
    by_class = {tallies.key(word): (share, class_tally.counts[word]) for word, share in shares.items()}
    order = sorted(words, key=lambda key: (-by_class.get(key, (0, 0))[0], -model.get(key, ("", 0))[1]))[:ROWS]
    rows = []
    for key in order:
        (share, count), probability = by_class.get(key, (0.0, 0)), model.get(key, ("", 0.0))[1]
        covered = blocklist.covers(blocked, "", words[key])
        rows.append(
            {
                "token": blocklist.DOTS if covered else words[key],
                "before": share,
                "after": probability,
                "before_text": str(count),
                "after_text": short(probability) if poll.model else "",
                "change": "",
                "direction": "",
                "state": "wanted" if poll.truth and key == tallies.key(poll.truth) else "",
                "tip": f"{count} of {class_tally.count}"
                + (f", {poll.who} {probability:.4f}" if poll.model else ""),
            }
        )
    label = f"The class, {class_tally.count} answers, beside {poll.who}"
    return {
        "label": label,
        "before": "the class",
        "after": poll.who if poll.model else "",
        "scale": 1,
        "rows": rows,
    }


def in_words(class_tally: Tally, poll: Poll) -> str:
    """How far the class and the model are from each other, and what each pays for the true word, as HTML."""
    if not poll.model or not class_tally.count:
        return ""
    says = [f"The two have {tallies.overlap(class_tally.shares(), poll.model):.0%} in common."]
    if poll.truth:
        paid = tallies.bits(class_tally, poll.truth)
        says.append(f"For {quoted(f'“{poll.truth}”')} the class pays {paid:.1f} bits.")
    return " ".join(says)


def polls_csv(here: Room) -> str:
    """All questions of the room and how often each answer was given."""
    rows = [
        [number, question.text, question.context, answer, count]
        for number, (question, answers) in enumerate(class_room.store().polls(*here), 1)
        for answer, count in tallies.tally(name(question, answer) for answer in answers).counts.items()
    ]
    return table(["question", "text", "sentence", "answer", "count"], rows)
