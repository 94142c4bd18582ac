"""The map of a word's occurrences as plain data: dots, their places at every stop, names, contours."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.widgets.marks import mark, parts

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.projection.contours import Density
    from explorer.analysis.projection.many import Cells
    from explorer.views.senses.grouping import Grouping
    from explorer.views.senses.word_occurrences import WordOccurrences

GRAIN = 10_000  # places are sent as whole numbers, this many to the half width of the picture
EMBEDDING, ALONE = "embedding", "word alone"


def dots(occurrences: "WordOccurrences", groups: "Grouping") -> list[dict[str, Any]]:
    """One dot per occurrence: its name, its mark's number, and the sentence around the word.

    `pair` names the minimal pair that its sentence belongs to.
    """
    return [
        {
            "id": occurrences.name(i),
            "mark": -1 if groups.member[i] is None else groups.member[i],
            "sense": groups.name(i),
            "parts": parts(occurrences.text(i), occurrences.matches.span[i]),
            "pair": occurrences.mark(i) or "",
        }
        for i in range(len(occurrences.matches))
    ]


def marks(groups: "Grouping") -> list[dict[str, Any]]:
    """Colour and shape of each group, in order; last, those of a dot without one (mark -1)."""
    return [*map(mark, range(len(groups.names))), mark(None)]


def names(groups: "Grouping") -> list[dict[str, Any]]:
    """What to write beside the dots, in which colour, and the dots it stands for.

    Where senses are known, a lone dot without one is named “?”.
    """
    unknown = [i for i, group in enumerate(groups.member) if group is None]
    names = [
        {
            "text": name,
            "words": " · ".join(groups.words[g]),
            "mark": g,
            "members": [i for i, group in enumerate(groups.member) if group == g],
        }
        for g, name in enumerate(groups.names)
    ]
    if names and not groups.from_clusters and len(unknown) == 1:
        names.append({"text": "?", "words": "", "mark": -1, "members": unknown})
    return names


def stops(occurrences: "WordOccurrences") -> list[str]:
    """What each stop of the layer slider is called."""
    return [ALONE, EMBEDDING, *(f"layer {n}" for n in range(1, occurrences.layers + 1))]


def frames(planes: "Sequence[Tensor | None]", unit: float) -> list[list[int] | None]:
    """Each stop's places in a row, x, y (and z) after one another; None where there is no picture."""
    return [
        None if plane is None else (plane / unit * GRAIN).round().int().flatten().tolist() for plane in planes
    ]


def rings(smooth: "Density", shares: Sequence[float], unit: float) -> list[dict[str, Any]]:
    """Lines that enclose the smallest areas with these shares of a density, the largest first."""
    from explorer.analysis.projection import contours as density

    return [
        {
            "mark": -1,
            "share": share,
            "lines": [
                [grains(value, unit) for point in line for value in point]
                for line in density.outlines(smooth, share)
            ],
        }
        for share in shares
    ]


def cells(cells: "Cells", unit: float, total: int) -> dict[str, Any]:
    """Squares of the picture with how many of all occurrences lie in each, row by row from below."""
    edges = cells.x[0], cells.y[0], cells.x[-1], cells.y[-1]
    return {
        "box": [grains(float(edge), unit) for edge in edges],
        "columns": cells.counts.shape[1],
        "counts": cells.counts.flatten().tolist(),
        "total": total,
    }


def grains(place: float, unit: float) -> int:
    """A place as it is sent."""
    return round(place / unit * GRAIN)


def contours(
    plane: "Tensor", groups: "Grouping", reach: tuple[float, float], unit: float
) -> list[dict[str, Any]]:
    """Lines that enclose most of each group's density: those of all dots where there are no groups."""
    from explorer.analysis.projection import contours as density

    members = {g: [i for i, m in enumerate(groups.member) if m == g] for g in range(len(groups.names))}
    lines_by_group = []
    for group, indices in members.items() or {-1: list(range(len(plane)))}.items():
        smooth = density.density(plane[indices], reach)
        for share in density.SHARES:
            lines = [
                [grains(value, unit) for point in line for value in point]
                for line in density.outlines(smooth, share)
            ]
            lines_by_group.append({"mark": group, "share": share, "lines": lines})
    return lines_by_group
