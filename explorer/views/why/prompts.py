"""The two prompts of the page, their answers, and what of them is kept for all visitors."""

import streamlit as st

from explorer import analysis
from explorer.catalogue.ability import Ability
from explorer.errors import TextError
from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.types import Contrast, Encoding, LanguageModel
from explorer.views.why.settings import (
    ANSWER,
    CELL,
    FIRST,
    INSTEAD,
    MODEL,
    PART,
    PLACE,
    PROBABILITY,
    PUT,
    SECOND,
    STATE,
    SUBJECT,
)

SEEDS = 3  # of the noise
LIKELIEST = N_("the likeliest")  # an answer that nobody has typed
MOST_TOKENS = min(kit.LIVE_TOKENS, 24)  # of a prompt: a map of more is not read, and takes long
# What points into the prompts.
RESETS = [CELL.to(None), PLACE.to(-1), PART.to(None), STATE.to(None), PUT.to(None)]


def ask(settings: kit.Settings) -> None:
    """Draw the boxes of both prompts, one above the other, each with its answer."""
    _put_blanks(settings)
    with st.container(key="why-prompts", gap="xsmall"):
        _row(settings, FIRST, _("The first prompt"), (ANSWER, _("Its answer"), _(LIKELIEST)))
        _row(settings, SECOND, _("The second prompt"), (INSTEAD, _("Its answer instead"), _(LIKELIEST)))


def ask_for_noise(settings: kit.Settings) -> None:
    """Draw the boxes of a prompt with its answer, and of the word in it that is disturbed."""
    _put_blanks(settings)
    with st.container(key="why-prompts", gap="xsmall"):
        _row(settings, FIRST, _("The prompt"), (ANSWER, _("Its answer"), _(LIKELIEST)))
        kit.text_box(settings, SUBJECT, _("The word to disturb"), _("A word of the prompt to disturb"))


def ask_for_words(settings: kit.Settings) -> None:
    """Draw the boxes of a prompt with its answer, and of the answer that this one is compared with."""
    _put_blanks(settings)
    with st.container(key="why-prompts", gap="xsmall"):
        other = (INSTEAD, _("rather than"), _("rather than anything"))
        _row(settings, FIRST, _("The prompt"), (ANSWER, _("Its answer"), _(LIKELIEST)), other)


def ask_for_text(settings: kit.Settings, beside: bool = False) -> None:
    """Draw the box of a text alone, or with that of another one beside it."""
    _put_blanks(settings)
    with st.container(key="why-prompts"):
        places = st.columns(2, gap="small") if beside else [st.container()]
        for place, one, label in zip(
            places, (FIRST, SECOND), (_("The text"), _("The second text")), strict=False
        ):
            with place:
                kit.text_box(settings, one, label, _("Type a text"), resets=RESETS)


def _put_blanks(settings: kit.Settings) -> None:
    """End the opening prompts with a blank for a model that only fills blanks."""
    abilities = kit.picker.choices().get(settings[MODEL])
    if abilities and abilities & (Ability.FILL | Ability.GENERATE) == Ability.FILL:
        for one in (FIRST, SECOND):
            if settings[one] == one.default:
                settings.show_instead(one.to(f"{one.default} {kit.MASK}."))


def _row(
    settings: kit.Settings, prompt: kit.Setting[str], label: str, *answers: tuple[kit.Setting[str], str, str]
) -> None:
    """A prompt, and beside it each answer with its name and what its empty box says."""
    left, *others = st.columns([76, *[24] * len(answers)], gap="small", vertical_alignment="bottom")
    with left:
        kit.text_box(settings, prompt, label, _("Type a prompt"), resets=RESETS)
    for place, (answer, of, empty) in zip(others, answers, strict=True):
        place.text_input(
            of,
            key=settings.key(answer, of),
            placeholder=empty,
            max_chars=answer.most,
            label_visibility="collapsed",
        )


def notes(pair: "Contrast") -> None:
    """Say what was made of a typed answer."""
    if pair.notes:
        st.text(" ".join(translate(pair.notes)))


def line(pair: "Contrast") -> None:
    """For a class, both prompts with their answers, in place of the boxes."""
    if kit.for_class():
        runs = [(pair.first, 0), (pair.second, 1)]
        texts = (f"{kit.quoted(run.text)} → {kit.quoted(answer_word(pair, which))}" for run, which in runs)
        st.html(f'<p class="rb-about">{" · ".join(texts)}</p>')


def measure(settings: kit.Settings) -> None:
    """Draw the switch between the two measures."""
    kit.switch(
        settings,
        PROBABILITY,
        _("By probability"),
        help=_(
            "Compare how probable the first answer is. Off: the difference of the two answers’ logits, "
            "which also moves where a probability is close to 0 or 1."
        ),
    )


def measure_of(settings: kit.Settings) -> str:
    """The name of the chosen measure in `explorer.analysis.patching`."""
    return "probability" if settings[PROBABILITY] else "logits"


def surface(encoding: "Encoding", position: int) -> str:
    """A token as it stands in the text; one of the frame by its name."""
    return kit.visible(encoding.surface(position)) or encoding.tokens[position]


def answer_word(pair: "Contrast", which: int) -> str:
    """The answer after the first prompt (0) or the second, as dots if it is a slur that nobody has typed."""
    word = pair.words[0 if pair.noise is not None else which]
    covered = kit.blocklist.covers(kit.blocklist.over("", pair.first.text, pair.second.text), "", word)
    return kit.blocklist.DOTS if covered else kit.visible(word)


def contrast_of(model: "LanguageModel", settings: kit.Settings, measure: str = "") -> "Contrast":
    """The two prompts of the page. Raises TextError for what cannot be compared."""
    return contrast(model, **texts(settings), measure=measure or measure_of(settings))


def texts(settings: kit.Settings) -> dict[str, str]:
    """Both prompts and both answers as they are typed, by the names of `contrast`."""
    return {str(one): settings[one].strip() for one in (FIRST, SECOND, ANSWER, INSTEAD)}


def both(page: kit.OpenPage[None]) -> str:
    """Both prompts, which a class is asked about."""
    prompts = (page.settings[one].strip() for one in (FIRST, SECOND))
    return " ".join(one if kit.MASK in one else f"{one} …" for one in prompts)


# Of a picture that shows the prompts nowhere: a line of its own has them.
STAGE = kit.Stage(text=both, desk=".st-key-why-prompts")


@kit.kept(32)
def contrast(
    model: "LanguageModel", first: str, second: str, answer: str, instead: str, measure: str
) -> "Contrast":
    """Two prompts and their answers, read once for all visitors."""
    if not first or not second:
        raise TextError(_("A prompt is empty."), _("Type two prompts that differ in a word."))
    return analysis.patching.contrast(model, first, second, answer, instead, measure, limit=MOST_TOKENS)


@kit.kept(32)
def disturbed(model: "LanguageModel", text: str, subject: str, answer: str) -> "list[Contrast]":
    """A prompt with a part of it disturbed, once for each seed."""
    from explorer.analysis import patching

    return [patching.disturb(model, text, subject, answer, seed, limit=MOST_TOKENS) for seed in range(SEEDS)]
