"""The picture of what is attached where: a text's tokens, the layers, the head, and which of them learn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.widgets.registry import component
from explorer.views.widgets.token_text import label

if TYPE_CHECKING:
    from explorer.finetuning.encoding import EncodedExample
    from explorer.views.finetuning.bench import Bench

MOST = 8  # tokens that there is room for; of a longer text the first and the last ones are drawn
AFTER = 2
TAKES = {
    "cls": "it reads [CLS]",
    "cls and mean": "it reads [CLS] and the mean",
    "mean": "it reads the mean of all",
    "last": "it reads the last token",
}
EACH = {"tags": "it reads each first piece", "answers": "it reads the passage and [CLS]"}


def attached(read: "EncodedExample", bench: "Bench", key: str) -> None:
    """Draw it for a text as the model reads it."""
    component("finetuning/attached")(key=key, data=data(read, bench))


def data(read: "EncodedExample", bench: "Bench") -> dict[str, Any]:
    """What the component is given."""
    whole_text = bench.kind in ("classes", "pairs")
    used = {*read.places, *([0] if whole_text else [])}
    tokens: list[dict[str, Any]] = []
    for i in places(len(read.encoding), MOST):
        if i is None:
            tokens.append({"text": "…", "used": False, "quiet": True})
        else:
            special = bool(read.encoding.special[i])
            tokens.append({"text": label(read.encoding, i), "used": i in used, "quiet": special})
    head = f"{len(bench.task.labels)} × {bench.width:,} numbers"
    learns = "both learn" if bench.tunes else "it alone learns"
    return {
        "label": f"A head of {head} on {bench.layers} layers; {learns}",
        "title": "What Train changes",
        "tokens": tokens,
        "layers": bench.layers,
        "whole": bench.tunes,
        "each": len(used) > 1,
        "head": f"{head}, trained",
        "takes": TAKES[bench.features.pool] if whole_text else EACH[bench.kind],
        "body": f"{bench.layers} layers, {'trained too' if bench.tunes else 'frozen'}",
        "table": "embeddings, always frozen",
    }


def places(count: int, most: int) -> Sequence[int | None]:
    """The tokens that are drawn; None stands for those between.

    >>> places(3, 9), places(12, 6)
    ([0, 1, 2], [0, 1, 2, None, 10, 11])
    """
    if count <= most:
        return list(range(count))
    return [*range(most - AFTER - 1), None, *range(count - AFTER, count)]
