"""Learning curves of the visitor's own, drawn point by point as they are measured."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.finetuning import choices, sets, trainings
from explorer.views.finetuning.learning_curves_chart import HEIGHT, figure
from explorer.views.finetuning.sets import PAIRS, SENTENCES, WORDS, TaskSpec
from explorer.views.finetuning.settings import GAINED_OWN, GAINED_TUNED, SEED
from explorer.views.finetuning.train_row import progress_note, train_row, update
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example, Load
from explorer.views.frame.page import palette
from explorer.views.settings.settings import Settings

if TYPE_CHECKING:
    from explorer.finetuning.tasks import Kind
    from explorer.finetuning.training_specs import LearningCurveSpec, Record
    from explorer.models import LanguageModel

MODEL = "bert"
TASKS = (SENTENCES, WORDS, PAIRS)
ORDER = ("random body", "frozen", "fine-tuned", "bag of words")  # of the legend
ROW_PX = 74  # Train and its line, above the chart
Cells = dict[str, dict[str, list[float]]]  # way -> number of examples -> scores


def controls(settings: Settings) -> None:
    """Which examples, and whether the layers learn too."""
    with st.container(horizontal=True, gap="large", vertical_alignment="center"):
        choices.task_examples_box(settings, GAINED_OWN, TASKS)
        st.toggle(
            "Train the layers too",
            key=settings.key(GAINED_TUNED, "Train the layers too"),
            help="The curve of fine-tuning takes a minute or two and comes last. The others take seconds.",
        )


def draw(settings: Settings, model: "LanguageModel") -> tuple[Cells, str]:
    """Train, and the curves; the scores so far and their measure. Raises ExplorerError."""
    spec = training_spec(settings)
    spec.check()
    measure = "f1" if _chosen_set(settings)[0] is WORDS else "accuracy"
    _panel(spec, measure, model)
    return scores_by_way(trainings.records(spec)), measure


def training_spec(settings: Settings) -> "LearningCurveSpec":
    """The training for the present settings. Raises TextError for examples that cannot be read."""
    from explorer.finetuning.training_specs import LearningCurveSpec

    examples = sets.examples(settings, *_chosen_set(settings))
    tuned = settings[GAINED_TUNED]
    return LearningCurveSpec(MODEL, examples, settings[SEED], trainings.threads(), tuned=tuned)


def _chosen_set(settings: Settings) -> tuple[TaskSpec, str]:
    return sets.split_path(TASKS, settings[GAINED_OWN])


@st.fragment
def _panel(spec: "LearningCurveSpec", measure: str, model: "LanguageModel") -> None:
    training = update(spec, model)
    learn, test = spec.parts()
    about = f"{len(learn)} examples to learn from, {len(test)} held out"
    train_row("finetuning/gained-trainer", spec, model, progress_note(training, about))
    if cells := scores_by_way(trainings.records(spec)):
        curves = figure(cells, measure, palette(), "held-out examples", HEIGHT - ROW_PX)
        chart(curves, "finetuning/gained-own", least=480)
    else:
        st.html(
            f'<p class="rb-how" style="min-height:{HEIGHT - ROW_PX}px">The curves appear here: for 10 '
            "examples, for 50 and for all of them, with three draws each.</p>"
        )


def scores_by_way(records: "list[Record]") -> Cells:
    """The scores by way and by number of examples, in the order of the legend."""
    cells: Cells = {}
    for record in sorted(records, key=lambda record: ORDER.index(record["way"])):
        cells.setdefault(record["way"], {}).setdefault(str(record["size"]), []).append(record["score"])
    return cells


def example(settings: Settings) -> Example:
    """The same curves from Python."""
    spec, (task, name) = training_spec(settings), _chosen_set(settings)
    return Example(
        learning_curves,
        model=Load(MODEL),
        kind=task.kind,
        **sets.code_arguments(name, spec.examples),
        tuned=spec.tuned,
        seed=spec.seed,
    )


def learning_curves(
    model: "LanguageModel", kind: "Kind", name: str, lines: str, tuned: bool, seed: int
) -> "dict[tuple[str, int], list[float]]":
    """The scores by way of learning and number of examples, one for each of three draws.

    The examples are the lines, or else the ready ones called `name`.
    """
    from explorer.finetuning import library, parsing
    from explorer.finetuning.training_specs import LearningCurveSpec

    examples = parsing.parse_lines(kind, lines).examples if lines else library.examples(name)
    spec = LearningCurveSpec(str(model.checkpoint), examples, seed, tuned=tuned)
    scores: dict[tuple[str, int], list[float]] = {}
    for record in spec.records(model):
        scores.setdefault((record["way"], record["size"]), []).append(record["score"])
    return scores
