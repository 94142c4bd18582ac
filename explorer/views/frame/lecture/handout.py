"""A lecture as one web page, for whoever has no Riverbank: `riverbank handout lecture.md -o lecture.html`.

Each stop is run as the app runs it, and recorded with its question. A stop that fails is named, and the
others are written.
"""

import logging
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from streamlit.testing.v1 import AppTest

from explorer.assets import LECTURES, ROOT
from explorer.errors import ExplorerError, NotFoundError, TextError
from explorer.files.writing import write_text
from explorer.locale import ENGLISH, N_, _, language, translate_lines, use
from explorer.room.page import GAPS
from explorer.room.questions import Question
from explorer.room.tally import key
from explorer.server import session_language
from explorer.server.growing import Growing
from explorer.views.frame import navigation
from explorer.views.frame.lecture import lecture, lecturing, stage
from explorer.views.frame.lecture.exercise import Exercise
from explorer.views.frame.lecture.lecture import Item
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.saving import saved_view, web_page
from explorer.views.frame.saving.recording import Recording
from explorer.views.look import theme
from explorer.views.widgets.numbers import whole_percent
from explorer.views.widgets.registry import style

SECONDS = 180  # that a stop may take
SLICE_S = 1.0
MOST_WORDS = 30  # of a model's answers
ASIDE = N_("If there is time, ")  # to the lecturer, at the end of a note
SCRIPT = "frame/lecture/handout.js"
OF_STREAMLIT = "streamlit.runtime.scriptrunner_utils.script_run_context"


@dataclass(frozen=True)
class Handout:
    """The page, how many stops are in it, and why others are not."""

    html: str
    stops: int
    problems: Sequence[str]


def handout(text: str, tell: Callable[[str], object] = lambda said: None) -> Handout:
    """The page of a lecture; `tell` is called with how far it is.

    Raises TextError for a text without a link to one of our pages.
    """
    items = lecture.read(text, navigation.titles())
    recording, sections, questions = Recording(theme.LIGHT), list[str](), list[Any]()
    contents, problems = list[str](), [item.problem for item in items if item.problem]
    title = next((item.text for item in items if item.heading), _("A lecture"))
    count = sum(item.stop for item in items)
    for item in items:
        name, number = escape(item.text), len(questions) + 1
        if item.stop:
            tell(f"Stop {number} of {count}")
            section, question, problem = _section(number, item, items, recording)
            contents.append(f'<li><a href="#stop-{number}">{number}. {name}</a></li>')
            sections.append(section)
            questions.append(question)
            problems += [problem] if problem else []
        elif item.heading and (sections or item.text != title):
            contents.append(f'<li class="chapter">{name}</li>')
            sections.append(f'<h2 class="chapter">{name}</h2>')
    if not recording.components:
        raise TextError(_("No stop of the lecture could be recorded."), problems[0])
    html = web_page.page(
        title,
        _body(title, contents, sections, questions),
        recording.components,
        f"{saved_view.styles()}\n{style('frame/lecture/handout.css')}",
        recording.frames,
        packed=len(recording.components),
        script=SCRIPT,
    )
    return Handout(html, len(questions), problems)


def _section(
    number: int, item: Item, items: Sequence[Item], recording: Recording
) -> tuple[str, dict[str, Any] | None, str]:
    """A stop as HTML, its question, and why it could not be recorded."""
    first, question, covers, problem = len(recording.components), None, "", ""
    try:
        recorded = record(item, items, number - 1)
        question = question_of(item, recorded.polls)
        inside = _inside(item, recorded.view, question, recording)
        if question and not item.at_once:
            covers = _attributes(recorded.stage)
    except ExplorerError as error:
        problem = _(
            "Stop {number}, “{name}”: {problem}", number=number, name=item.text, problem=error.message
        )
        failed = _("This stop could not be recorded.")
        inside = f'<p class="rb-how">{failed} {escape(error.message)}</p>'
        del recording.components[first:]
    name = f'<h2 id="title-{number}">{number}. {escape(item.text)}</h2>'
    data = web_page.pack(recording.components, first)
    section = f'<section class="stop" id="stop-{number}"{covers} aria-labelledby="title-{number}">'
    return f"{section}{name}\n{inside}\n{data}</section>", question, problem


def _attributes(of: stage.Stage) -> str:
    """What is covered until the question is answered, and what is without colours, as attributes."""
    # A recording holds the end of what the press that uncovers the picture would begin.
    begins = of.start is not stage.STAGE.start
    covers = stage.WHOLE if begins else ", ".join(filter(None, [*of.covered, of.desk]))
    return f' data-covers="{escape(covers, quote=True)}" data-plain="{escape(of.plain, quote=True)}"'


def record(item: Item, items: Sequence[Item], number: int) -> saved_view.Recorded:
    """A stop, run as the app runs it. Raises ExplorerError if it fails."""
    logging.getLogger(OF_STREAMLIT).disabled = True  # each stop would be told that there is no server
    at = AppTest.from_file(str(ROOT / "pages" / f"{item.page}.py"), default_timeout=SECONDS)
    for name, value in (item.link or {}).items():
        at.query_params[name] = value
    if language() != ENGLISH:
        at.query_params[session_language.PARAMETER] = language()
    at.session_state[lecturing.LECTURE] = items
    at.session_state[lecturing.AT] = number
    at.session_state[stage.RECORDING] = True
    until, started = monotonic() + SECONDS, False
    while True:
        try:
            at.run()
        except RuntimeError as error:  # it takes too long
            raise TextError(str(error), "") from error
        if at.exception:
            raise TextError(at.exception[0].message, "")
        if saved_view.RECORDED not in at.session_state:
            raise TextError(" ".join(text.value for text in at.text) or _("Its picture was not drawn."), "")
        recorded: saved_view.Recorded = at.session_state[saved_view.RECORDED]
        going = [value for value in at.session_state.values() if _went_on(value, until)]
        if not going and (started or recorded.stage.start is stage.STAGE.start):
            return recorded
        started = True  # what it started may have changed the page's settings alone


def _went_on(value: Any, until: float) -> bool:
    """Take what a page computes in slices to its end; whether it was not there yet."""
    if isinstance(value, dict):
        return bool([each for each in value.values() if _went_on(each, until)])
    if isinstance(value, Growing):
        before = value.finished
        while not value.finished and monotonic() < until:
            value.extend(SLICE_S)
        return not before and monotonic() < until
    if not getattr(value, "going", False) or monotonic() > until:
        return False
    if not hasattr(value, "grow"):
        sleep(SLICE_S)  # a training, in a process of its own
        return True
    while value.going and monotonic() < until:
        value.grow(SLICE_S)
    return True


def question_of(item: Item, polls: Sequence[Poll]) -> dict[str, Any] | None:
    """What is asked at a stop, and what is said of an answer, as the page's script reads it."""
    if (exercise := item.exercise) is not None:
        return _of_exercise(exercise, polls)
    if item.poll is None or not polls:
        return {"kind": "none", "text": item.question} if item.question else None
    poll = polls[0]
    question, shares = poll.question, dict(list(poll.model.items())[:MOST_WORDS])
    right = poll.truth or next(iter(poll.model), "")
    names = {str(at): name for at, name in enumerate(question.choices)} if question.kind == "token" else {}
    says = ""
    if right and not poll.taste:
        answer = names.get(right, right)
        if poll.truth:
            says = _("The answer is “{answer}”.", answer=answer)
        elif question.kind == "number":
            says = _("{who} says “{answer}”.", who=poll.who, answer=answer)
        else:
            share = whole_percent(shares[right])
            says = _("{who} says “{answer}” ({share}).", who=poll.who, answer=answer, share=share)
    return {
        "kind": question.kind,
        "text": question.text,
        "context": question.context,
        "choices": list(question.choices),
        "whole": question.whole,
        "low": question.low,
        "high": question.high,
        "right": "" if poll.taste else _place(question, right),
        "says": says,
        "known": bool(poll.truth) and question.kind != "number",
        "by": _("What {who} finds likeliest counts as right.", who=poll.who)
        if right and not poll.truth and not poll.taste
        else "",
        "who": poll.who,
        "shares": {key(names.get(name, name)): share for name, share in shares.items()},
    }


def _place(question: Question, right: str) -> int | str:
    """The right answer as the page compares it: the place of a choice, or else a word without its case."""
    if question.kind == "token":
        return int(right) if right else ""
    if question.kind == "choice":
        return next((at for at, name in enumerate(question.choices) if key(name) == key(right)), "")
    return key(right)


def _of_exercise(exercise: Exercise, polls: Sequence[Poll]) -> dict[str, Any]:
    verdicts = [exercise.judge(place, polls) for place in range(len(exercise.choices))]
    right = next((at for at, verdict in enumerate(verdicts) if verdict and verdict[0]), None)
    return {
        "kind": "choice",
        "text": exercise.question,
        "context": "",
        "choices": [choice.text for choice in exercise.choices],
        "right": "" if right is None else right,
        "says": "",
        "reasons": [verdict[1] if verdict else "" for verdict in verdicts],
        "shares": {},
        "who": "",
    }


def _inside(
    item: Item, view: saved_view.SavedView, question: dict[str, Any] | None, recording: Recording
) -> str:
    notes = [note.partition(":") for note in item.notes]
    said = [text.strip() for kind, _colon, text in notes if kind.lower() == "say"]
    seen = [text.partition(_(ASIDE))[0].strip() for kind, _colon, text in notes if kind.lower() == "see"]
    picture, reading = view.picture(recording), recording.html(view.elements, "how to read")
    what = "".join(f'<p class="rb-how"><b>{_("What you see:")}</b> {escape(text)}</p>' for text in seen)
    return "\n".join(
        [
            *(f'<p class="rb-how said">{escape(text)}</p>' for text in said),
            _asked(question) if question else "",
            f'<div class="picture">{picture}</div>',
            f'<div class="seen">{what}{reading}{view.table()}</div>',
            view.origin(),
        ]
    )


def _asked(question: dict[str, Any]) -> str:
    kind, text = question["kind"], escape(question["text"])
    context = escape(GAPS.sub("____", question.get("context", "")))
    about = f'<p class="about" dir="auto" translate="no">{context}</p>' if context else ""
    if kind in ("choice", "token"):
        answers = "".join(
            f'<button type="button" class="choice" aria-pressed="false">{escape(name)}</button>'
            for name in question["choices"]
        )
    elif kind == "none":
        answers = ""
    else:
        look = 'type="text" inputmode="decimal"' if kind == "number" else 'type="text"'
        answers = (
            f'<input {look} maxlength="80" aria-label="{_("Your answer")}" autocomplete="off">'
            f'<button type="submit">{_("Answer")}</button>'
        )
    by = f'<p class="about">{escape(by)}</p>' if (by := question.get("by")) else ""
    show = f'<button type="button" class="show">{_("Show the picture")}</button>'
    boxes = f'<legend>{text}</legend>{about}{by}<div class="answers">{answers}{show}</div>'
    return f'<form class="question"><fieldset>{boxes}</fieldset><p class="judged" role="status"></p></form>'


def _body(
    title: str, contents: Sequence[str], sections: Sequence[str], questions: Sequence[dict[str, Any] | None]
) -> str:
    about = _(
        "Each stop asks you about a picture, and then shows it. The pictures are of language models that "
        "really ran; they were recorded with Riverbank, a program in which one explores such models."
    )
    keys = _("Keys: → and ← go from stop to stop, S shows the picture, C opens the contents.")
    passed, list_name = _("Stops that you have passed"), _("Contents")
    return (
        f'<header id="bar"><progress max="1" value="0" aria-label="{passed}"></progress>'
        f'<button type="button" id="contents" aria-expanded="false" aria-controls="list">{list_name}</button>'
        f'<span class="where" role="status"></span><button type="button" id="print">{_("Print")}</button>'
        f"{saved_view.scheme()}</header>\n"
        f'<nav id="list" aria-label="{list_name}" hidden><ol>{"".join(contents)}</ol></nav>\n'
        f'<main class="saved handout"><h1>{escape(title)}</h1><p class="rb-how">{about}</p>'
        f'<p class="quiet keys">{keys}</p>\n'
        f"{''.join(sections)}\n"
        f'<section id="sheet" aria-labelledby="sheet-title"><h2 id="sheet-title">{_("Your answers")}</h2>'
        '<p class="count"></p><ul></ul></section></main>\n'
        f'<script type="application/json" id="questions">{web_page.data_text(list(questions))}</script>'
    )


def text_of(name: str) -> str:
    """The text of a lecture: a file's, or that of one that ships, by its name. Raises ExplorerError."""
    path = Path(name).expanduser()
    shipped = LECTURES / f"{path.stem}.md"
    if not path.is_file():
        if path.name not in (shipped.stem, shipped.name) or not shipped.is_file():
            ready = ", ".join(sorted(one.stem for one in LECTURES.glob("*.md")))
            raise NotFoundError(f"There is no file {name}.", f"Give a Markdown file, or one of: {ready}.")
        path = shipped
    try:
        text = path.read_text(encoding="utf-8")
        return translate_lines(text) if path == shipped else text
    except (OSError, UnicodeError) as error:
        raise TextError(f"{name} cannot be read as text.", "A lecture is a Markdown file.") from error


def main(name: str, output: Path | None, language: str = ENGLISH) -> None:
    """Write the page of a lecture, by default as its name.html, and end the process. Raises ExplorerError."""
    use(language)
    output = output or Path(f"{Path(name).stem}.html")
    if not output.parent.is_dir():
        raise NotFoundError(f"There is no folder {output.parent}.", "Make it, or give another one after -o.")
    if output.exists() and not output.is_file():
        raise TextError(f"{output} is a folder or a device.", "Give the name of a file after -o.")
    try:
        written = handout(text_of(name), partial(print, flush=True))
        write_text(output, written.html)
    except OSError as error:
        sys.exit(f"{output} cannot be written: {error.strerror}.")
    print(f"{output}: {written.stops} stops, {len(written.html.encode()) / 1e6:.1f} MB", flush=True)
    if written.problems:
        print("\n".join(written.problems), file=sys.stderr, flush=True)
    os._exit(bool(written.problems))  # what still reads in the background is not waited for
