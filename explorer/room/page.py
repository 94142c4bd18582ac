"""The phone's page: one document with its style and script, and a plain form without the script."""

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from zlib import crc32

from explorer.locale import RIGHT_TO_LEFT, _, format_number, language, ngettext
from explorer.room import result_html
from explorer.room.questions import LONGEST, Question
from explorer.room.result import number_name
from explorer.room.store import CurrentQuestion

REFRESH_S = 6
GAPS = re.compile(r"_{2,}|\[MASK\]")  # where a word is left out
GAP = '<span class="gap"></span>'


@dataclass(frozen=True)
class View:
    """What one phone sees of a room; `key` changes when its question, or what may be done with it, does.

    `refresh` says after how many seconds the page loads itself again without a script, never for 0: not while
    somebody writes. Without a `key` it does so with one too.
    """

    key: str
    html: str
    count: str
    refresh: int = 0

    def event(self) -> dict[str, Any]:
        """The view as the script takes it."""
        return {"key": self.key, "html": self.html, "count": self.count}


def view(current: CurrentQuestion | None, own: str, first: str = "") -> View:
    """What a phone sees: the question with its own answer, or the class's answers once they are shown.

    `first` is its answer to the first round of a question that is asked again.
    """
    if current is None:
        return View(
            "0", f"<h1>{_('You are in.')}</h1><p>{_('Wait for the first question.')}</p>", "", REFRESH_S
        )
    question = current.question
    head = f'<h1 dir="auto">{escape(question.text)}</h1>'
    if question.context and question.kind != "token":
        head += f'<p class="context" dir="auto">{GAPS.sub(GAP, escape(question.context))}</p>'
    count = count_of(current)
    key = key_of(current)
    answer = f"<b>{escape(name(question, own or first))}</b>"
    answered = f"<p>{_('You answered: {answer}', answer=answer) if own else _('You did not answer.')}</p>"
    if current.state == "shown":
        picture = result_html.draw(question, current.reveal, own)
        return View(key, f"{head}{answered}{picture}", count, REFRESH_S)
    if current.state == "closed":
        return View(key, f"{head}{answered}<p>{_('The question is closed. Look up.')}</p>", count, REFRESH_S)
    form = f'<form method="post" action=""><input type="hidden" name="question" value="{current.id}">'
    status = (
        f"<p>{_('Sent: {answer}', answer=answer)}</p><p>{_('You can change it until it closes.')}</p>"
        if own
        else f"<p>{_('Your first answer: {answer}', answer=answer)}</p>"
        f"<p>{_('Send it again, or another.')}</p>"
        if first
        else ""
    )
    return View(
        key,
        f"{head}{form}{_field(question, own, first)}</form><div role='status'>{status}</div>",
        count,
        REFRESH_S if own else 0,
    )


def key_of(current: CurrentQuestion | None) -> str:
    """What changes with a question, its state and what is shown of its answers."""
    return "0" if current is None else f"{current.id}/{current.state}/{crc32(current.reveal.encode())}"


def count_of(current: CurrentQuestion | None) -> str:
    """How many have answered, as a sentence."""
    if current is None:
        return ""
    if not current.count:
        return _("Nobody has answered yet.")
    return ngettext("{count} answered.", "{count} answered.", current.count)


def name(question: Question, answer: str) -> str:
    """An answer as people read it: the word of a choice, not its number."""
    if answer and question.kind == "side":
        return f"{question.choices[int(answer[0])]}: {answer[2:]}"
    if answer and question.kind in ("choice", "token"):
        return question.choices[int(answer)]
    return number_name(question, float(answer)) if answer and question.kind == "number" else answer


def _field(question: Question, own: str, first: str) -> str:
    """What is tapped or written; in a box the `first` answer of one that is asked again."""
    if question.kind in ("choice", "token"):
        look = "choice" if question.kind == "choice" else "word"
        return "".join(
            f'<button class="{look}" name="answer" value="{number}" dir="auto" '
            f'aria-pressed="{"true" if str(number) == own else "false"}">{escape(choice)}</button>'
            for number, choice in enumerate(question.choices)
        )
    says, text, send = _("Your answer"), own or first, f'<button class="send">{_("Send")}</button>'
    if question.kind == "number":
        bounds = {"low": format_number(question.low), "high": format_number(question.high)}
        says = (
            _("A whole number from {low} to {high}", **bounds)
            if question.whole
            else _("A number from {low} to {high}", **bounds)
        )
    if question.kind == "side":
        says, text = _("Your sentence. Then tap where it belongs."), text[2:]
        send = "<button hidden disabled></button>" + "".join(  # the first one is pressed by Enter
            f'<button class="send" name="side" value="{side}" dir="auto">{escape(choice)}</button>'
            for side, choice in enumerate(question.choices)
        )
    mode = f' inputmode="{"numeric" if question.whole else "decimal"}"' if question.kind == "number" else ""
    return (
        f'<label for="answer">{says}</label><input type="text" id="answer" name="answer" dir="auto" '
        f'maxlength="{LONGEST}" value="{escape(text, quote=True)}" autocomplete="off" '
        f'autocapitalize="off"{mode} required>{send}'
    )


FIELD = re.compile(r"\{(language|direction|title|refresh|nonce|yours|room|key|body|count|problem|offline)\}")


def document(body: View | None, nonce: str, room: str = "", problem: str = "") -> str:
    """The whole page; without a `body` the form for a code."""
    part = body or View("", _join(), "")
    fields = {
        "language": language(),
        "direction": "rtl" if language() in RIGHT_TO_LEFT else "ltr",
        "title": _("Riverbank: the class answers"),
        "yours": _("(yours)"),
        "offline": _("No connection. Your answer is kept, and sent again by itself."),
        "refresh": _refresh(part),
        "nonce": nonce,
        "room": escape(room),
        "key": escape(part.key, quote=True),
        "body": part.html,
        "count": escape(part.count),
        "problem": escape(problem),
    }
    return FIELD.sub(lambda match: fields[match[1]], _template())


def _join() -> str:
    """The form for a code."""
    return (
        f'<h1>{_("Join the class")}</h1><form method="get" action=""><label for="code">'
        f'{_("The code on the screen")}</label><input type="text" id="code" name="code" maxlength="8" '
        'autocomplete="off" autocapitalize="characters" autofocus required>'
        f'<button class="send">{_("Join")}</button></form>'
    )


def _refresh(part: View) -> str:
    """The element that loads the page again."""
    element = f'<meta http-equiv="refresh" content="{part.refresh}">'
    return "" if not part.refresh else f"<noscript>{element}</noscript>" if part.key else element


@cache
def _template() -> str:
    return Path(__file__).with_name("page.html").read_text(encoding="utf-8")
