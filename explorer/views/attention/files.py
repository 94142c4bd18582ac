"""Attention as files: every layer for a web page, a table of weights, a layer as JSON."""

import json
from collections.abc import Sequence
from typing import Any

from explorer.views import kit
from explorer.views.attention import buffer
from explorer.views.types import Patterns, Trace

DIGITS = 4
COLUMNS = ["head", "from_position", "from", "to_position", "to", "weight"]  # of a table of weights


def weights(names: Sequence[str], patterns: "Patterns", layer: int, heads: Sequence[int]) -> str:
    """A table with a line for each weight of some heads: head, both tokens with their positions, weight."""
    rows = [
        [kit.head_name(layer, head), q, name, k, names[k], weight]
        for head in heads
        for q, (name, row) in enumerate(zip(names, patterns.pattern[head].tolist()))
        for k, weight in enumerate(row)
    ]
    return kit.table(COLUMNS, rows)


def layer(names: Sequence[str], patterns: "Patterns", layer: int, trace: "Trace") -> str:
    """Every head of a layer as JSON, with the text that was read."""
    content = {
        "checkpoint": trace.checkpoint,
        "text": trace.encoding.text,
        "pair": trace.encoding.pair,
        "layer": layer,
        "tokens": list(names),
        "positions": patterns.groups,
        "pattern": [
            [[round(w, DIGITS) for w in row] for row in head] for head in patterns.pattern.double().tolist()
        ],
        "axes": ["head", "query", "key"],
    }
    return json.dumps(content, ensure_ascii=False)


def every_layer(
    header: dict[str, Any],
    layers: "Sequence[Patterns]",
    kinds: dict[tuple[int, int], tuple[str, str]],
) -> dict[str, Any]:
    """The data of the picture in a page without a server: a buffer of each layer, and which is open.

    `header` is that of one layer; `kinds` say in a word and in a sentence what each head does.
    """
    buffers = [
        buffer.layer(
            patterns,
            header
            | {
                "fixed": True,
                "answered": 0,
                "kinds": [
                    sentence if word else ""
                    for word, sentence in (kinds[number, head] for head in range(header["heads"]))
                ],
                "state": header["state"] | {"layer": number},
            },
        )
        for number, patterns in enumerate(layers)
    ]
    return {"layers": buffers, "layer": header["state"]["layer"]}
