"""Which layers: BERT's choices of frozen features for names, measured here, and in BERT's paper."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
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
    """A row for each choice. Raises NotFoundError if nothing was measured."""
    scores = f1_by_layers()
    component("finetuning/layer_choices")(key="finetuning/layer-choices", data=data(scores))
    cells = [
        (CHOICES[layers][0], here, paper if paper is not None else "")
        for layers, (here, paper) in scores.items()
    ]
    heads = ["layers", "F1, bert here, wikigold", "F1, BERT base, CoNLL-2003, of the paper"]
    return [
        Picture("picture", "which-layers"),
        Export("Both columns", "which-layers.csv", lambda: table(heads, cells)),
    ]


def reading(page: OpenPage[None]) -> Reading:
    """How to read the two columns."""
    from explorer.finetuning import library

    stored = library.compared("choices")
    return Reading(
        "Filled squares are the layers that the head reads, the embedding on the left. F1 counts whole "
        "names. Bars go from 0 to 1; the highest number of each column is bold.",
        f"Here: the bundled bert, a linear head, {stored['train']:,} sentences of wikigold to learn from and "
        f"{stored['test']:,} to test. There: BERT base, a BiLSTM of two layers, CoNLL-2003 (Devlin et al. "
        "2019, table 7, whose sums are weighted). Another model on other data: compare the order, not the "
        "height.",
    )


def example(page: OpenPage[None]) -> Example:
    """The same figures from Python."""
    return Example(f1_by_layers)


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
        "heads": ["here: bert, wikigold", "the paper: BERT base, CoNLL-2003"],
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
    label="Which layers",
    audience="Which layers to read for a task.",
    first=Hints(
        "A row is a choice of frozen layers for a head to read; its bar is how well it finds names.",
        "Compare the first row with the others: a word alone does not say what it names.",
    ),
    draw=draw,
    reading=reading,
    example=example,
)
