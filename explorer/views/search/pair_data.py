"""Passages, and the pairs of tokens of a question and one of them, as plain data for the components."""

from typing import TYPE_CHECKING, Any

from explorer.locale import _, localised
from explorer.views.types import Pairs, Ranking, TokenShares
from explorer.views.widgets.token_text import token_labels

if TYPE_CHECKING:
    from explorer.views.search.line import Line

MOST_ROWS, MOST_COLUMNS = 24, 80  # tokens drawn


def ranking_data(
    ranking: "Ranking", chosen: int = -1, places: bool = False, line: "Line | None" = None
) -> dict[str, Any]:
    """The passages with their scores, or their `places`; one may be `chosen`, and some below a line."""
    rows = [
        {"score": f"{place}" if places else localised(f"{match.score:.2f}"), "text": match.text}
        for place, match in enumerate(ranking.matches, 1)
    ]
    data: dict[str, Any] = {"label": _("Passages, best first"), "rows": rows, "chosen": chosen, "line": None}
    if line is None:
        return data
    above = sum(match.score > line.score for match in ranking.matches)
    return data | {"line": {"above": above, **line.data(not places)}}


def pair_data(pairs: "Pairs") -> dict[str, Any]:
    """The matrix with the tokens at its sides, and what each token adds in all.

    Of long texts the first tokens are drawn; the sums are of all.
    """
    products = pairs.products
    note = ""
    if len(products) > MOST_ROWS or products.shape[1] > MOST_COLUMNS:
        note = _(
            "The first {rows} and {columns} tokens are drawn; sums and cosine are of all.",
            rows=MOST_ROWS,
            columns=MOST_COLUMNS,
        )
    cells = products[:MOST_ROWS, :MOST_COLUMNS]
    return {
        "rows": _labels(pairs.question, products.sum(1).tolist(), MOST_ROWS),
        "columns": _labels(pairs.passage, products.sum(0).tolist(), MOST_COLUMNS),
        "cells": [[round(value, 5) for value in row] for row in cells.tolist()],
        "cosine": round(pairs.cosine, 4),
        "note": note,
    }


def _labels(shares: "TokenShares", sums: list[float], most: int) -> list[dict[str, Any]]:
    """The tokens with their names, what each adds, and whether a space comes before it in the text."""
    encoding, count = shares.encoding, min(len(sums), most)
    spans = encoding.spans[:count]
    return [
        each
        | {
            "sum": round(sums[i], 5),
            "surface": encoding.surface(i),
            "space": i > 0 and spans[i][0] != spans[i - 1][1],
        }
        for i, each in enumerate(token_labels(encoding, range(count)))
    ]
