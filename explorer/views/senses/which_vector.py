"""Which vector? One layer, several side by side, or a mix of them: the map moves with the choice.

BERT's authors tried six ways (Devlin et al. 2019, table 7); ELMo mixes its layers, s_0 to s_2 and
gamma (Peters et al. 2018, equation 1).
"""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import memory
from explorer.views.frame.page import Preset
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.senses import from_python, vector_choice
from explorer.views.senses import map_data as charts
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.senses.layer_maps import grouping
from explorer.views.senses.sense_map import PARTS, lock, nearest
from explorer.views.senses.vector_choice import EVEN, GAMMA, MIX, MIXED
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.models import LanguageModel

LINES = 9  # of the sentences' box: the six ways stand below it
MAP_PX, AROUND_PX = 250, 386  # the map's least height, and what stands above and below it
HEAD = "macro-F1"
DEFAULTS: dict[str, Any] = {"vector": "last", "weights": {}, "gamma": 1.0}
PRESETS = [
    Preset("Six ways", "One look, six vectors: BERT's embedding has no sense yet, its last layer has.",
           {"view": "which"}),
    Preset("The four upper layers", "Side by side, nothing is averaged away: four vectors are one.",
           {"view": "which", "vector": "concat4"}),
    Preset("ELMo's mixer", "ELMo's lowest layer knows the word alone: pull it up, and the dots run together.",
           {"view": "which", "model": "elmo", "weights": {MIX: [100, 5, 5]}}),
]  # fmt: skip


def controls(settings: Settings, occurrences: WordOccurrences | None) -> None:
    """The desk: which layers are taken, and how much of each."""
    from explorer.analysis.senses import pooling

    model, way = memory.get(settings["model"]), vector_choice.way(settings)
    last = model.config.layers
    taken = range(last + 1) if way == MIX else pooling.layers_of(way, last)
    weights = dict(zip(taken, vector_choice.weights(settings, way, len(taken))))
    key = "senses/mixer"

    def move() -> None:
        if moved := st.session_state[key].move:
            now = [round(moved["weights"][layer]) for layer in taken]
            settings.set(weights={**vector_choice.kept(settings), way: now})
            if moved["gamma"] is not None:
                settings.set(gamma=min(max(float(moved["gamma"]), GAMMA[0]), GAMMA[1]))

    adjustable = way in MIXED and last > 0
    component("senses/mixer")(
        key=key,
        data={
            "label": "How much each layer counts",
            "layers": [
                {
                    "name": f"s{_sub(layer)}" if way == MIX else str(layer),
                    "said": f"layer {layer}" if layer else "the embedding",
                    "taken": layer in weights,
                    "weight": weights.get(layer, 0) if adjustable else 100 * (layer in weights),
                }
                for layer in range(last + 1)
            ],
            "adjustable": adjustable,
            "beside": way == "concat4",
            "gamma": {"value": vector_choice.gamma(settings), "least": GAMMA[0], "most": GAMMA[1]}
            if way == MIX
            else None,
        },
        on_move_change=move,
    )


def draw(settings: Settings, occurrences: WordOccurrences) -> None:
    """The map of the vectors that are chosen, on a scale that stays."""
    way = vector_choice.way(settings)
    made = vector_choice.made(settings, occurrences, way)
    groups = grouping(occurrences, settings["senses"])
    points, extent, kept = vector_choice.plane(occurrences, made, vector_choice.gamma(settings) if way == MIX else 1.0)
    unit = max(extent)
    if way == MIX:  # room for what gamma makes larger
        unit *= GAMMA[1]
    at = made.index(settings["locked"])
    key = "senses/which"
    with st.container(key="senses-which", gap=None):
        component("senses/sense_map", *PARTS)(
            key=key,
            data={
                "label": f"Map of {len(occurrences.found)} occurrences of {occurrences.word}: {vector_choice.label(way)}",
                "height": MAP_PX,
                "around": AROUND_PX,
                "axes": 2,
                "unit": unit / charts.GRAIN,
                "extent": [1.0, extent[1] / extent[0]]
                if extent[0] >= extent[1]
                else [extent[0] / extent[1], 1.0],
                "dots": charts.dots(occurrences, groups),
                "marks": charts.marks(groups),
                "names": charts.names(groups),
                "stops": [vector_choice.label(way)],
                "frames": charts.frames([points], unit),
                "contours": None,
                "says": [_says(settings, occurrences, made, way, kept)],
                "first": 0,
                "layer": 0,
                "locked": "" if at is None else settings["locked"],
                "near": [] if at is None else [[i for i, _ in nearest(made, 0, at)]],
            },
            on_lock_change=lock(settings, key),
            on_layer_change=lambda: None,
        )
    rows = [(occurrences.text(i), occurrences.senses[i] or "", *point) for i, point in enumerate(points.tolist())]
    name = f"{occurrences.word}-{settings['model']}-{way}"
    offer(
        settings,
        Export(
            "Coordinates of this vector", f"{name}.csv", lambda: table(["sentence", "sense", "x", "y"], rows)
        ),
    )


def beside(settings: Settings, occurrences: WordOccurrences) -> None:
    """The ways to choose among, each with the figure that it reaches on these sentences."""
    key, way = "senses/ways", vector_choice.way(settings)
    rows = _mixes(settings, occurrences) if way == MIX else _ways(settings, occurrences, way)

    def choose() -> None:
        name = st.session_state[key].choose
        if name is None:
            return
        if name.startswith(MIX):
            settings.set(weights={**vector_choice.kept(settings), MIX: [int(n) for n in name.split()[1:]]})
        else:
            settings.set(vector=name)

    published = [] if way == MIX or not vector_choice.published(settings) else ["in Table 7"]
    component("senses/choices")(
        key=key,
        data={
            "label": "Which vector",
            "headings": [HEAD, *published] if occurrences.separation else [],
            "rows": rows,
        },
        on_choose_change=choose,
    )


def how(settings: Settings, occurrences: WordOccurrences | None, model: "LanguageModel") -> tuple[str, str]:
    """What a fader does, and what the figures are."""
    if vector_choice.way(settings) == MIX:
        return (
            "Each fader says how much of a layer goes into the vector, s below it is its share; click a "
            "layer's name to hear it alone. γ makes all vectors longer or shorter: the picture grows, and "
            "no cosine changes.",
            "A task that uses ELMo learns s and γ; the fader has no such teacher, only your eye.",
        )
    if model.config.layers == 0:
        return (
            "One vector a word is all that there is: each way leads to the same one, and every occurrence "
            "to the same dot.",
            "Choose a model with layers, above.",
        )
    return (
        "The desk shows which layers go into the vector; the sums can be mixed. On the left, what each way "
        "reaches on these sentences: leave-one-out nearest centroid, macro-F1.",
        "Table 7 of the BERT paper is another task, names found in news by an LSTM on these features of "
        "BERT-base (F1 on the development set of CoNLL-2003): its order need not be ours."
        if vector_choice.published(settings)
        else "The six ways are those that BERT's authors tried.",
    )


def code(settings: Settings) -> str:
    """The chosen vectors and their figures from Python."""
    from explorer.analysis.senses import pooling

    way, last = vector_choice.way(settings), memory.get(settings["model"]).config.layers
    if way == MIX:
        weights, gamma = vector_choice.weights(settings, way, last + 1), vector_choice.gamma(settings)
        made = f"features.mixed(found.vectors, {weights}, gamma={gamma})"
    elif way in ("sum", "sum4"):
        weights = vector_choice.weights(settings, way, len(pooling.layers_of(way, last)))
        made = f"features.chosen(found.vectors, {way!r}, {weights})"
    else:
        made = f"features.chosen(found.vectors, {way!r})"
    return f"""import explorer
from explorer.analysis import projection, senses
from explorer.analysis.senses import pooling
from explorer.analysis.senses import separation

{from_python.occurrences(settings)}

vectors = {made}
print(projection.project(vectors).coordinates)
if curve := separation.curve(vectors[:, None], known):
    print(curve.macro_f1, curve.silhouette, curve.rand)"""


def _says(settings: Settings, occurrences: WordOccurrences, made: WordOccurrences, way: str, kept: float) -> str:
    if not made.found.vectors.any():
        return "With every fader at the bottom there is no vector."
    said = (
        "All occurrences have the same vector: one dot."
        if kept == 0
        else f"The picture keeps {kept:.0%} of the variance."
    )
    curve = vector_choice.curve(made.key, made)
    if curve is None:
        return f"{said} Tag sentences of two senses or more to see how well a way keeps them apart."
    figures = ", ".join(
        f"{name} {f'{float(values[0]):.2f}'.replace('-', '−')}"
        for name, values in (
            ("Macro-F1", curve.macro_f1), ("silhouette", curve.silhouette), ("Rand index", curve.rand),
        )
    )  # fmt: skip
    best = occurrences.separation.macro_f1
    at = int(best.argmax())
    return f"{figures}; the best single layer is {at}, with {best[at]:.2f}. {said}"


def _ways(settings: Settings, occurrences: WordOccurrences, way: str) -> list[dict[str, Any]]:

    from explorer.analysis.senses import pooling

    published = vector_choice.published(settings)
    rows = []
    for choice in pooling.CHOICES:
        of = vector_choice.made(settings, occurrences, choice.name)
        aside = f"{choice.published:.1f}" if published else ""
        reached = vector_choice.f1(of.key, of)
        rows.append(_row(choice.name, choice.label, reached, choice.name == way, aside))
    return rows


def _mixes(settings: Settings, occurrences: WordOccurrences) -> list[dict[str, Any]]:
    """Each layer alone, all alike, and what the faders say."""
    count = occurrences.layers + 1
    now = vector_choice.weights(settings, MIX, count)
    named = [(f"Layer {i} alone", [100 * (i == j) for j in range(count)]) for i in range(count)]
    named.append(("All alike", [EVEN] * count))
    if now not in [weights for _, weights in named]:
        named.append(("As the faders stand", now))
    rows = []
    for label, weights in named:
        of = vector_choice.made(settings, occurrences, MIX, weights)
        name = f"{MIX} {' '.join(map(str, weights))}"
        rows.append(_row(name, label, vector_choice.f1(of.key, of), weights == now, ""))
    return rows


def _row(name: str, label: str, value: float | None, chosen: bool, aside: str) -> dict[str, Any]:
    number = "" if value is None else f"{value:.2f}"
    said = f"{label}, macro-F1 {number}" if number else label
    return {
        "name": name, "text": label, "value": value, "number": number, "aside": aside, "chosen": chosen,
        "said": f"{said}, in Table 7 {aside}" if aside else said,
    }  # fmt: skip


def _sub(number: int) -> str:
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))
