"""Which layers to use: BERT's choices of frozen layers, here and in its paper, and ELMo's mix, live."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer.locale import N_, _, localised
from explorer.views import kit
from explorer.views.finetuning import layer_mix
from explorer.views.finetuning.settings import ELMO_SET
from explorer.views.types import Layers

DEPTH = 7  # the embedding and six layers
# The name of each choice on screen, its layers (0: the embedding), and how it combines them.
CHOICES: "Mapping[Layers, tuple[str, tuple[int, ...], str]]" = {
    "embeddings": (N_("Embedding"), (0,), ""),
    "second-to-last": (N_("Second to last"), (5,), ""),
    "last": (N_("Last"), (6,), ""),
    "sum of last four": (N_("Last four, summed"), (3, 4, 5, 6), "+"),
    "last four side by side": (N_("Last four, side by side"), (3, 4, 5, 6), ""),
    "sum of all": (N_("All, summed"), (1, 2, 3, 4, 5, 6), "+"),
    "mix": (N_("All, a learnt mix"), (0, 1, 2, 3, 4, 5, 6), ""),
}

VIEW_TEXT = kit.view_text("finetuning", "layers")


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """BERT's choices as rows, and beside them ELMo's mix. Raises ExplorerError."""
    scores = f1_by_layers()
    left, right = st.columns([58, 42], gap="large")
    with left:
        line = _("{model}: which frozen layers a head reads to find names", model="<b>BERT</b>")
        st.html(f"<p class='rb-point'>{line}</p>")
        kit.component("finetuning/layer_choices")(key="finetuning/layer-choices", data=data(scores))
    with right:
        line = _("{model}: a learnt mix of its three layers", model="<b>ELMo</b>")
        st.html(f"<p class='rb-point'>{line}</p>")
        layer_mix.controls(page.settings)
        mix_saves = layer_mix.draw(page.settings, page.model)
    cells = [
        (CHOICES[layers][0], here, paper if paper is not None else "")
        for layers, (here, paper) in scores.items()
    ]
    heads = ["layers", "F1, bert here, wikigold", "F1, BERT base, CoNLL-2003, of the paper"]
    return [
        kit.Picture("picture", "which-layers"),
        kit.Export(N_("Both columns"), "which-layers.csv", lambda: kit.table(heads, cells)),
        *mix_saves,
    ]


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read both sides."""
    from explorer.finetuning import library

    stored = library.compared("choices")
    return VIEW_TEXT.reading.filled(train=stored["train"], test=stored["test"])


def f1_by_layers() -> "dict[Layers, tuple[float, float | None]]":
    """F1 of names by choice of layers: measured here, and in the paper (None if it has no figure)."""
    from explorer.finetuning import library
    from explorer.finetuning.library import BERT_NAMES

    scores = library.compared("choices")["scores"]
    return {layers: (f1, BERT_NAMES.get(layers)) for layers, f1 in scores.items()}


def data(scores: "Mapping[Layers, tuple[float, float | None]]") -> dict[str, Any]:
    """The component's data."""
    plain = kit.for_class()

    def write(value: float) -> str:
        return localised(f"{value:.1%}") if plain else localised(f"{value:.3f}").replace("0.", ".")

    most = [max(pair[side] or 0.0 for pair in scores.values()) for side in (0, 1)]
    return {
        "label": _("F1 of names by choice of layers"),
        "heads": [_("names found, our BERT") if plain else _("F1 of our BERT"), "BERT base"],
        "rows": [
            {
                "name": _(CHOICES[layers][0]),
                "layers": [layer in CHOICES[layers][1] for layer in range(DEPTH)],
                "sign": CHOICES[layers][2],
                "bars": [
                    None
                    if value is None
                    else {
                        "share": value,
                        "number": write(value),
                        "best": value == most[side],
                    }
                    for side, value in enumerate(pair)
                ],
            }
            for layers, pair in scores.items()
        ],
    }


VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=reading,
        change=lambda page: layer_mix.in_words(page.settings),
        is_opening=lambda page: layer_mix.is_untrained(page.settings),
    ),
    settings=(ELMO_SET,),
    model=layer_mix.MODEL,
    picture=draw,
    example=lambda page: (
        kit.Example(f1_by_layers) if layer_mix.is_untrained(page.settings) else layer_mix.code(page.settings)
    ),
    stage=kit.Stage(panel='[data-testid="stColumn"]:has([class*="tower-elmo"])'),
)
