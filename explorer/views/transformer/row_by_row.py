"""Row by row: the weights of a GPT head, which get a new row with each token; earlier rows never change."""

from typing import TYPE_CHECKING

from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.transformer import layer_and_head
from explorer.views.transformer.presets import ROWS as PRESETS
from explorer.views.transformer.settings import HEAD, LAYER, MODEL, ROWS, TEXT
from explorer.views.widgets import two_texts
from explorer.views.widgets.notes import instruction
from explorer.views.widgets.registry import component, component_value
from explorer.views.widgets.token_names import token_labels

if TYPE_CHECKING:
    from explorer.models import LanguageModel


TOKENS = 10
KEY = "transformer/rows"


def controls(page: OpenPage[None]) -> None:
    """The sentence; layer and head are beside it."""
    with two_texts.first_text(page.settings):
        layer_and_head.controls(page)


def draw(page: OpenPage[None]) -> Saves:
    """The triangle, as far as tokens have come."""
    from explorer.analysis.transformer import walk

    settings = page.settings
    if not settings[TEXT].strip():
        instruction()
        return []
    steps = walk(page.model, settings[TEXT], None, settings[LAYER], settings[HEAD], TOKENS)
    tokens = token_labels(steps.encoding)
    names, texts = [token["name"] for token in tokens], [token["text"] for token in tokens]
    weights = steps.value("weights").tolist()
    numbers = [[weight if j <= i else None for j, weight in enumerate(row)] for i, row in enumerate(weights)]

    def take() -> None:
        if rows := component_value(KEY, "rows"):
            settings.set(ROWS.to(rows))

    component("transformer/score_maps")(
        key=KEY,
        data={
            "maps": [
                {
                    "title": f"Weights of head L{steps.layer}H{steps.head}",
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
            "rows": min(settings[ROWS], len(names)),
        },
        on_rows_change=take,
    )
    layer_and_head.note_unread(steps.encoding)
    file = f"{settings[MODEL]}-L{steps.layer}H{steps.head}-rows"
    lines = [[name, *row] for name, row in zip(names, weights)]
    return [
        Picture("picture", file),
        Export("All weights", f"{file}.csv", lambda: table(["from", *names], lines)),
    ]


def reading(page: OpenPage[None]) -> Reading:
    """How to read it."""
    return Reading(
        "Each row is a token that reads, each column one that is read; a row’s weights add up to 1. The "
        "slider and the arrow keys let one token after another come.",
        "In BERT every new token would change all rows: there each token reads the later ones too.",
    )


def example(page: OpenPage[None]) -> Example:
    """The rows from Python."""
    settings = page.settings
    return Example(
        rows,
        model=Load(settings[MODEL]),
        text=settings[TEXT],
        layer=settings[LAYER],
        head=settings[HEAD],
        limit=TOKENS,
    )


def rows(model: "LanguageModel", text: str, layer: int, head: int, limit: int) -> list[list[float]]:
    """The weights of each token on those before it and on itself, in the order of the text."""
    from explorer.analysis.transformer import walk

    weights = walk(model, text, None, layer, head, limit).value("weights")
    return [row[: number + 1].tolist() for number, row in enumerate(weights)]


VIEW = View(
    label="Row by row",
    audience="For those who write the code: the numbers of a step as a table.",
    first=Hints(
        "A row for each token that has been read; what stands there stays as it is.",
        "Press play: the next token adds a row, and changes none.",
    ),
    settings=(ROWS, LAYER, HEAD),
    presets=PRESETS,
    needs=("GENERATE",),
    model="gpt",
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
