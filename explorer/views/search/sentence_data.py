"""Sentences as plain data for the components: rows of the matrix, dots of the map, entries of the list."""

from typing import TYPE_CHECKING, Any

from explorer.views.widgets.marks import mark

if TYPE_CHECKING:
    from explorer.analysis.sentences import SentenceVectors

GRAIN = 1000  # cosines are sent as whole numbers
LONGEST_NAME = 30  # characters of a name on the map


def groups(vectors: "SentenceVectors") -> list[int | None]:
    """The cluster of each sentence, by k-means, numbered from 0; None where none is clear."""
    from explorer.analysis.senses import clusters

    found = clusters.groups(vectors.dense)
    return [None] * len(vectors.texts) if found is None else list(found.member)


def entry(vectors: "SentenceVectors", groups: list[int | None], index: int) -> dict[str, Any]:
    """A sentence with the mark of its cluster."""
    text = vectors.texts[index]
    return {
        "id": str(index),
        "sense": f"line {index + 1}",
        "whole": text,
        "parts": (text, "", ""),
        **mark(groups[index]),
    }


def matrix(vectors: "SentenceVectors", groups: list[int | None]) -> dict[str, Any]:
    """The rows, their order by similarity, and the cosines below the diagonal; a cosine is its own shade."""
    import torch

    from explorer.analysis.senses import seriation

    count = len(vectors.texts)
    cosines = vectors.cosines
    pairs = cosines[*torch.tril_indices(count, count, -1)]
    rows = [entry(vectors, groups, i) for i in range(count)]
    grains = (pairs * GRAIN).round().int().tolist()
    return {
        "label": f"Cosines of {count} sentences, two at a time",
        "rows": [row | {"sense": "", "whole": row["parts"]} for row in rows],
        "order": seriation.order_by_similarity(cosines),
        "groups": [],
        "cosines": grains,
        "shades": grains,
        "itself": 1.0,
        "baseline": None,
        "ends": ["0", "1"],
        "layer": None,
        "last": 0,
    }


def dots(vectors: "SentenceVectors", groups: list[int | None]) -> list[dict[str, Any]]:
    """A dot for each sentence, named with its first words."""
    dots = []
    for i, text in enumerate(vectors.texts):
        name = text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME].rpartition(' ')[0]} …"
        group = groups[i]
        dots.append(
            {
                "id": str(i),
                "text": name,
                "mark": -1 if group is None else group,
                "tip": "" if name == text else text,
            }
        )
    return dots
