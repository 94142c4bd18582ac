"""The maps of a word's occurrences: all layers by one projection, on one scale, with a line on each.

They are computed once and cached for all visitors under the occurrences' key.
"""

from dataclasses import dataclass
from typing import cast

from explorer import analysis
from explorer.locale import _, language
from explorer.server.kept import kept
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.types import Discriminant, MapMethod, Projection, Tensor
from explorer.views.widgets.numbers import whole_percent
from explorer.views.widgets.word_map import kept as kept_line

METHODS = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP", "lda": "LDA"}
MOST_PLAYED = 300  # with more dots, t-SNE and UMAP are computed only for the layer that is shown
SMALLEST_REACH = 1e-3  # below it a map shows rounding errors


@dataclass(frozen=True, eq=False)
class LayerMaps:
    """A map for every stop of the layer slider.

    `planes` are the places [occurrence, axis], or None for a map that has not been computed. `reach` is the
    largest coordinate on each axis over all maps. `lines` has a line for each stop on what its map shows and
    what it cannot show.
    """

    planes: "list[Tensor | None]"
    reach: tuple[float, ...]
    lines: list[str]


def layer_maps(occurrences: WordOccurrences, method: str, axes: int, layer: int) -> LayerMaps:
    """The maps of all layers by one method, on 2 or 3 axes.

    t-SNE and UMAP of many dots take seconds per layer: beyond MOST_PLAYED dots only `layer` is computed.
    """
    only = only_layer(occurrences, method, layer)
    return _layer_maps(occurrences.key, method, axes, only, language(), occurrences)


def only_layer(occurrences: WordOccurrences, method: str, layer: int) -> int | None:
    """The only layer to compute a map for, or None if all are computed."""
    return layer if method in ("tsne", "umap") and len(occurrences.matches) > MOST_PLAYED else None


@kept(48)
def _layer_maps(
    key: str, method: str, axes: int, only: int | None, language: str, _occurrences: WordOccurrences
) -> LayerMaps:
    projections = _projections(key, method, axes, only, _occurrences)
    planes = [None if plane is None else plane.coordinates for plane in projections]
    lines = ["" if plane is None else map_line(method, plane) for plane in projections]
    if only is not None:
        lines[only - ALONE] += " " + _(
            "With more than {count} dots it is made a layer at a time.", count=MOST_PLAYED
        )
    return LayerMaps(planes, reach_of([plane for plane in planes if plane is not None]), lines)


@kept(48)
def _projections(
    key: str, method: str, axes: int, only: int | None, _occurrences: WordOccurrences
) -> "list[Projection | Discriminant | None]":
    return analysis.projection.layer_maps(
        _occurrences.at_all_stops(),
        cast("MapMethod", method),
        axes,
        _occurrences.senses,
        None if only is None else only - ALONE,
        _flat(key, axes, _occurrences),
    )


@kept(48)
def _flat(key: str, axes: int, _occurrences: WordOccurrences) -> "list[Projection]":
    """PCA's maps, to which all others are rotated."""
    return analysis.projection.flat_maps(_occurrences.at_all_stops(), axes)


def map_line(method: str, projection: "Projection | Discriminant") -> str:
    """A line on what a map shows, and what it cannot show."""
    if not isinstance(projection, analysis.projection.Projection):
        return _lda_line(projection)
    if method == "lda":
        return _("LDA needs two senses of two sentences each: this is PCA.")
    if method != "pca":
        name = METHODS[method].replace("-", "\u2011")  # a hyphen at which no line breaks
        return projection.note or kept_line(name, projection)
    share = sum(projection.explained or ())
    if share == 0:
        return _("All occurrences have the same vector: one dot.")
    return _(
        "The map shows {share} of the variance: dots that touch may lie apart in the rest.",
        share=whole_percent(share),
    )


def _lda_line(discriminant: "Discriminant") -> str:
    right, chance = (
        round(discriminant.accuracy * discriminant.judged),
        discriminant.shuffled * discriminant.judged,
    )
    if not discriminant.accuracy and not discriminant.shuffled:
        return _("All occurrences have the same vector: there is nothing to separate.")
    return _(
        "LDA is given the senses. Each dot is placed by a fit to the other dots: {right} of {judged} land "
        "nearest their own sense, with shuffled senses {chance}. A fit that included the dot itself would "
        "separate {share} of the shuffled ones too.",
        right=right,
        judged=discriminant.judged,
        chance=f"{chance:.0f}",
        share=whole_percent(discriminant.shuffled_in_sample),
    )


def reach_of(planes: "list[Tensor]") -> tuple[float, ...]:
    """The largest coordinate on each axis over all maps."""
    import torch

    return tuple(torch.cat(planes).abs().amax(0).clamp(min=SMALLEST_REACH).tolist())
