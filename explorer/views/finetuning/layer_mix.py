"""ELMo's mix: its three layers stay frozen, and a head learns how much each of them counts."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.locale import N_, _, localised
from explorer.views import kit
from explorer.views.finetuning import choices, sets, trainings
from explorer.views.finetuning.sets import SENTENCES, WORDS, TaskSpec
from explorer.views.finetuning.settings import ELMO_SET, SEED
from explorer.views.finetuning.train_row import axis_top, curve, progress_note, train_row, update
from explorer.views.types import LanguageModel, LayerMixSpec

if TYPE_CHECKING:
    from explorer.finetuning.tasks import Kind
    from explorer.finetuning.training_specs import Record

MODEL = "elmo"
TASKS = (WORDS, SENTENCES)
LAYERS = (N_("letters"), N_("layer 1"), N_("layer 2"))
MEASURES = {"tags": "F1", "classes": N_("accuracy")}


def controls(settings: kit.Settings) -> None:
    """The examples."""
    choices.task_examples_box(settings, ELMO_SET, TASKS, "stretch")


def draw(settings: kit.Settings, model: "LanguageModel") -> list[kit.Export]:
    """The layers with their weights, and under them the curves; returns what to save.

    Raises ExplorerError.
    """
    spec, task = training_spec(settings), _chosen_set(settings)[0]
    spec.check()
    _panel(spec, task, model)
    return saves(spec)


def is_untrained(settings: kit.Settings) -> bool:
    """Whether no mix of the present settings has been trained."""
    return trainings.find(training_spec(settings)) is None


def in_words(settings: kit.Settings) -> str:
    """How the mix compares with the best single layer, as HTML; empty before the end of a training."""
    records = trainings.records(training_spec(settings))
    scores = {record["layer"]: record["score"] for record in records if record["stage"] == "compared"}
    if len(scores) <= len(LAYERS):
        return ""
    mix = scores.pop(None)
    best = max(scores, key=scores.__getitem__)
    text = _(
        "the learnt mix reaches {measure} {mix}, the best single layer, {layer}, {score}.",
        measure=_(MEASURES[_chosen_set(settings)[0].kind]),
        mix=f"<b>{kit.whole_percent(mix)}</b>",
        layer=_(LAYERS[best]),
        score=f"<b>{kit.whole_percent(scores[best])}</b>",
    )
    return f"{text} {_verdict(mix - scores[best], len(training_spec(settings).examples))}"


def _verdict(gain: float, count: int) -> str:
    """What a difference of two scores means on so few examples: within two of them it is none."""
    if abs(gain) <= 2 / count:
        return _("No difference is visible on so few examples.")
    return _("Here the mix is better.") if gain > 0 else _("Here one layer alone is better.")


def code(settings: kit.Settings) -> kit.Example:
    """The same mix from Python."""
    spec, (task, name) = training_spec(settings), _chosen_set(settings)
    arguments = sets.code_arguments(name, spec.examples)
    return kit.Example(layer_weights, model=kit.Load(MODEL), kind=task.kind, **arguments, seed=spec.seed)


def layer_weights(model: "LanguageModel", kind: "Kind", name: str, lines: str, seed: int) -> "list[float]":
    """The learnt weights of the layers, the lowest first, for the lines or else the ready examples `name`."""
    from explorer.finetuning import library, parsing
    from explorer.finetuning.training_specs import LayerMixSpec

    examples = parsing.parse_lines(kind, lines, has_names=False).examples if lines else library.examples(name)
    records = LayerMixSpec(str(model.checkpoint), examples, seed).records(model)
    *_, weights = [record["weights"] for record in records if "weights" in record]
    return list(weights)


def training_spec(settings: kit.Settings) -> "LayerMixSpec":
    """The training for the present settings. Raises TextError for examples that cannot be read."""
    from explorer.finetuning.training_specs import LayerMixSpec

    examples = sets.examples(settings, *_chosen_set(settings))
    return LayerMixSpec(MODEL, examples, settings[SEED], trainings.threads())


def _chosen_set(settings: kit.Settings) -> tuple[TaskSpec, str]:
    return sets.split_path(TASKS, settings[ELMO_SET])


@st.fragment
def _panel(spec: "LayerMixSpec", task: TaskSpec, model: "LanguageModel") -> None:
    training, records = update(spec, model), trainings.records(spec)
    kit.component("finetuning/tower")(key="finetuning/tower/elmo", data=tower(records, task))
    about = _("{count} examples, a quarter of them held out", count=len(spec.examples))
    note = progress_note(training, about)
    train_row("finetuning/elmo-trainer", spec, model, note, curves(records, task))


def tower(records: "list[Record]", task: TaskSpec) -> dict[str, Any]:
    """The component's data: the three layers with their weights, and the score of each alone."""
    steps = [record for record in records if "weights" in record]
    scores = {record["layer"]: record["score"] for record in records if record["stage"] == "compared"}
    weights = steps[-1]["weights"] if steps else [1 / len(LAYERS)] * len(LAYERS)
    write = kit.whole_percent if kit.for_class() else lambda share: localised(f"{share:.2f}")
    learns, measure = bool(steps), _(MEASURES[task.kind])
    rows = [
        {
            "name": _(LAYERS[layer]),
            "share": weights[layer],
            "number": write(weights[layer]),
            "note": _("alone: {measure} {score}", measure=measure, score=kit.whole_percent(scores[layer]))
            if layer in scores
            else "",
            "lit": learns,
        }
        for layer in reversed(range(len(LAYERS)))
    ]
    reader = _("tagger") if task is WORDS else _("classifier")
    mix = _("mix of layers")
    if None in scores:
        mix = _("mix: {measure} {score}", measure=measure, score=kit.whole_percent(scores[None]))
    return {
        "label": _("How much each layer of ELMo counts"),
        "heads": [{"text": reader, "lit": learns}, {"text": mix, "lit": learns}],
        "rows": rows,
        "foot": _("frozen: no layer learns"),
    }


def curves(records: "list[Record]", task: TaskSpec) -> list[dict[str, Any]]:
    """The loss, and the score on held-out examples."""
    steps = [record for record in records if "weights" in record]
    losses = [(record["step"], record["loss"]) for record in steps]
    scores = [(record["step"], record["score"]) for record in steps if record["score"] is not None]
    of, plain = steps[-1]["step"] if steps else 1, kit.for_class()
    loss, score = _("loss, nats"), _("{measure} on held-out examples", measure=_(MEASURES[task.kind]))
    if plain:
        loss, score = _("how wrong it guesses"), _("right on held-out examples")
    return [
        curve(loss, losses, axis_top([losses], 1.0), of=of, plain=plain),
        curve(score, scores, 1.0, percent=True, of=of),
    ]


def saves(spec: "LayerMixSpec") -> list[kit.Export]:
    steps = [record for record in trainings.records(spec) if "weights" in record]
    rows = [(step["step"], step["loss"], step["score"], step["gamma"], *step["weights"]) for step in steps]
    heads = [
        "step",
        "loss in nats",
        "score on held-out examples",
        "gamma",
        *(f"weight of {name}" for name in LAYERS),
    ]
    return (
        [kit.Export(N_("The weights of each step"), "elmo-mix.csv", lambda: kit.table(heads, rows))]
        if rows
        else []
    )
