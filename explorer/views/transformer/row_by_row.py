"""Row by row: the weights of a GPT head as its tokens come, a row for each; no row ever changes again."""

from functools import partial
from typing import TYPE_CHECKING, Any

from explorer.views.frame.example import Example, Load
from explorer.views.frame.first import First
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.values import Whole
from explorer.views.frame.view import Page, Reading, Saves, nothing
from explorer.views.transformer import layer_and_head
from explorer.views.transformer.parts import Worked
from explorer.views.transformer.presets import DEFAULTS
from explorer.views.transformer.presets import ROWS as PRESETS
from explorer.views.widgets import two_texts
from explorer.views.widgets.invite import invite
from explorer.views.widgets.registry import component, sent
from explorer.views.widgets.token_names import named

if TYPE_CHECKING:
    from explorer.analysis.transformer import Walk
    from explorer.models import LanguageModel

__all__ = [
    "FIRST",
    "LABEL",
    "MODEL",
    "NEEDS",
    "PRESETS",
    "SETTINGS",
    "ask",
    "below",
    "controls",
    "draw",
    "example",
    "reading",
    "work",
]

LABEL = "Row by row"
FIRST = First(
    "A row for each token that has been read; what stands there stays as it is.",
    "Press play: the next token adds a row, and changes none.",
)
SETTINGS: dict[str, Any] = {"rows": Whole(3, 1), "layer": DEFAULTS["layer"], "head": DEFAULTS["head"]}
NEEDS, MODEL = ("GENERATE",), "gpt"
TOKENS = 10
KEY = "transformer/rows"
below = nothing
controls = layer_and_head.controls


def ask(settings: Settings, model: "LanguageModel | None") -> Any:
    """The sentence; layer and head stand beside it."""
    return two_texts.first_text(settings)


def work(settings: Settings, model: "LanguageModel | None") -> "Walk":
    """The walk through the chosen layer, for the head's weights."""
    from explorer.analysis.transformer import walk

    assert model is not None
    return walk(model, settings["text"], None, settings["layer"], settings["head"], TOKENS)


def draw(page: "Page[Worked[Walk]]") -> Saves:
    """The triangle, as far as tokens have come."""
    settings = page.settings
    if not settings["text"].strip():
        invite()
        return []
    walk = page.data.found
    tokens = named(walk.encoding)
    names, texts = [token["name"] for token in tokens], [token["text"] for token in tokens]
    weights = walk.value("weights").tolist()
    numbers = [[weight if j <= i else None for j, weight in enumerate(row)] for i, row in enumerate(weights)]

    def take() -> None:
        if rows := sent(KEY, "rows"):
            settings.set(rows=rows)

    component("transformer/score_maps")(
        key=KEY,
        data={
            "maps": [
                {
                    "title": f"Weights of head L{walk.layer}H{walk.head}",
                    "formula": "A = softmax(Q K^{T} / √d), for j ≤ i",
                    "note": "A new token adds one row: its query meets the keys of all tokens so far. "
                    "Rows above stay as they are; their keys and values are kept, not computed again.",
                    "rows": texts,
                    "columns": texts,
                    "numbers": numbers,
                    "most": 1.0,
                    "digits": 2,
                }
            ],
            "rows": min(settings["rows"], len(names)),
        },
        on_rows_change=take,
    )
    layer_and_head.say_unread(walk.encoding)
    file = f"{settings['model']}-L{walk.layer}H{walk.head}-rows"
    return [
        Picture("picture", file),
        Export("All weights", f"{file}.csv", partial(table, ["from", *names], _rows(names, weights))),
    ]


def reading(page: "Page[Worked[Walk]]") -> Reading:
    """How to read it."""
    return Reading(
        "Each row is a token that reads, each column one that is read; a row’s weights add up to 1. The "
        "slider and the arrow keys let one token after another come.",
        "In BERT every new token would change all rows: there each token reads the later ones too.",
    )


def example(page: "Page[Worked[Walk]]") -> Example:
    """The rows from Python."""
    settings = page.settings
    return Example(
        rows,
        model=Load(settings["model"]),
        text=settings["text"],
        layer=settings["layer"],
        head=settings["head"],
        limit=TOKENS,
    )


def rows(model: "LanguageModel", text: str, layer: int, head: int, limit: int) -> list[list[float]]:
    """What each token reads of itself and of those before it, in the order in which they come."""
    from explorer.analysis.transformer import walk

    weights = walk(model, text, None, layer, head, limit).value("weights")
    return [row[: number + 1].tolist() for number, row in enumerate(weights)]


def _rows(names: list[str], weights: list[list[float]]) -> list[list[Any]]:
    return [[name, *row] for name, row in zip(names, weights)]
