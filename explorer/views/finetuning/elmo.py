"""ELMo's way: its three layers stay frozen, and a tagger learns how much each of them counts."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import choices, sets, trainings
from explorer.views.finetuning.sets import SENTENCES, WORDS, TaskSpec
from explorer.views.finetuning.settings import ELMO_SET, SEED
from explorer.views.finetuning.train_row import axis_top, curve, progress_note, train_row, update
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.finetuning.tasks import Kind
    from explorer.finetuning.training_specs import LayerMixSpec, Record
    from explorer.models import LanguageModel

MODEL = "elmo"
TASKS = (WORDS, SENTENCES)
LAYERS = ("letters", "layer 1", "layer 2")
MEASURES = {"tags": "F1", "classes": "right"}


def controls(page: OpenPage[None]) -> None:
    """The examples."""
    choices.task_examples_box(page.settings, ELMO_SET, TASKS)


def draw(page: OpenPage[None]) -> Saves:
    """The layers with their weights, and beside them the curves. Raises ExplorerError."""
    spec, task = training_spec(page.settings), _chosen_set(page.settings)[0]
    spec.check()
    _panel(spec, task, page.model)
    return [Picture("picture", "elmo-mix"), *_saves(spec)]


def reading(page: OpenPage[None]) -> Reading:
    """How to read the weights."""
    return Reading(
        "ELMo reads each word once; its layers never change. A bar is the weight of a layer in the learnt "
        "mix that the head reads; softmax makes the three sum to 1. Weights and head are learnt together. At "
        "the end each layer is tried alone under a head of its own, to compare.",
        "After Peters et al. 2018, equation 1, whose scale γ the linear head absorbs. A weight does not "
        "prove that a layer is better: layers are scaled alike here, but they overlap in what they know.",
    )


def example(page: OpenPage[None]) -> Example:
    """The same mix from Python."""
    spec, (task, name) = training_spec(page.settings), _chosen_set(page.settings)
    arguments = sets.code_arguments(name, spec.examples)
    return Example(layer_weights, model=Load(MODEL), kind=task.kind, **arguments, seed=spec.seed)


def layer_weights(model: "LanguageModel", kind: "Kind", name: str, lines: str, seed: int) -> "list[float]":
    """The learnt weights of the layers, the lowest first, for the lines or else the ready examples `name`."""
    from explorer.finetuning import library, parsing
    from explorer.finetuning.training_specs import LayerMixSpec

    examples = parsing.parse_lines(kind, lines).examples if lines else library.examples(name)
    records = LayerMixSpec(str(model.checkpoint), examples, seed).records(model)
    *_, weights = [record["weights"] for record in records if "weights" in record]
    return list(weights)


def training_spec(settings: Settings) -> "LayerMixSpec":
    """The training for the present settings. Raises TextError for examples that cannot be read."""
    from explorer.finetuning.training_specs import LayerMixSpec

    examples = sets.examples(settings, *_chosen_set(settings))
    return LayerMixSpec(MODEL, examples, settings[SEED], trainings.threads())


def _chosen_set(settings: Settings) -> tuple[TaskSpec, str]:
    return sets.split_path(TASKS, settings[ELMO_SET])


@st.fragment
def _panel(spec: "LayerMixSpec", task: TaskSpec, model: "LanguageModel") -> None:
    training, records = update(spec, model), trainings.records(spec)
    left, right = st.columns([44, 56], gap="medium")
    with left:
        component("finetuning/tower")(key="finetuning/tower/elmo", data=tower(records, task))
    with right:
        note = progress_note(training, f"{len(spec.examples)} examples, a quarter of them held out")
        train_row("finetuning/elmo-trainer", spec, model, note, curves(records, task))


def tower(records: "list[Record]", task: TaskSpec) -> dict[str, Any]:
    """The component's data: the three layers with their weights, and the score of each alone."""
    steps = [record for record in records if "weights" in record]
    alone = {record["layer"]: record["score"] for record in records if record["stage"] == "alone"}
    weights = steps[-1]["weights"] if steps else [1 / len(LAYERS)] * len(LAYERS)
    learns = bool(steps)
    rows = [
        {
            "name": LAYERS[layer],
            "share": weights[layer],
            "number": f"{weights[layer]:.2f}",
            "note": f"alone: {MEASURES[task.kind]} {alone[layer]:.0%}" if layer in alone else "",
            "lit": learns,
        }
        for layer in reversed(range(len(LAYERS)))
    ]
    reader = "tagger" if task is WORDS else "classifier"
    return {
        "label": "How much each layer of ELMo counts",
        "heads": [{"text": reader, "lit": learns}, {"text": "mix of layers", "lit": learns}],
        "rows": rows,
        "foot": "frozen: no layer learns",
    }


def curves(records: "list[Record]", task: TaskSpec) -> list[dict[str, Any]]:
    """The loss, and the score on held-out examples."""
    steps = [record for record in records if "weights" in record]
    losses = [(record["step"], record["loss"]) for record in steps]
    scores = [(record["step"], record["score"]) for record in steps if record["score"] is not None]
    of = steps[-1]["step"] if steps else 1
    measure = "F1" if task is WORDS else "right answers"
    return [
        curve("loss, nats", losses, axis_top([losses], 1.0), of=of),
        curve(f"{measure}, held out", scores, 1.0, percent=True, of=of),
    ]


def _saves(spec: "LayerMixSpec") -> list[Export]:
    steps = [record for record in trainings.records(spec) if "weights" in record]
    rows = [(step["step"], step["loss"], step["score"], step["gamma"], *step["weights"]) for step in steps]
    heads = ["step", "loss in nats", "score held out", "gamma", *(f"weight of {name}" for name in LAYERS)]
    return [Export("The weights of each step", "elmo-mix.csv", lambda: table(heads, rows))] if rows else []


VIEW = View(
    label="ELMo’s way",
    audience="How ELMo is used for a task.",
    first=Hints(
        "Before training each of ELMo’s three layers counts one third.",
        "Press Train: which layer gains? Then choose other examples, and train again.",
    ),
    settings=(ELMO_SET,),
    model=MODEL,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
