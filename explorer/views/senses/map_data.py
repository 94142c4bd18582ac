"""The map of a word's occurrences as plain data for its component: dots, places, names, contours."""

from collections.abc import Sequence
from typing import Any

from explorer.locale import N_, _
from explorer.views.senses.grouping import Grouping
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.types import Density, Tensor
from explorer.views.widgets.marks import mark, parts

GRAIN = 10_000  # places are sent as whole numbers; this is half the width of the picture
EMBEDDING, ALONE = N_("embedding"), N_("word alone")


def dots(occurrences: "WordOccurrences", groups: "Grouping") -> list[dict[str, Any]]:
    """A dot for each occurrence: its name, the number of its mark, and the sentence around the word.

    `pair` is the group of minimal pairs of its sentence, or empty.
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
    """Colour and shape of each group, in order; the last is for dots without a group (mark -1)."""
    return [*map(mark, range(len(groups.names))), mark(None)]


def names(groups: "Grouping") -> list[dict[str, Any]]:
    """The names to write beside the dots, with the colour and the dots of each.

    If senses are known, a single dot without one is named “?”.
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
    """The name of each stop of the layer slider."""
    layers = range(1, occurrences.layers + 1)
    return [_(ALONE), _(EMBEDDING), *(_("layer {number}", number=number) for number in layers)]


def frames(planes: "Sequence[Tensor | None]", unit: float) -> list[list[int] | None]:
    """The flat list of coordinates (x, y, perhaps z of each dot) at each stop; None without a map."""
    return [
        None if plane is None else (plane / unit * GRAIN).round().int().flatten().tolist() for plane in planes
    ]


def rings(smooth: "Density", shares: Sequence[float], unit: float, mark: int = -1) -> list[dict[str, Any]]:
    """Lines around the smallest areas with these shares of a density, in the same order."""
    from explorer.analysis.projection.contours import outlines

    return [
        {
            "mark": mark,
            "share": share,
            "lines": [
                [grains(value, unit) for point in line for value in point] for line in outlines(smooth, share)
            ],
        }
        for share in shares
    ]


def grains(place: float, unit: float) -> int:
    """A coordinate as the whole number that is sent."""
    return round(place / unit * GRAIN)


def contours(
    plane: "Tensor", groups: "Grouping", reach: tuple[float, float], unit: float
) -> list[dict[str, Any]]:
    """Lines around most of each group's density, or around that of all dots if there are no groups."""
    from explorer.analysis.projection.contours import SHARES, density

    members = {g: [i for i, m in enumerate(groups.member) if m == g] for g in range(len(groups.names))}
    return [
        line
        for group, indices in (members or {-1: list(range(len(plane)))}).items()
        for line in rings(density(plane[indices], reach), SHARES, unit, group)
    ]
