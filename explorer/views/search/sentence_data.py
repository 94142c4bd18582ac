"""Sentences as plain data for the components: rows of the matrix, dots of the map, entries of the list."""

from collections.abc import Sequence
from typing import Any

from explorer.locale import _
from explorer.views.types import SentenceVectors
from explorer.views.widgets.marks import mark

GRAIN = 1000  # cosines are sent as whole numbers
LONGEST_NAME = 30  # characters of a name on the map
FEW = 30  # sentences whose names are written large on the map
Clusters = Sequence[int | None]


def clusters_of(vectors: "SentenceVectors") -> Clusters:
    """The cluster of each sentence, by k-means, numbered from 0; None where none is clear."""
    from explorer.analysis.senses import clusters

    groups = clusters.groups(vectors.dense)
    return groups.member if groups else [None] * len(vectors.texts)


def entry(vectors: "SentenceVectors", clusters: Clusters, index: int) -> dict[str, Any]:
    """A sentence with the mark of its cluster."""
    text = vectors.texts[index]
    parts = (text, "", "")
    return {
        "id": str(index),
        "sense": _("line {number}", number=index + 1),
        "whole": text,
        "parts": parts,
        **mark(clusters[index]),
    }


def matrix(vectors: "SentenceVectors", clusters: Clusters, height: int) -> dict[str, Any]:
    """The rows, their order by similarity, and the cosines below the diagonal; a cosine is its own shade."""
    import torch

    from explorer.analysis.senses import seriation

    count, cosines = len(vectors.texts), vectors.cosines
    rows = [entry(vectors, clusters, i) for i in range(count)]
    grains = (cosines[*torch.tril_indices(count, count, -1)] * GRAIN).round().int().tolist()
    return {
        "label": _("Cosines of {count} sentences, two at a time", count=count),
        "height": height,
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
        "locked": "",
        "summary": "",
    }


def dots(
    vectors: "SentenceVectors", clusters: Clusters, languages: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """A dot for each sentence, named with its first words; the first ones by their `languages`."""
    own = len(languages)
    names = [*languages] + [
        text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME].rpartition(' ')[0]} …"
        for text in vectors.texts[own:]
    ]
    return [
        {
            "id": str(i),
            "text": name,
            "mark": -1 if (at := clusters[i]) is None else at,
            "tip": text * (name != text),
            **({"strong": True, "hollow": True} if 0 < own <= i else {"size": 0.7} if own else {}),
        }
        for i, (name, text) in enumerate(zip(names, vectors.texts))
    ]
