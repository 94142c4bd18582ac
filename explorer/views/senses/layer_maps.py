"""The pictures of one look: all layers of a projection on one scale, and the groups in it.

Computed once and kept for all visitors under the look's key.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.senses.word_occurrences import ALONE, WordOccurrences

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.projection.lda import Discriminant
    from explorer.analysis.projection.methods import Projection

METHODS = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP", "lda": "LDA"}
MOST_PLAYED = 300  # dots beyond which t-SNE and UMAP are made for the layer in view alone
SMALLEST_REACH = 1e-3  # below it a picture shows rounding errors


@dataclass(frozen=True, eq=False)
class LayerMaps:
    """A picture for every stop of the layer slider, or None where it has not been made.

    `reach` is how far the dots go along each axis on any of them, and `says` one line per stop on
    what the picture keeps and what it cannot say.
    """

    planes: "list[Tensor | None]"
    reach: tuple[float, ...]
    says: list[str]


@dataclass(frozen=True, eq=False)
class Grouping:
    """What the colours mean: known senses, or groups that were found.

    `member` is the group of each occurrence, None where it has none. `words` set each group's
    sentences apart from the others'. `says` is a line on where found groups come from.
    """

    names: list[str]
    member: list[int | None]
    words: list[list[str]]
    found: bool = False
    says: str = ""

    def name(self, index: int) -> str:
        """What an occurrence's group is called; nothing where it has none."""
        group = self.member[index]
        return "" if group is None else self.names[group]


def layer_maps(occurrences: WordOccurrences, method: str, axes: int, layer: int) -> LayerMaps:
    """All layers' pictures by one method, on 2 or 3 axes.

    t-SNE and UMAP of many dots take seconds a layer: beyond MOST_PLAYED only `layer` is made.
    """
    alone = method in ("tsne", "umap") and len(occurrences.found) > MOST_PLAYED
    return _layer_maps(occurrences.key, method, axes, layer if alone else None, occurrences)


@st.cache_resource(max_entries=48, show_spinner=False)
def _layer_maps(key: str, method: str, axes: int, only: int | None, _occurrences: WordOccurrences) -> LayerMaps:
    if method == "lda":
        return _parted(_occurrences, axes)
    if method != "pca":
        return _bent(_occurrences, method, axes, only)
    flat = _flat(_occurrences.key, axes, _occurrences)
    planes = [plane.coordinates for plane in flat]
    return LayerMaps(list(planes), _reach(planes), list(map(_kept, flat)))


@st.cache_resource(max_entries=48, show_spinner=False)
def _flat(key: str, axes: int, _occurrences: WordOccurrences) -> "list[Projection]":
    """PCA at every stop, each layer turned to lie on the one before.

    A room is the plane with one more axis: from its front it looks as the plane does.
    """
    import torch

    from explorer.analysis import projection

    if axes == 2:
        stack = torch.cat([_occurrences.alone[:, None], _occurrences.found.vectors], 1)
        return projection.level(projection.project_layers(stack))
    made: list[Projection] = []
    for stop, plane in zip(_occurrences.stops, _flat(key, 2, _occurrences)):
        room = projection.project(_occurrences.at(stop), axes=axes)
        deep = room.coordinates[:, 2:]
        if made and (deep * made[-1].coordinates[:, 2:]).sum() < 0:
            deep = -deep
        made.append(replace(room, coordinates=torch.cat([plane.coordinates, deep], 1)))
    return made


def _together(onto: "list[Tensor]", planes: "list[Tensor]") -> "list[Tensor]":
    """LayerMaps turned, all alike, so that they lie as near some others as they can."""
    import torch

    from explorer.analysis.projection.methods import Projection, align

    below, above = (Projection(torch.cat(points), "pca") for points in (onto, planes))
    return list(align(below, above).coordinates.split([len(plane) for plane in planes]))


def _bent(occurrences: WordOccurrences, method: str, axes: int, only: int | None) -> LayerMaps:
    """t-SNE or UMAP, turned as a whole onto PCA's pictures; their scale means nothing: all are as large."""
    import torch

    from explorer.analysis import projection

    flat = _flat(occurrences.key, axes, occurrences)
    chosen = list(occurrences.stops) if only is None else [only]
    made = projection.project_layers(torch.stack([occurrences.at(stop) for stop in chosen], 1), method, axes=axes)
    turned = _together(
        [flat[stop - ALONE].coordinates for stop in chosen], [plane.coordinates for plane in made]
    )
    planes: list[Tensor | None] = [None] * len(flat)
    says = ["" for _ in flat]
    name = METHODS[method].replace("-", "\u2011")  # a hyphen at which no line breaks
    for stop, plane, points in zip(chosen, made, turned):
        if plane.method != "pca":
            points = points / points.norm(dim=1).max().clamp(min=1e-9)
        planes[stop - ALONE] = points
        says[stop - ALONE] = (
            plane.note or f"{name} keeps neighbours together; its distances and gaps mean little."
        )
        if only is not None:
            says[stop - ALONE] += f" With more than {MOST_PLAYED} dots it is made a layer at a time."
    return LayerMaps(planes, _reach([p for p in planes if p is not None]), says)


def _parted(occurrences: WordOccurrences, axes: int) -> LayerMaps:
    """LDA, where two senses are known well enough; else PCA, and the line says so."""
    from explorer.analysis import projection
    from explorer.analysis.projection import lda

    if len(lda.separable(occurrences.senses)) < 2:
        flat = layer_maps(occurrences, "pca", axes, 0)
        return replace(
            flat, says=["LDA needs two senses of two sentences each: this is PCA."] * len(flat.says)
        )
    made = [lda.discriminant(occurrences.at(stop), occurrences.senses, axes) for stop in occurrences.stops]
    planes = [projection.Projection(found.coordinates, "lda") for found in made]
    # Axes that part senses may be turned among themselves, but not into those that do not.
    follow = projection.align if made[-1].separating == axes else projection.mirror
    for i in range(1, len(planes)):
        planes[i] = follow(planes[i - 1], planes[i])
    points = [plane.coordinates for plane in planes]
    return LayerMaps(list(points), _reach(points), [_judged(found) for found in made])


def _kept(plane: "Projection") -> str:
    """What PCA's picture keeps, and what it cannot say."""
    share = sum(plane.explained)
    if share == 0:
        return "All occurrences have the same vector: one dot."
    return f"The picture keeps {share:.0%} of the variance: dots that touch may lie apart in the rest."


def _judged(found: "Discriminant") -> str:
    right, chance = round(found.accuracy * found.judged), found.shuffled * found.judged
    if not found.accuracy and not found.shuffled:
        return "All occurrences have the same vector: there is nothing to part."
    return (
        f"LDA looks for the senses. Each dot is placed by a fit that has not seen it: {right} of "
        f"{found.judged} land nearest their own sense, with shuffled senses {chance:.0f}. A fit that sees "
        f"its dots would part {found.occurrences:.0%} of shuffled ones too."
    )


def _reach(planes: "list[Tensor]") -> tuple[float, ...]:
    """How far dots go along each axis, over all pictures."""
    import torch

    return tuple(torch.cat(planes).abs().amax(0).clamp(min=SMALLEST_REACH).tolist())


def grouping(occurrences: WordOccurrences, senses: bool) -> Grouping:
    """The known senses, or, where there are none or they are not asked for, the groups found."""
    return _grouping(occurrences.key, senses and any(occurrences.senses), occurrences)


@st.cache_resource(max_entries=48, show_spinner=False)
def _grouping(key: str, senses: bool, _occurrences: WordOccurrences) -> Grouping:
    from explorer.analysis.senses import clusters
    from explorer.analysis.senses.keywords import distinctive

    texts = [_occurrences.text(i) for i in range(len(_occurrences.found))]
    if senses:
        names = list(dict.fromkeys(s for s in _occurrences.senses if s))
        member = [None if s is None else names.index(s) for s in _occurrences.senses]
        told = distinctive(texts, member, _occurrences.word, least=2)
        words = [[w for w in told.get(g, []) if w != name.lower()] for g, name in enumerate(names)]
        return Grouping(names, member, [found if len(found) > 1 else [] for found in words])
    groups = clusters.groups(_occurrences.at(_occurrences.layers))
    if groups is None:
        return Grouping([], [None] * len(texts), [], True, "No groups stand apart in the last layer.")
    told = distinctive(texts, groups.member, _occurrences.word)
    names = [", ".join(told.get(g, [])) or f"group {g + 1}" for g in range(groups.count)]
    return Grouping(
        names,
        list(groups.member),
        [[] for _ in names],
        True,
        f"{groups.count} groups found in the last layer by k-means (silhouette {groups.silhouette:.2f}), "
        "named by words of their own.",
    )
