"""Predict: the words that a model expects in each blank, beside a pinned sentence or a second reader."""

from functools import partial

import streamlit as st

from explorer import analysis
from explorer.assets import CHINESE
from explorer.catalogue.ability import Ability
from explorer.locale import _, in_this_language
from explorer.views import kit
from explorer.views.masked import blanks, candidates, second_reader
from explorer.views.masked.blank_bars import beside_the_pinned, every_blank, pinned_sentence
from explorer.views.masked.blanks import Sentence
from explorer.views.masked.candidates import PROBED
from explorer.views.masked.sentence import PageText, invite, listed, strip, text_line, tokens_of, what_was_cut
from explorer.views.masked.settings import BESIDE, PINNED, PINNED_BLANK, PROBE, TEXT, K
from explorer.views.types import Model

COUNTS = (5, 10, 20, 50, 100)

VIEW_TEXT = kit.view_text("masked", "predict")


def controls(page: kit.OpenPage[PageText]) -> None:
    """Draw the sentence and a row: how many candidates, words to look up, Pin, Restore, the second reader."""
    strip(page)
    settings, sentence = page.settings, page.data.sentence
    settings.nearest(K, COUNTS)
    with st.container(key="masked-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        st.segmented_control(
            _("How many candidates"),
            COUNTS,
            key=settings.key(K, _("How many candidates")),
            required=True,
            format_func=in_this_language(
                lambda count: _("Top {count}", count=count) if count == COUNTS[0] else str(count)
            ),
            label_visibility="collapsed",
        )
        with st.container(key="masked-probe", width="stretch"):
            kit.text_box(settings, PROBE, _("Words to look up in the blank"), _("Look up: clinic, zoo"))
        _pin(settings, sentence)
        st.button(
            _("Restore the words"),
            key="masked/restore",
            disabled=not any(sentence.hidden),
            on_click=lambda: settings.update(blanks.restore(sentence)),
            help=_("Restore every word that you hid by a press"),
        )
        second_reader.offer(page)


def draw(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw the bars of each blank, or of one beside the pinned sentence or the second reader."""
    sentence = page.data.sentence
    what_was_cut(sentence)
    if not sentence.numbers:
        invite(sentence)
        return []
    if page.settings[PINNED]:
        return beside_the_pinned(page)
    if second_reader.is_beside(page):
        return second_reader.draw(page)
    return every_blank(page)


def now(page: kit.OpenPage[PageText]) -> str:
    """The first guess of the opening sentence and the one here, for a model that sees both sides."""
    model, sentence = page.model, page.data.sentence
    reads_both_sides = Ability.FILL in model.abilities
    if not (reads_both_sides and sentence.numbers) or page.settings[PINNED] or second_reader.is_beside(page):
        return ""
    if str(model.checkpoint) == CHINESE:  # the opening sentence is an English one
        return ""
    opening, probability = first_guess(model, TEXT.default, 0)
    word, here = first_guess(model, sentence.read, sentence.blank)
    was = _(
        "In the opening sentence the first guess was “{word}”, {probability}.",
        word=kit.quoted(opening),
        probability=kit.in_words(probability),
    )
    fields = {"word": kit.quoted(word), "probability": kit.in_words(here), "other": kit.quoted(opening)}
    if word == opening:
        return f"{was} {_('It is still the first, now {probability}.', **fields)}"
    left = candidates.look_up(model, sentence.read, opening, sentence.blank).probability
    if left is None:
        is_now = _("Now it is “{word}”, {probability}.", **fields)
    else:
        share = kit.in_words(left)
        is_now = _("Now it is “{word}”, {probability}, and “{other}” has {share}.", share=share, **fields)
    return f"{was} {is_now}"


def asks(page: kit.OpenPage[PageText]) -> list[kit.Poll]:
    """Which word fills the chosen blank, and how probable each word is that is looked up there."""
    settings, model, sentence = page.settings, page.model, page.data.sentence
    if not sentence.numbers:
        return []
    at, text = sentence.blank, sentence.read.replace(blanks.MASK, kit.GAP)
    several, number = len(sentence.numbers) > 1, at + 1
    blank = partial(candidates.for_blank, model, settings, sentence.read, at, sentence.hidden[at])

    def probability(word: str) -> dict[str, float]:
        values = [probe.probability for probe in blank().probes if probe.word == word]
        return {f"{value:.4g}": 1.0 for value in values if value is not None}

    guesses = kit.Later(lambda: {one.token: one.probability for one in blank().candidates})
    asked = (
        _("Which word fills blank {number}?", number=number) if several else _("Which word fills the blank?")
    )
    polls = [kit.Poll(kit.Question("word", asked, text), guesses, sentence.hidden[at])]
    for word in listed(settings[PROBE], PROBED):
        asked = (
            _("How probable is “{word}” in blank {number}?", word=word, number=number)
            if several
            else _("How probable is “{word}” in the blank?", word=word)
        )
        polls.append(kit.Poll(kit.Question("number", asked, text), kit.Later(partial(probability, word))))
    return polls


def first_guess(model: "Model", text: str, blank: int) -> tuple[str, float]:
    """The most probable word in one blank of a text and its probability; dots for a blocked word."""
    best, *_ = analysis.prediction.top(model, candidates.expected(model, text), blank, 1)
    blocked = kit.blocklist.over(str(model.checkpoint), text)
    before, after = blanks.around(text, blank)
    hidden = kit.blocklist.covers(blocked, before, best.token, after)
    return kit.blocklist.DOTS if hidden else best.token, best.probability


def reading(page: kit.OpenPage[PageText]) -> kit.Reading:
    """How to read the bars."""
    if second_reader.is_beside(page):
        return VIEW_TEXT.readings["beside"].filled(writer=kit.memory.short_label(kit.WRITER))
    if page.settings[PINNED]:
        return VIEW_TEXT.readings["pinned"]
    return VIEW_TEXT.reading if Ability.FILL in page.model.abilities else VIEW_TEXT.readings["left-to-right"]


def example(page: kit.OpenPage[PageText]) -> kit.Example:
    """The same numbers from Python."""
    settings, sentence = page.settings, page.data.sentence
    model, words = kit.Load(str(page.model.checkpoint)), listed(settings[PROBE], PROBED)
    if not sentence.numbers:
        return tokens_of(page)
    now, questions = (model, sentence.read, sentence.blank), []
    if settings[PINNED]:
        earlier = pinned_sentence(page)
        questions = [(model, earlier.read, earlier.blank), now]
    elif second_reader.is_beside(page):
        questions = [(kit.Load(kit.WRITER), sentence.read, sentence.blank), now]
    if questions:
        return kit.Example(side_by_side, questions=questions, top=settings[K], look_up=words)
    return kit.Example(
        in_every_blank, model=model, text=sentence.read, top=settings[K], look_up=words, blank=sentence.blank
    )


def in_every_blank(
    model: "Model", text: str, top: int, look_up: list[str], blank: int
) -> tuple[list[list[tuple[str, float]]], list[tuple[str, float | None, int | None]]]:
    """The most probable words for every [MASK] of a text, and some words looked up in one of them.

    `blank` is the number of that one; 0 is the first.
    """
    from explorer.analysis import prediction

    predictions = prediction.blanks(model, text)
    probes = [prediction.probe(model, predictions, word, blank) for word in look_up]
    return prediction.fill_mask(model, text, top), [(p.word, p.probability, p.rank) for p in probes]


def side_by_side(
    questions: "list[tuple[Model, str, int]]", top: int, look_up: list[str]
) -> list[tuple[list[tuple[str, float]], list[tuple[str, float | None]]]]:
    """The most probable words for one blank of each question, and some words looked up there.

    A question is a model, a text and the number of its blank; 0 is the first.
    """
    from explorer.analysis import prediction

    results = []
    for model, text, blank in questions:
        predictions = prediction.blanks(model, text)
        candidates = [(c.token, c.probability) for c in prediction.top(model, predictions, blank, top)]
        probes = [prediction.probe(model, predictions, word, blank) for word in look_up]
        results.append((candidates, [(p.word, p.probability) for p in probes]))
    return results


def _pin(settings: kit.Settings, sentence: Sentence) -> None:
    """Draw the button that pins the sentence, or removes the pinned one."""
    if settings[PINNED]:
        st.button(
            _("Unpin"),
            key="masked/unpin",
            on_click=lambda: settings.set(PINNED.to(""), PINNED_BLANK.to(0)),
            help=_("Remove the pinned sentence"),
        )
    else:
        st.button(
            _("Pin"),
            key="masked/pin",
            disabled=not sentence.numbers,
            on_click=lambda: settings.set(PINNED.to(sentence.read), PINNED_BLANK.to(sentence.blank)),
            help=_("Keep this sentence and compare the next one with it"),
        )


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading, change=now),
    settings=(K, BESIDE, PROBE, PINNED, PINNED_BLANK),
    needs=("FILL", "GENERATE"),
    boxes=text_line,
    controls=controls,
    picture=draw,
    footer=lambda page: kit.navigation.link("tokens", _("How this is cut"), text=page.settings[TEXT]),
    example=example,
    stage=kit.Stage(covered=(".token",), desk=f".st-key-masked-{PROBE}-box", polls=asks),
)
