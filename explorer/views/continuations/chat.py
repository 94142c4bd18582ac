"""A chat is a text: a conversation as the model reads it, and the answer that it writes.

Nothing of a conversation is stored or sent: it is in the visitor's session and address alone, and no cache
that visitors share holds it.
"""

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import streamlit as st

from explorer.locale import N_, _
from explorer.server.growing import current
from explorer.server.stream import Stream
from explorer.views import kit
from explorer.views.continuations.chat_text import (
    bubbles_and_text,
    candidates_of,
    conversation,
    end_mark,
    messages_of,
    notes,
    own_system,
    tokens_csv,
)
from explorer.views.continuations.examples import continuation
from explorer.views.continuations.second_model import choose_second
from explorer.views.continuations.settings import (
    MARKS,
    MODEL,
    SECOND_MODEL,
    SYSTEM,
    TURN_COUNT,
    TURNS,
    WITH_SYSTEM,
)
from explorer.views.continuations.shades import picture
from explorer.views.frame.lecture import stage
from explorer.views.types import Generation, LanguageModel, ScoredText
from explorer.views.widgets.growing_rows import GrowingRows, draw_rows
from explorer.views.widgets.visually_hidden import live_region

ANSWER = kit.Session["tuple[Any, Generation | None]"]("continuations/chat", (None, None))
SCORED = kit.Session[tuple[Any, Any]]("continuations/chat/scored", (None, None))
RUN = kit.Session[GrowingRows | None]("continuations/chat/run", None)
STREAM = kit.Session[Stream | None]("continuations/chat/stream", None)
LONGEST = 100  # tokens of an answer
CANDIDATES = 4


def controls(page: kit.OpenPage[None]) -> None:
    """Draw the switches, a box for each turn, and what can be done with the last one."""
    settings = page.settings
    settings.clamp(TURN_COUNT, 1, len(TURNS))
    with st.container(key="chat-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        kit.switch(settings, MARKS, _("Marks"), help=_("Off: the same words as plain text."))
        kit.switch(settings, WITH_SYSTEM, _("System text"))
        if not kit.presenting():
            choose_second(settings, SECOND_MODEL, "GENERATE", label_visibility="collapsed", width=230)
    if settings[WITH_SYSTEM]:
        _turn(settings, SYSTEM, _("System"), _("Who the assistant is"), own=own_system(page.model))
    turns = TURNS[: settings[TURN_COUNT]]
    for number, turn in enumerate(turns):
        if number % 2:
            _turn(settings, turn, _("Assistant"), _("The beginning of an answer"), lines=2)
        else:
            _turn(settings, turn, _("User"), _("Type a message"))
    with st.container(key="chat-turns", horizontal=True, gap="small"):
        _buttons(page, turns)


def _turn(
    settings: kit.Settings, turn: kit.Setting[str], role: str, placeholder: str, lines: int = 1, own: str = ""
) -> None:
    """Draw the box of a turn beside its role; `own` is what the chat template writes there by itself."""
    key = f"chat-turn-{turn}"
    with st.container(key=key, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(role, width=88)
        kit.text_box(settings, turn, role, placeholder, lines, own=own)


def _buttons(page: kit.OpenPage[None], turns: list[kit.Setting[str]]) -> None:
    """Draw what can be done with the last turn: begin its answer, reply to it, take it back."""
    settings, count, answered = page.settings, len(turns), len(turns) % 2 == 0

    def begin() -> None:
        settings.set(TURN_COUNT.to(count + 1))

    def reply() -> None:
        request, generation = ANSWER.get()
        asked = settings[MODEL], conversation(settings, page.model)
        if generation is None or generation.ending is None or request != asked:
            return  # the answer is not written yet
        turn = turns[-1] if answered else TURNS[count]
        settings.accept({turn: (settings[turn] if answered else "") + generation.continuation})
        settings.set(TURN_COUNT.to(count + 1 if answered else count + 2))

    def back() -> None:
        settings.set(turns[-1].to(""), TURN_COUNT.to(count - 1))

    full = count == len(TURNS)
    for label, key, clicked, disabled in (
        (_("Put words into its mouth"), "begin", begin, answered or full),
        (_("Keep the answer and reply"), "reply", reply, full),
        (_("Back"), "back", back, count == 1),
    ):
        st.button(label, key=f"continuations/{key}", on_click=clicked, disabled=disabled)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw the conversation as one text while its answer grows, then each token by its surprise."""
    settings, model = page.settings, page.model
    last = TURNS[settings[TURN_COUNT] - 1]
    if settings[TURN_COUNT] % 2 and not settings[last].strip():
        kit.instruction(
            _(
                "Type a message into the last box above, “User”. The model reads the conversation as one "
                "text and continues it."
            )
            if settings[TURN_COUNT] > 1
            else _(
                "Type a message into the box above. The model reads the conversation as one text and "
                "continues it."
            )
        )
        return []
    text = conversation(settings, model)
    blocked = kit.blocklist.over(settings[MODEL], *(settings[turn] for turn in TURNS), settings[SYSTEM])
    names = answerers(settings)
    answers = [_answer(name, text, number) for number, name in enumerate(names)]
    if any(answer.ending is None for answer in answers):
        run = current(RUN, (text, names), lambda: _writing((text, names), answers))
        if not draw_rows(run, "continuations.chat", STREAM):
            return _saves(lambda: text + answers[0].continuation)
        RUN.set(None)
    scored = _scored(model, text + answers[0].continuation + end_mark(answers[0]))
    if kit.on_stage() or stage.asks_oneself(settings):
        st.html(_bubbles_and_text(page, text, answers[0], blocked))
    else:
        _picture(page, scored, answers, blocked)
    for answer in answers:
        name = kit.memory.short_label(str(answer.model.checkpoint))
        live_region(
            f"{name}: {''.join(kit.blocklist.written(blocked, [answer.continuation], answer.prompt))}"
        )
    for line in notes(page, text, answers[0]):
        kit.note(line)
    tokens = kit.Export(N_("Tokens"), "chat.csv", lambda: tokens_csv(scored, answers[0], blocked))
    return [*_saves(lambda: scored.encoding.text), tokens]


def _saves(text: Callable[[], str]) -> kit.Saves:
    return [kit.Picture("picture", "chat"), kit.Export(N_("Text"), "chat.txt", text)]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same answer from Python: the conversation is a prompt like any other."""
    return kit.Example(
        continuation,
        model=kit.Load(page.settings[MODEL]),
        prompt=conversation(page.settings, page.model),
        temperature=0.0,
        top_k=None,
        top_p=None,
        seed=0,
        length=LONGEST,
    )


def answerers(settings: kit.Settings) -> list[str]:
    """The names of the models that answer: the page's, and on the desk the one beside it."""
    beside = settings[SECOND_MODEL] and not kit.on_stage() and not stage.asks_oneself(settings)
    return [settings[MODEL], *([settings[SECOND_MODEL]] if beside else [])]


def _answer(name: str, text: str, number: int) -> "Generation":
    """A model's answer to a conversation, begun; then kept for this session."""
    from explorer.analysis.generation.steps import Sampling, generate

    kept = ANSWER.at(number) if number else ANSWER
    request, generation = kept.get()
    if generation is None or request != (name, text):
        sampling = Sampling(greedy=True, max_new_tokens=LONGEST)
        generation = generate(kit.picker.load(name), text, sampling, CANDIDATES)
        kept.set(((name, text), generation))
    return generation


def _writing(request: tuple[str, list[str]], answers: "list[Generation]") -> GrowingRows:
    """The answers, written one after the other."""
    text, names = request
    blocked = [kit.blocklist.over(name, text) for name in names]

    def steps() -> Iterator[None]:
        for answer in answers:
            for _step in answer:
                yield

    def rows() -> list[Any]:
        begun = [(answer, each) for answer, each in zip(answers, blocked) if answer.steps]
        return [_growing(text, answer.continuation, each) for answer, each in begun]

    return GrowingRows(request, answers, steps(), rows)


def _scored(model: "LanguageModel", text: str) -> "ScoredText":
    """The surprisals of a conversation, in this session only: what others share would keep its text."""
    from explorer.analysis.prediction import surprisal

    request = str(model.checkpoint), text
    if SCORED.get()[0] != request:
        SCORED.set((request, surprisal.read(model, text)))
    scored: ScoredText = SCORED.get()[1]
    return scored


def _growing(text: str, answer: str, blocked: kit.blocklist.Blocklist) -> list[Any]:
    display_text = "".join(kit.blocklist.written(blocked, [answer], text))
    return ["div", {"class": "rb-prompt", "translate": "no", "tabindex": "0"}, text, ["b", {}, display_text]]


def _bubbles_and_text(
    page: kit.OpenPage[None], text: str, answer: "Generation", blocked: kit.blocklist.Blocklist
) -> str:
    messages = messages_of(page.settings, page.model)
    begun = messages.pop()[1] if messages[-1][0] == "assistant" else ""
    display_text = "".join(kit.blocklist.written(blocked, [answer.continuation], text))
    return bubbles_and_text(
        [*messages, ("assistant", begun + display_text)], text + display_text + end_mark(answer)
    )


def _picture(
    page: kit.OpenPage[None],
    scored: "ScoredText",
    answers: "list[Generation]",
    blocked: kit.blocklist.Blocklist,
) -> None:
    from explorer.analysis.prediction import surprisal

    bits = [word.bits for word in surprisal.of_words(scored)]
    line = {"name": kit.memory.short_label(page.settings[MODEL]), "values": bits}
    tips = candidates_of(scored, surprisal.pieces(scored), answers[0], blocked)
    kit.component("continuations/colour")(
        key="continuations.chat", data=picture(scored, "surprisal", blocked, [line], tips) | {"whole": True}
    )
    for answer in answers[1:]:
        label = escape(kit.memory.short_label(str(answer.model.checkpoint)))
        display_text = "".join(kit.blocklist.written(blocked, [answer.continuation], answer.prompt))
        st.html(
            f'<div class="rb-way"><div><b>{label}</b><small>{_("the same text, continued")}</small></div>'
            f'<div class="said" translate="no" tabindex="0">{escape(display_text)}</div></div>'
        )


VIEW = kit.View(
    text=kit.view_text("continuations", "chat"),
    settings=(MARKS, WITH_SYSTEM, SYSTEM, TURN_COUNT, *TURNS, SECOND_MODEL),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(covered=(".rb-chat pre",), panel='[class*="st-key-chat-turn-"]'),
)
