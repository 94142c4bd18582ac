"""A visitor's own learning curves, drawn point by point as they are measured."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import lessons, sets
from explorer.views.finetuning.every_word import EVERY_WORD as WORDS
from explorer.views.finetuning.gained_chart import HEIGHT, figure
from explorer.views.finetuning.one_sentence import ONE_SENTENCE as SENTENCES
from explorer.views.finetuning.settings import GAINED_OWN, GAINED_TUNED, SEED
from explorer.views.finetuning.train_row import threads
from explorer.views.finetuning.two_sentences import TWO_SENTENCES as PAIRS
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example, Load
from explorer.views.frame.page import palette
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.finetuning.tasks import Kind
    from explorer.finetuning.training_specs import LearningCurveSpec, Record
    from explorer.models import LanguageModel

BODY = "bert"
CASES = (SENTENCES, WORDS, PAIRS)
ORDER = ("random body", "frozen", "fine-tuned", "bag of words")
ROW_PX = 74  # Train and its line, which stand above the chart
Cells = dict[str, dict[str, list[float]]]


def controls(settings: Settings) -> None:
    """Which examples, and whether the layers learn too."""
    known = sets.offered(CASES)
    if settings[GAINED_OWN] not in known:
        settings.adjust(GAINED_OWN.to(next(iter(known))))
    with st.container(horizontal=True, gap="large", vertical_alignment="center"):
        st.selectbox(
            "Examples",
            list(known),
            key=settings.key(GAINED_OWN, "Examples", known.get),
            format_func=known.__getitem__,
            label_visibility="collapsed",
            width=360,
        )
        st.toggle(
            "Train the layers too",
            key=settings.key(GAINED_TUNED, "Train the layers too"),
            help="The curve of fine-tuning takes a minute or two; the others take seconds. It comes last.",
        )


def course(settings: Settings) -> "LearningCurveSpec":
    """The curves of the present settings. Raises TextError for examples that cannot be read."""
    from explorer.finetuning.training_specs import LearningCurveSpec

    examples = sets.named(settings, CASES, settings[GAINED_OWN])
    return LearningCurveSpec(BODY, examples, settings[SEED], threads(), tuned=settings[GAINED_TUNED])


@st.fragment
def stage(settings: Settings) -> None:
    """Train, and what has been measured so far."""
    asked = course(settings)
    lesson = lessons.look(asked)
    learn, test = asked.parts()
    about = f"{len(learn)} examples to learn from, {len(test)} kept aside to measure on"
    lessons.row(asked, about, [], "finetuning/gained-trainer")
    found = cells(lesson.moments if lesson else [])
    if found:
        made = figure(found, measure(settings), palette(), "those kept aside", HEIGHT - ROW_PX)
        chart(made, "finetuning/gained-own")
    else:
        st.html(
            f'<p class="rb-how" style="min-height:{HEIGHT - ROW_PX}px">The curves grow here: 10 examples, '
            "50, and as many as there are, each drawn three times.</p>"
        )


def cells(moments: "list[Record]") -> Cells:
    """The scores by way and by number of examples, in the order of the legend."""
    found: Cells = {}
    for way in ORDER:
        for moment in moments:
            if moment["way"] == way:
                found.setdefault(way, {}).setdefault(str(moment["size"]), []).append(moment["score"])
    return found


def drawn(settings: Settings) -> Cells:
    """What stands on the screen."""
    lesson = lessons.find(course(settings))
    return cells(lesson.moments if lesson else [])


def measure(settings: Settings) -> str:
    """What the scores are."""
    return "f1" if settings[GAINED_OWN].startswith(f"{WORDS.name}/") else "accuracy"


def example(settings: Settings) -> Example:
    """The same curves from Python."""
    from explorer.finetuning import parsing

    asked = course(settings)
    case, _, name = settings[GAINED_OWN].partition("/")
    rest: dict[str, Any] = {"tuned": asked.tuned, "seed": asked.seed}
    if name == sets.OWN:
        kind = next(one.kind for one in CASES if one.name == case)
        return Example(
            curves_of_typed, model=Load(BODY), kind=kind, lines=parsing.format_lines(asked.examples), **rest
        )
    return Example(curves_of_ready, model=Load(BODY), name=name, **rest)


def curves_of_ready(
    model: "LanguageModel", name: str, tuned: bool, seed: int
) -> "dict[tuple[str, int], list[float]]":
    """The scores of each way of learning after so many ready examples, for three draws of them."""
    from explorer.finetuning import library
    from explorer.finetuning.training_specs import LearningCurveSpec

    found: dict[tuple[str, int], list[float]] = {}
    for moment in LearningCurveSpec(str(model.checkpoint), library.examples(name), seed, tuned=tuned).records(
        model
    ):
        found.setdefault((moment["way"], moment["size"]), []).append(moment["score"])
    return found


def curves_of_typed(
    model: "LanguageModel", kind: "Kind", lines: str, tuned: bool, seed: int
) -> "dict[tuple[str, int], list[float]]":
    """The scores of each way of learning after so many typed examples, for three draws of them."""
    from explorer.finetuning import parsing
    from explorer.finetuning.training_specs import LearningCurveSpec

    found: dict[tuple[str, int], list[float]] = {}
    examples = tuple(parsing.parse_lines(kind, lines).examples)
    for moment in LearningCurveSpec(str(model.checkpoint), examples, seed, tuned=tuned).records(model):
        found.setdefault((moment["way"], moment["size"]), []).append(moment["score"])
    return found
