"""Layer by layer: how well a probe predicts each kind of fact from every layer of every model."""

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.presets import Preset
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server.memory import short_label
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.probing import by_layer_chart as charts
from explorer.views.probing.presets import MODELS
from explorer.views.probing.settings import MODEL, PROBE, SHOWN, TASK
from explorer.views.probing.words import TASKS, layer_name
from explorer.views.settings.settings import Settings
from explorer.views.widgets.controls import segments
from explorer.views.widgets.notes import note_html

PROBES = {"linear": "Linear probe", "mlp": "With a hidden layer"}
MEASURES = {"score": "Score", "control": "Control task", "selectivity": "Selectivity"}
AXES = {
    "tag": "share of right labels",
    "relation": "share of right labels",
    "entity": "F1 of the words in names",
    "arcs": "share of right arcs (UUAS)",
}
Figures = Mapping[str, Any]


def controls(page: OpenPage[None]) -> None:
    """The task, the probe, and whether the score, the control task or the selectivity is shown."""
    settings = page.settings
    settings.restrict(TASK, TASKS)
    settings.restrict(SHOWN, MEASURES)
    settings.restrict(PROBE, _probes(settings[TASK]))
    with st.container(key="probing-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        segments(settings, TASK, "Task", TASKS, width="content")
        if settings[TASK] == "arcs":
            return
        segments(settings, SHOWN, "What is shown", MEASURES, width="content")
        st.selectbox(
            "Probe",
            _probes(settings[TASK]),
            key=settings.key(PROBE, "Probe", PROBES.get),
            format_func=PROBES.__getitem__,
            label_visibility="collapsed",
            width=210,
        )


def draw(page: OpenPage[None]) -> Saves:
    """Draw the curves; beside them the layers at which facts sit, or the score of arcs by rank."""
    from explorer.analysis.probing import figures

    settings, measured = page.settings, figures()
    task, chosen = settings[TASK], settings[MODEL]
    curves = shown_curves(settings[PROBE], settings[SHOWN], task)
    if not curves:
        st.html('<p class="rb-point">These figures have not been measured.</p>')
        return []
    left = charts.Left(
        {short_label(name): curve for name, curve in curves.items()},
        {short_label(name): MODELS.index(name) for name in curves},
        short_label(chosen),
        _levels(settings, measured["baselines"][task]),
        AXES[task]
        if settings[SHOWN] != "selectivity" or task == "arcs"
        else "score minus that of the control task",
    )
    if task == "arcs":
        fig = charts.arcs(left, measured["models"][chosen]["arcs"], palette())
    else:
        fig = charts.facts(left, _places(measured["models"]), palette())
    chart(fig, "probing/chart", least=640)
    note_html(_best_layer_note(settings, curves, task))
    return [
        Picture("picture", f"{task}-by-layer"),
        Export("Curves", f"{task}-by-layer.csv", lambda: _table(curves)),
        Export("All figures", "probes.json", _everything, "application/json"),
    ]


def reading(page: OpenPage[None]) -> Reading:
    """How to read it."""
    from explorer.analysis.probing.shipped import config

    shipped = config()
    if page.settings[TASK] == "arcs":
        return Reading(
            "The structural probe projects states so that their squared distances come near the number of "
            "arcs between two words; the minimum spanning tree is compared with the treebank’s (UUAS, "
            "punctuation left out). On the right, where measured, probes of fewer or more rows (rank).",
            f"Learnt on {shipped['sentences']['treebank train']:,} sentences of UD English EWT, measured on "
            f"{shipped['sentences']['treebank test']:,} others. That a tree can be found does not show that "
            "the model uses one.",
        )
    settings = page.settings
    if settings[SHOWN] == "score":
        caveat = (
            "A probe shows that a fact can be read off, not that the model uses it. A score says little "
            "without its control task; selectivity is the difference. A word of several pieces is the mean "
            "of their states."
        )
    elif settings[TASK] == "entity":
        caveat = (
            "Here the control task is the easier one: it deals types of names to frequent words too, which "
            "the probe has met, and true names are mostly words that it has never met. So selectivity is "
            "below 0."
        )
    else:
        caveat = (
            "In the control task every word has one label, dealt by chance with the true labels’ shares, "
            "wherever it stands (an arc takes its dependent’s). A probe with a hidden layer has more room to "
            "learn by heart."
        )
    return Reading(
        "Each point is a separate probe, learnt on that layer alone and measured on held-out sentences. On "
        "the right, where measured, are two ways to say at which layer a fact is: the centre of gravity of "
        "a learnt mix of layers, and the expected layer, at which it becomes readable.",
        caveat,
    )


def example(page: OpenPage[None]) -> Example:
    """The same numbers from Python."""
    settings = page.settings
    return Example(shown_curves, probe=settings[PROBE], measure=settings[SHOWN], task=settings[TASK])


def shown_curves(probe: str, measure: str, task: str) -> dict[str, list[float]]:
    """For each model, a value for each layer: a probe's score, its control task's, or the difference.

    For arcs, the share of right ones by a structural probe of rank 32.
    """
    from explorer.analysis.probing import figures

    if task == "arcs":
        return {name: scores["arcs"]["32"] for name, scores in figures()["models"].items()}
    curves = {}
    for name, scores in figures()["models"].items():
        score, control = scores[task].get(probe), scores[task].get(f"{probe}-control")
        if measure == "score" and score:
            curves[name] = score
        elif measure == "control" and control:
            curves[name] = control
        elif measure == "selectivity" and score and control:
            curves[name] = [a - b for a, b in zip(score, control)]
    return curves


def _probes(task: str) -> list[str]:
    """The probes that have been measured on a task."""
    from explorer.analysis.probing import figures

    return [
        probe
        for probe in PROBES
        if task == "arcs" or any(of[task].get(probe) for of in figures()["models"].values())
    ]


def _levels(settings: Settings, baselines: Figures) -> dict[str, float]:
    """The dashed lines: baselines without a model."""
    if "neighbours" in baselines:
        return {"each word joined to the next": baselines["neighbours"]}
    if settings[SHOWN] == "control":
        return {"each word’s label by heart": baselines["by_word_control"]}
    if settings[SHOWN] == "selectivity":
        return {}
    return {"each word’s most frequent label": baselines["by_word"]}


def _places(models: Figures) -> list[charts.Place]:
    """The centre of gravity and the expected layer of each kind of fact in each model."""
    from explorer.analysis.probing import centre_of_gravity, expected_layer

    return [
        charts.Place(
            TASKS[task],
            short_label(name),
            MODELS.index(name),
            centre_of_gravity(of[task]["shares"]),
            expected_layer(of[task]["mix"]),
            of[task]["shares"],
        )
        for task in ("tag", "relation", "entity")
        for name, of in models.items()
        if "shares" in of[task]
    ]


def _best_layer_note(settings: Settings, curves: Mapping[str, list[float]], task: str) -> str:
    """A line on the chosen model's best layer, beside its last one."""
    values = curves.get(settings[MODEL])
    if not values:
        return ""
    best = max(range(len(values)), key=values.__getitem__)
    text = f"{escape(short_label(settings[MODEL]))}: highest at {layer_name(best)}, {values[best]:.3f}"
    if best != len(values) - 1:
        text += f"; at the last layer {values[-1]:.3f}"
    text += _spread(settings, best, task)
    return f"{text}.".replace("-0.", "−0.")


def _spread(settings: Settings, best: int, task: str) -> str:
    """The range of the best layer's scores over seeds, for a probe with a hidden layer."""
    from explorer.analysis.probing import figures

    if (settings[PROBE], settings[SHOWN]) != ("mlp", "score"):
        return ""
    seeds = figures()["models"][settings[MODEL]].get(task, {}).get("mlp-seeds")
    if not seeds:
        return ""
    return f"; from {len(seeds[best])} seeds there, {min(seeds[best]):.3f} to {max(seeds[best]):.3f}"


def _table(curves: Mapping[str, list[float]]) -> str:
    rows = [[name, layer, value] for name, values in curves.items() for layer, value in enumerate(values)]
    return table(["model", "layer", "value"], rows)


def _everything() -> str:
    from explorer import assets

    return assets.text(assets.PROBES / "figures.json")


VIEW = View(
    label="Layer by layer",
    audience="For those who read the paper: scores of all models, control tasks and selectivity.",
    first=Hints(
        "Every Transformer rises above the dashed line, which knows each word without its sentence.",
        "Choose “Selectivity”. How much of that could a probe have learnt by heart?",
    ),
    settings=(PROBE, SHOWN),
    presets=[
        Preset("Parts of speech", "BERT’s middle layers are ahead of its last one.", {"view": "layers"}),
        Preset(
            "Learnt by heart?",
            "Where labels were dealt to words at random, the probe scores highest in the embedding, because "
            "there it knows which word it reads.",
            {"view": "layers", "shown": "control"},
        ),
        Preset(
            "In the order of a pipeline",
            "On the right, by both measures: in BERT, tags are lowest, relations higher, and names highest.",
            {"view": "layers", "task": "relation"},
        ),
        Preset(
            "Trees",
            "Distances between BERT’s states hold more of the tree than the chain of neighbours does. "
            "word2vec’s hold less.",
            {"view": "layers", "task": "arcs"},
        ),
    ],
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
