"""Which layers to use: BERT's choices of frozen layers, here and in its paper, and ELMo's mix, live."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import layer_mix
from explorer.views.finetuning.settings import ELMO_SET
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.widgets.formulas import ELMO
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.finetuning.features import Layers

DEPTH = 7  # the embedding and six layers
# The name of each choice on screen, its layers (0: the embedding), and how it combines them.
CHOICES: "Mapping[Layers, tuple[str, tuple[int, ...], str]]" = {
    "embeddings": ("Embedding", (0,), ""),
    "second-to-last": ("Second to last", (5,), ""),
    "last": ("Last", (6,), ""),
    "sum of last four": ("Last four, summed", (3, 4, 5, 6), "+"),
    "last four side by side": ("Last four, side by side", (3, 4, 5, 6), ""),
    "sum of all": ("All, summed", (1, 2, 3, 4, 5, 6), "+"),
    "mix": ("All, a learnt mix", (0, 1, 2, 3, 4, 5, 6), ""),
}


def draw(page: OpenPage[None]) -> Saves:
    """BERT's choices as rows, and beside them ELMo's mix. Raises ExplorerError."""
    scores = f1_by_layers()
    left, right = st.columns([58, 42], gap="large")
    with left:
        st.html("<p class='rb-point'><b>BERT</b>: which frozen layers a head reads to find names</p>")
        component("finetuning/layer_choices")(key="finetuning/layer-choices", data=data(scores))
    with right:
        st.html("<p class='rb-point'><b>ELMo</b>: a learnt mix of its three layers</p>")
        layer_mix.controls(page.settings)
        mix_saves = layer_mix.draw(page.settings, page.model)
    cells = [
        (CHOICES[layers][0], here, paper if paper is not None else "")
        for layers, (here, paper) in scores.items()
    ]
    heads = ["layers", "F1, bert here, wikigold", "F1, BERT base, CoNLL-2003, of the paper"]
    return [
        Picture("picture", "which-layers"),
        Export("Both columns", "which-layers.csv", lambda: table(heads, cells)),
        *mix_saves,
    ]


def reading(page: OpenPage[None]) -> Reading:
    """How to read both sides."""
    from explorer.finetuning import library

    stored = library.compared("choices")
    return Reading(
        "On the left, filled squares are the layers that the head reads, with the embedding first. F1 "
        "counts whole names, bars go from 0 to 1, and the highest number of each column is bold. On the "
        "right, a bar is the weight of a layer of ELMo in the mix that the head reads. The weights sum to "
        "1 and are learnt with the head, while the layers stay frozen. After training, the mix and each "
        "layer alone are compared: each quarter of the examples is held out once.",
        f"Here: the bundled bert, a linear head, {stored['train']:,} sentences of wikigold to learn from "
        f"and {stored['test']:,} to test. In the paper: BERT base, a BiLSTM of two layers, CoNLL-2003 "
        "(Devlin et al. 2019, table 7, whose sums are weighted). Compare the order and not the height. A "
        "large weight in the mix does not prove that a layer is better, because the layers overlap in "
        "what they know.",
    )


def example(page: OpenPage[None]) -> Example:
    """The mix from Python once it has been trained, and before that the stored figures."""
    return Example(f1_by_layers) if layer_mix.is_untrained(page.settings) else layer_mix.code(page.settings)


def f1_by_layers() -> "dict[Layers, tuple[float, float | None]]":
    """F1 of names by choice of layers: measured here, and in the paper (None if it has no figure)."""
    from explorer.finetuning import library
    from explorer.finetuning.library import BERT_NAMES

    scores = library.compared("choices")["scores"]
    return {layers: (f1, BERT_NAMES.get(layers)) for layers, f1 in scores.items()}


def data(scores: "Mapping[Layers, tuple[float, float | None]]") -> dict[str, Any]:
    """The component's data."""
    most = [max(pair[side] or 0.0 for pair in scores.values()) for side in (0, 1)]
    return {
        "label": "F1 of names by choice of layers",
        "heads": ["F1 of our BERT", "BERT base"],
        "rows": [
            {
                "name": CHOICES[layers][0],
                "layers": [layer in CHOICES[layers][1] for layer in range(DEPTH)],
                "sign": CHOICES[layers][2],
                "bars": [
                    None
                    if value is None
                    else {"share": value, "number": f"{value:.3f}".lstrip("0"), "best": value == most[side]}
                    for side, value in enumerate(pair)
                ],
            }
            for layers, pair in scores.items()
        ],
    }


VIEW = View(
    label="Which layers to use",
    audience="For those who read the papers of BERT and ELMo: which layers a task should read.",
    first=Hints(
        "Several layers together find names better than the last one alone. The embedding is the worst.",
        "Press Train: how much does each layer of ELMo count in the end?",
    ),
    settings=(ELMO_SET,),
    model=layer_mix.MODEL,
    formulas=(replace(ELMO, source="Peters et al. 2018, equation 1. The linear head here absorbs γ."),),
    draw=draw,
    reading=reading,
    example=example,
    is_opening=lambda page: layer_mix.is_untrained(page.settings),
    now=lambda page: layer_mix.in_words(page.settings),
)
