"""Train it live: word2vec is trained on the page, with the text being read, the loss and a map.

The component draws the last steps and then asks for more. So nothing runs for a visitor who has left, and
Stop has nothing to interrupt: the training stays in the session.
"""

from math import log
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.locale import N_, _, format_number, localised
from explorer.views import kit
from explorer.views.vectors.examples import train_word2vec
from explorer.views.vectors.settings import (
    DIMENSIONS,
    LOCKED,
    METHOD,
    NEGATIVES,
    SEED,
    TEXT,
    WINDOW,
    WORDS,
    our_text,
)
from explorer.views.vectors.training_session import (
    TrainingSession,
    current,
    curve,
    losses_csv,
    place,
    restart,
    train_settings,
    vectors_csv,
)
from explorer.views.vectors.word_map import MOST
from explorer.views.vectors.word_table import group_words, nearest_line
from explorer.views.widgets import word_map as charts

if TYPE_CHECKING:
    from explorer.analysis.vectors.table import Vectors

FEWEST_COLOURED = 8  # the map shows only the typed words if at least this many are in the text
MOST_SHOWN = 60  # words on the map where it shows the most frequent ones
HEIGHT_PX = 356
AROUND = 12  # words on either side of the one that is read
METHODS = {"skip-gram": "Skip-gram", "cbow": "CBOW"}
SLIDERS = (
    (WINDOW, N_("Window"), 1, 10, N_("Words to either side, at most")),
    (DIMENSIONS, N_("Dimensions"), 2, 100, N_("Numbers in a vector")),
    (NEGATIVES, N_("Negatives"), 1, 20, N_("Random wrong words for each right one")),
)
DRAWN = kit.Session[dict[str, TrainingSession]]("vectors/drawn", {})  # the training on the screen

VIEW_TEXT = kit.view_text("vectors", "train")


def controls(page: kit.OpenPage[None]) -> None:
    """Method, window, dimensions, negatives and seed, folded in: only the button is needed at first."""
    settings = page.settings
    with st.expander(_("Training settings"), key="vectors/training-settings"):
        _settings(settings)


def _settings(settings: kit.Settings) -> None:
    columns = st.columns([26, 19, 19, 19, 17], gap="medium", vertical_alignment="bottom")
    with columns[0]:
        kit.segments(
            settings,
            METHOD,
            _("Method"),
            METHODS,
            label_visibility="visible",
            help=_("Skip-gram predicts the context from the word, CBOW the word from its context."),
        )
    for column, (setting, label, least, most, text) in zip(columns[1:4], SLIDERS):
        with column:
            kit.slider(settings, setting, _(label), least, most, help=_(text))
    with columns[4]:
        kit.seed_box(settings, SEED)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The text being read, the loss and the map."""
    # The fragment may start another training without a run of the page, so Save looks the session up here.
    on_screen = DRAWN.get()
    on_screen.clear()
    _stage(page.settings, on_screen, page.settings[TEXT])
    if not on_screen:
        return []
    return [
        kit.Picture("picture", "word2vec-training"),
        kit.Export(N_("Loss of each step"), "training-loss.csv", lambda: losses_csv(on_screen["session"])),
        kit.Export(N_("Vectors so far"), "word2vec-vectors.csv", lambda: vectors_csv(on_screen["session"])),
    ]


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the text, the curve and the map."""
    method = page.settings[METHOD] if page.settings[METHOD] in METHODS else "skip-gram"
    return VIEW_TEXT.reading.filled(method=METHODS[method], task=VIEW_TEXT.phrases[method])


def running_text(session: TrainingSession) -> dict[str, Any]:
    """The text around the centre word of the last step, with its context lit."""
    training, step = session.training, session.progress
    spans, text = training.spans, training.text
    at = step.centre if step and step.centre is not None else min(AROUND, len(spans) - 1)
    lit = set(step.context) if step else set()

    def word(i: int) -> dict[str, Any]:
        return {"text": text[slice(*spans[i])], "lit": i in lit}

    return {
        "label": _("The text, where it is being read"),
        "before": [word(i) for i in range(max(at - AROUND, 0), at)],
        "centre": text[slice(*spans[at])],
        "after": [word(i) for i in range(at + 1, min(at + AROUND + 1, len(spans)))],
    }


def words_shown(session: TrainingSession, groups: str) -> tuple[list[str], list[int], list[str]]:
    """The words on the map with their groups: the typed ones, or else the most frequent of the text."""
    words, member, names = group_words(session.vectors, groups, MOST)[:3]
    if len(words) >= FEWEST_COLOURED:
        return words, member, names
    frequent = list(session.vectors.words[:MOST_SHOWN])
    group = dict(zip(words, member))
    return frequent, [group.get(word, -1) for word in frequent], names


def beside_their_group(vectors: "Vectors", words: list[str], member: list[int]) -> int:
    """How many words of a group have a word of that group as the nearest of those shown, by cosine."""
    grouped = [i for i, group in enumerate(member) if group >= 0]
    if len(grouped) < 2:
        return 0
    unit = vectors.unit([words[i] for i in grouped])
    nearest = (unit @ unit.T).fill_diagonal_(-2).argmax(1).tolist()
    return sum(member[grouped[i]] == member[grouped[j]] for i, j in enumerate(nearest))


def outcome(session: TrainingSession, words: list[str], member: list[int]) -> str:
    """What the training has done: the words that found their group, or else how far the loss fell."""
    count = sum(group >= 0 for group in member)
    points = curve(session.done)
    if count < FEWEST_COLOURED:
        return _(
            "Trained: the loss fell from {before} to {after} nats.",
            before=localised(f"{points[0][1]:.1f}"),
            after=localised(f"{points[-1][1]:.1f}"),
        )
    after = beside_their_group(session.vectors, words, member)
    return _(
        "Trained: the nearest word of <b>{after} of the {count}</b> coloured words is now one of their own "
        "group. With random vectors it was {before}.",
        after=after,
        count=count,
        before=session.at_start,
    )


@st.fragment
def _stage(settings: kit.Settings, on_screen: dict[str, TrainingSession], text: str) -> None:
    """Draw all that changes during training; `on_screen` gets the current session, `text` is the page's."""
    if settings[TEXT] != text:
        st.rerun()  # the whole page: what is saved, linked to and heard names the text
    left, right = st.columns([34, 66], gap="medium")
    with left.container(gap="xsmall"):
        trainer = st.container()
        kit.text_box(
            settings, TEXT, _("The text to learn from"), _("Paste a text of a few hundred words"), lines=8
        )
        if settings[TEXT].strip() != our_text():
            st.button(
                _("Use our text"), key="vectors/ours", on_click=lambda: settings.set(TEXT.to(our_text()))
            )
    try:
        on_screen["session"] = session = current(settings)
    except ExplorerError as error:  # here, since what is raised in a fragment does not reach the page
        with right:
            kit.show_error(error)
        return
    with right.container(gap="xsmall"):
        kit.component("vectors/running_text")(key="vectors/reading", data=running_text(session))
        _map(settings, session)
    with trainer:
        _trainer(session)
    settings.close()
    if not session.going:
        kit.data_table.follow(settings, (session.number, session.step))


def _trainer(session: TrainingSession) -> None:
    key = "vectors/trainer"

    def more() -> None:
        if kit.component_value(key, "more", {"run": session.number, "at": session.step}):
            session.extend()

    def pressed() -> None:
        if not kit.component_value(key, "turn", _(session.button)):
            return  # it came to its end before the click arrived
        if session.step and session.finished:
            restart(session)
        else:
            session.going = not session.going

    training = session.training
    epoch = session.progress.epoch if session.progress else 0
    losses, start = curve(session.done), (1 + training.settings.negatives) * log(2)
    kit.component("widgets/train_row")(
        key=key,
        data={
            "run": session.number,
            "at": session.step,
            "step": session.step,
            "of": training.steps,
            "going": session.going,
            "button": _(session.button),
            "note": _(
                "{words} words, {different} different · epoch\u00a0{epoch}\u00a0of\u00a0{epochs}",
                words=format_number(len(training.spans)),
                different=format_number(len(training.words)),
                epoch=epoch,
                epochs=training.settings.epochs,
            ),
            "curves": [
                {
                    "title": _("how wrong it guesses") if kit.for_class() else _("loss, nats"),
                    "plain": kit.for_class(),
                    "points": losses,
                    "most": max(start * 1.12, *(loss for at, loss in losses), 0.0),
                    "level": start,
                    "caption": _("pure guessing"),
                    "percent": False,
                }
            ],
        },
        on_more_change=more,
        on_turn_change=pressed,
    )


def start(settings: kit.Settings) -> None:
    """Begin the training, unless it has begun (for a callback)."""
    session = current(settings)
    session.going = session.going or not session.step


def _map(settings: kit.Settings, session: TrainingSession) -> None:
    from explorer.analysis import vectors

    words, member, names = words_shown(session, settings[WORDS])
    plane = place(session, words)
    lit = set()
    if session.progress and session.progress.centre is not None:
        ids = session.training.ids[[session.progress.centre, *session.progress.context]].tolist()
        lit = {session.training.words[i] for i in ids if i >= 0}
    dots = [
        {
            "id": word,
            "text": word,
            "mark": group,
            "tip": nearest_line((n.word, n.cosine) for n in near),
            "size": 0.8 if group >= 0 else 0.6,
        }
        for word, group, near in zip(words, member, vectors.nearest_to_each(session.vectors, words))
    ]
    selected, near_selected = settings[LOCKED], []
    if selected in words:
        near_selected = [n.word for n in vectors.nearest(session.vectors, selected, 5)]
    data = charts.map_data(dots, plane.coordinates, HEIGHT_PX) | {
        "label": _("Map of {count} words while they are learnt", count=len(words)),
        "reach": session.reach,
        "marks": charts.marks(names),
        "legend": charts.legend(names, member),
        "lit": [word for word in words if word in lit],
        "locked": selected,
        "near": near_selected,
    }
    charts.draw_map(settings, "vectors/growing", data, LOCKED)
    if session.at_start is None:  # the first drawing is of the random vectors
        session.at_start = beside_their_group(session.vectors, words, member)
    if session.finished and session.at_start is not None:
        st.html(f'<p class="rb-how">{outcome(session, words, member)}</p>')
    variance = sum(plane.explained or (0,))
    if not kit.for_class():
        keeps = _(
            "PCA, rotated to match the step before; it keeps {share} of the variance.",
            share=kit.whole_percent(variance),
        )
        st.html(f'<p class="rb-point">{keeps}</p>')


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading),
    settings=(TEXT, METHOD, WINDOW, DIMENSIONS, NEGATIVES, SEED),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        train_word2vec, text=page.settings[TEXT].strip(), **train_settings(page.settings)
    ),
    stage=kit.Stage(covered=(".dots, .legend",), start=start),
)
