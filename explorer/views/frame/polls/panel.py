"""What the teacher sees of a poll: who has answered, Close and Reveal, and the class beside the model."""

from typing import Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.room import tally as tallies
from explorer.room.page import name
from explorer.room.store import CurrentQuestion
from explorer.room.tally import Tally
from explorer.views.frame import popovers
from explorer.views.frame.polls import asking, class_room
from explorer.views.frame.polls.asking import Polls
from explorer.views.frame.polls.class_room import Room
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.saving.saving import table
from explorer.views.frame.server import hosts
from explorer.views.look import blocklist
from explorer.views.widgets.numbers import short
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component
from explorer.views.widgets.token_strip import token_strip

EVERY_S = 1.0  # between two looks at an open question
ROWS = 10
TALLY = "/room/tally"  # whether the tally is shown while the question is open


def control(make_polls: Polls) -> None:
    """The popover of the class: its room, and the questions that it can be asked here."""
    here = class_room.room()
    with st.popover(
        f"Class {here.code}" if here else "Class",
        key=f"{asking.POPOVER}/{popovers.times_closed(asking.POPOVER)}",
        help="Ask the class, on its phones",
    ):
        if here is None:
            if not hosts.shared():
                st.markdown(class_room.SHARE)
            st.html('<p class="rb-point">Students join with a code, without a name or an account.</p>')
            st.button("Open a room", key="room/open", on_click=class_room.open_room)
            return
        _invitation(here)
        asking.draw(make_polls)
        polls = class_room.store().polls(*here)
        if polls:
            st.download_button(
                "All answers", lambda: polls_csv(here), f"class-{here.code}.csv", key="room/csv"
            )
        st.button("End the room", key="room/end", on_click=class_room.end_room)


def _invitation(here: Room) -> None:
    """The code, large, with the QR code and the address."""
    address = class_room.address(here.code)
    st.html(
        f'<div class="rb-room"><img class="rb-qr" alt="QR code" src="{class_room.qr_code(address)}">'
        f'<p class="rb-code">{here.code}</p><p class="rb-point">{quoted(address)}</p></div>'
    )


def draw() -> None:
    """The open question above the picture; nothing without one."""
    here, poll = class_room.room(), class_room.poll()
    if here is None or poll is None:
        return
    try:
        current = class_room.store().newest(here.code)
    except ExplorerError as error:
        st.text(str(error))
        return
    if current is None:
        return
    with st.container(key="poll", border=True):
        every = EVERY_S if current.state == "open" else None
        st.fragment(_panel, run_every=every)(here, poll)


def _panel(here: Room, poll: Poll) -> None:
    """The question with its answers so far; redrawn each second while it is open."""
    current = class_room.store().newest(here.code)
    if current is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="poll-line"):
        st.html(f'<p class="rb-question-asked">{quoted(current.question.text)}</p>')
        count = f"{current.count} answered" if current.count else "nobody has answered yet"
        st.html(
            f'<p class="rb-point rb-one-line">{count} · join with <b>{here.code}</b></p>', width="content"
        )
        _buttons(here, poll, current)
    if current.state == "shown" or (current.state == "open" and st.session_state.get(TALLY)):
        answers = class_room.store().answers(*here)
        _picture(current, poll if current.state == "shown" else Poll(poll.question), answers)


def _buttons(here: Room, poll: Poll, current: CurrentQuestion) -> None:
    """What can be done with the question in its state."""
    store = class_room.store()
    if current.state == "open":
        st.toggle("Tally", key=TALLY)
        if st.button("Close", key="poll/close"):
            class_room.close()
            st.rerun()
        return
    if current.state == "closed":
        if st.button("Open again", key="poll/again"):
            store.reopen(*here)
            st.rerun()
        if st.button("Reveal", key="poll/reveal", type="primary"):
            class_room.reveal()
            st.rerun()
    if st.button("Put away", key="poll/away"):
        class_room.put_away()
        st.rerun()


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
