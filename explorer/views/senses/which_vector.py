"""Which vector? One layer, several side by side, or a mix of them: the map moves with the choice.

BERT's authors tried six choices (Devlin et al. 2019, table 7); ELMo mixes its layers, s_0 to s_2 and
gamma (Peters et al. 2018, equation 1).
"""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.hints import Hints
from explorer.views.frame.page import Preset
from explorer.views.frame.saving import Export, table
from explorer.views.frame.view import OpenPage, Reading, Saves
from explorer.views.senses import curves, files, vector_choice
from explorer.views.senses import map_data as charts
from explorer.views.senses.examples import WordExample
from explorer.views.senses.grouping import grouping
from explorer.views.senses.layer_chart import two_decimals
from explorer.views.senses.map_player import mount
from explorer.views.senses.search import Search, SenseView
from explorer.views.senses.settings import GAMMA, MODEL, SENSES, VECTOR, WEIGHTS
from explorer.views.senses.vector_choice import GAMMA_RANGE, MIX, WEIGHTED, beside
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.widgets.registry import component, component_value

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.projection.methods import Projection
    from explorer.analysis.senses.occurrences import Occurrences
    from explorer.analysis.senses.separation import Curve


MAP_PX, AROUND_PX = 250, 386  # the map's least height, and the height of all above and below it


def controls(page: OpenPage[Search]) -> None:
    """Draw the faders: which layers the vector is made of, and their weights."""
    settings, last = page.settings, page.model.config.layers
    choice = vector_choice.choice(settings, page.model)
    layers = vector_choice.layers_taken(choice, last)
    weights = dict(zip(layers, vector_choice.weights(settings, choice, len(layers))))
    key = "senses/mixer"

    def move() -> None:
        if moved := component_value(key, "move"):
            now = [round(moved["weights"][layer]) for layer in layers]
            settings.set(WEIGHTS.to({**vector_choice.moved_faders(settings), choice: now}))
            if moved["gamma"] is not None:
                settings.set(GAMMA.to(min(max(float(moved["gamma"]), GAMMA_RANGE[0]), GAMMA_RANGE[1])))

    adjustable = choice in WEIGHTED and last > 0
    component("senses/mixer")(
        key=key,
        data={
            "label": "How much each layer counts",
            "layers": [
                {
                    "name": f"s{_subscript(layer)}" if choice == MIX else str(layer),
                    "label": f"layer {layer}" if layer else "the embedding",
                    "in_use": layer in weights,
                    "weight": weights.get(layer, 0) if adjustable else 100 * (layer in weights),
                }
                for layer in range(last + 1)
            ],
            "adjustable": adjustable,
            "beside": choice == "concat4",
            "gamma": {"value": vector_choice.gamma(settings), "least": GAMMA_RANGE[0], "most": GAMMA_RANGE[1]}
            if choice == MIX
            else None,
        },
        on_move_change=move,
    )


def draw(page: OpenPage[Search]) -> Saves:
    """Draw the map of the chosen vectors, on a fixed scale."""
    settings, occurrences = page.settings, page.data.occurrences
    choice = vector_choice.choice(settings, page.model)
    chosen = vector_choice.with_vector(settings, occurrences, choice)
    groups = grouping(occurrences, settings[SENSES])
    stretch = vector_choice.gamma(settings) if choice == MIX else 1.0
    points, (x, y), share = vector_choice.map_of(occurrences, chosen, stretch)
    unit = max(x, y) * (GAMMA_RANGE[1] if choice == MIX else 1.0)  # room for what gamma makes larger
    label = vector_choice.label(choice)
    with st.container(key="senses-which", gap=None):
        mount(
            settings,
            chosen,
            groups,
            "senses/which",
            [0],
            unit,
            label=f"Map of {len(occurrences.matches)} occurrences of {occurrences.word}: {label}",
            height=MAP_PX,
            around=AROUND_PX,
            extent=[1.0, y / x] if x >= y else [x / y, 1.0],
            stops=[label],
            frames=charts.frames([points], unit),
            lines=[_summary(occurrences, chosen, share)],
        )
    own = Export(
        "Coordinates of this vector",
        f"{occurrences.word}-{settings[MODEL]}-{choice}.csv",
        lambda: _table(occurrences, points),
    )
    return [own, *files.saves(page)]


def reading(page: OpenPage[Search]) -> Reading:
    """What a fader does, and what the figures are."""
    if vector_choice.choice(page.settings, page.model) == MIX:
        return Reading(
            "Each fader sets how much of a layer goes into the vector; below it is the layer’s weight s. "
            "Click a layer’s name to take that layer alone. γ makes all vectors longer or shorter: the map "
            "grows or shrinks, and no cosine changes.",
            "A task that uses ELMo learns s and γ from data; here you set them by hand.",
        )
    if page.model.config.layers == 0:
        return Reading(
            "This model has one vector for each word: all six choices give the same vector, and all "
            "occurrences are one dot.",
            "Choose a model with layers, above.",
        )
    return Reading(
        "The faders show which layers go into the vector; those of a sum can be moved. On the left is what "
        "each choice reaches on these sentences: macro-F1 by leave-one-out nearest centroid.",
        "Table 7 of the BERT paper is about another task: finding names in news with an LSTM on these "
        "features of BERT-base (F1 on the development set of CoNLL-2003). Its order may differ."
        if vector_choice.published(page.model)
        else "The six choices are those that BERT’s authors tried.",
    )


def example(page: OpenPage[Search]) -> WordExample:
    """The chosen vectors on a map, and their figures."""
    settings = page.settings
    choice = vector_choice.choice(settings, page.model)
    layers = vector_choice.layers_taken(choice, page.data.occurrences.layers)
    return WordExample(
        page,
        one_vector,
        *("occurrences", "labels"),
        choice=choice,
        weights=vector_choice.weights(settings, choice, len(layers)),
        gamma=vector_choice.gamma(settings) if choice == MIX else 1.0,
    )


def one_vector(
    occurrences: "Occurrences", labels: list[str | None], choice: str, weights: list[int], gamma: float
) -> "tuple[Projection, Curve | None]":
    """The map of one vector for each occurrence, before it is rotated, and its figures."""
    from explorer.analysis import projection
    from explorer.analysis.senses import pooling, separation

    if choice == "mix":  # ELMo's: all layers, the embedding too
        vectors = pooling.mix_layers(occurrences.vectors, weights, gamma)
    else:
        vectors = pooling.pool(occurrences.vectors, choice, weights)
    return projection.project(vectors), separation.curve(vectors[:, None], labels)


def _summary(occurrences: WordOccurrences, chosen: WordOccurrences, share: float) -> str:
    """The three figures of the choice, the best single layer's, and what the map shows."""
    if not chosen.matches.vectors.any():
        return "With every fader at the bottom there is no vector."
    variance = (
        "All occurrences have the same vector: one dot."
        if share == 0
        else f"The map shows {share:.0%} of the variance."
    )
    curve, single = curves.curve(chosen.key, chosen), occurrences.separation
    if curve is None or single is None:
        return f"{variance} Tag sentences of two senses or more to see how well this vector keeps them apart."
    measures = {"Macro-F1": curve.macro_f1, "silhouette": curve.silhouette, "Rand index": curve.rand}
    figures = ", ".join(f"{name} {two_decimals(float(values[0]))}" for name, values in measures.items())
    best = int(single.macro_f1.argmax())
    return (
        f"{figures}; the best single layer is {best}, with macro-F1 {single.macro_f1[best]:.2f}. {variance}"
    )


def _table(occurrences: WordOccurrences, points: "Tensor") -> str:
    rows = [
        (occurrences.text(i), occurrences.senses[i] or "", *place) for i, place in enumerate(points.tolist())
    ]
    return table(["sentence", "sense", "x", "y"], rows)


def _subscript(number: int) -> str:
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))


VIEW = SenseView(
    label="Which vector?",
    audience="For experts: which layers to add up.",
    first=Hints(
        "Each line on the left takes other layers into the vector; its bar says how well the senses part.",
        "Click Embedding: what is lost?",
    ),
    settings=(VECTOR, WEIGHTS, GAMMA),
    presets=[
        Preset(
            "Six ways",
            "One look, six vectors: BERT's embedding has no sense yet, its last layer has.",
            {"view": "which"},
        ),
        Preset(
            "The four upper layers",
            "Side by side, nothing is averaged away: four vectors make one long one.",
            {"view": "which", "vector": "concat4"},
        ),
        Preset(
            "ELMo’s mixer",
            "ELMo’s lowest layer knows the word alone: pull it up, and the dots run together.",
            {"view": "which", "model": "elmo", "weights": {MIX: [100, 5, 5]}},
        ),
    ],
    lines=9,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
    beside=beside,
)
