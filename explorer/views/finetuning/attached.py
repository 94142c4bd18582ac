"""The picture of where a head is attached: a text's tokens, the layers, the head, and which parts learn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.widgets.token_text import label

if TYPE_CHECKING:
    from explorer.finetuning.encoding import EncodedExample
    from explorer.finetuning.features import Features
    from explorer.finetuning.tasks import Task
    from explorer.models import LanguageModel

MOST_TOKENS = 8  # of a longer text the first and the last ones are drawn
LAST_TOKENS = 2
TEXT_VECTORS = {
    "cls": "it reads [CLS]",
    "mean": "it reads the mean of all",
    "last": "it reads the last token",
}
TOKEN_VECTORS = {"tags": "it reads each word’s first token", "answers": "it reads the passage and [CLS]"}


def data(
    encoded: "EncodedExample", model: "LanguageModel", task: "Task", features: "Features", learns: bool
) -> dict[str, Any]:
    """The component's data for a text as the model reads it; `learns`: the layers are trained too."""
    from explorer.finetuning.features import feature_width

    layers = model.config.layers
    width = feature_width(model.config.d_model, layers + 1, features.layers)
    positions = {*encoded.places, *([0] if task.whole_text else [])}
    tokens: list[dict[str, Any]] = []
    for i in drawn_positions(len(encoded.encoding), MOST_TOKENS):
        if i is None:
            tokens.append({"text": "…", "used": False, "quiet": True})
        else:
            special = bool(encoded.encoding.special[i])
            tokens.append({"text": label(encoded.encoding, i), "used": i in positions, "quiet": special})
    head = f"{len(task.labels)} × {width:,} numbers"
    return {
        "label": f"A head of {head} on {layers} layers; {'both learn' if learns else 'it alone learns'}",
        "title": "What Train changes",
        "tokens": tokens,
        "layers": layers,
        "whole": learns,
        "each": len(positions) > 1,
        "head": f"{head}, trained",
        "input": TEXT_VECTORS[features.pool] if task.whole_text else TOKEN_VECTORS[task.kind],
        "body": f"{layers} layers, {'trained too' if learns else 'frozen'}",
        "table": "embeddings, always frozen",
    }


def drawn_positions(count: int, most: int) -> Sequence[int | None]:
    """The positions of the tokens that are drawn; None stands for those between.

    >>> drawn_positions(3, 9), drawn_positions(12, 6)
    ([0, 1, 2], [0, 1, 2, None, 10, 11])
    """
    if count <= most:
        return list(range(count))
    return [*range(most - LAST_TOKENS - 1), None, *range(count - LAST_TOKENS, count)]
