"""The map of a folder of vectors: a random sample of the occurrences as dots, over the density of all.

PCA is fitted to some thousand occurrences and projects all of them, so that every occurrence counts in the
density. t-SNE and UMAP place only the points to which they are fitted: there is then no density, and the line
below the map says so.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import streamlit as st

from explorer.views.frame.example import Example
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import caching, memory
from explorer.views.frame.view import OpenPage, Saves
from explorer.views.frame.view_text import Reading, view_text
from explorer.views.senses import corpus, files
from explorer.views.senses import map_data as charts
from explorer.views.senses.corpus import FITTED, MapOccurrences
from explorer.views.senses.grouping import Grouping, grouping
from explorer.views.senses.layer_maps import METHODS, SMALLEST_REACH
from explorer.views.senses.map_player import mount, projection_controls
from explorer.views.senses.search import Search
from explorer.views.senses.settings import AXES, CORPUS, DENSITY, LAYER, PROJECTION, SEED, SENSES
from explorer.views.senses.text_sample import sample_size
from explorer.views.settings.settings import Settings
from explorer.views.widgets.controls import switch
from explorer.views.widgets.registry import component_value
from explorer.views.widgets.umap_wait import must_wait

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.projection.contours import Density
    from explorer.analysis.projection.many import Cells, Places

KEY = "senses/corpus-map"
OFFERED = ("pca", "tsne", "umap")
SHARES = (0.95, 0.8, 0.65, 0.5, 0.35, 0.2)  # the share of all occurrences within each line
COLUMNS, ROWS = 36, 22  # of squares in which occurrences are counted
OUTERMOST = 0.001  # the share of all occurrences that may lie beyond each edge of the picture


def controls(page: OpenPage[Search]) -> None:
    """The projection, its dimensions and what is drawn, in one row."""
    settings, occurrences = page.settings, page.data.occurrences_or_none
    settings.restrict(PROJECTION, OFFERED)
    with st.container(key="senses-controls", horizontal=True, vertical_alignment="center", gap="xsmall"):
        projection_controls(settings, OFFERED)
        if occurrences is not None and any(occurrences.senses):
            switch(settings, SENSES, "Senses")
        switch(
            settings, DENSITY, "Density of all", disabled=settings[AXES] == 3 or settings[PROJECTION] != "pca"
        )


def draw(page: OpenPage[Search]) -> Saves:
    """Draw the dots over the density, with a line on how much they show."""
    settings, occurrences = page.settings, cast(MapOccurrences, page.data.occurrences)
    axes, place = settings[AXES], settings[CORPUS]
    where = place, corpus.stamp(place), occurrences.word, occurrences.layers
    with st.container(key="senses-map", gap=None):
        busy = st.container(key="senses-busy").empty()
        method = "pca" if must_wait(settings[PROJECTION]) else settings[PROJECTION]
        busy.html(f'<p class="rb-point">{occurrences.sample.total:,} vectors are read…</p>')
        everything = corpus.places(*where)
        points = everything.coordinates[[one.sentence for one in occurrences.sample.occurrences], :axes]
        if method != "pca":
            busy.html(f'<p class="rb-point">{METHODS[method]} places {len(occurrences.matches):,} dots…</p>')
            points = _bent(occurrences.key, method, axes, occurrences, points)
        busy.empty()
        dense = _dense(*where, everything) if axes == 2 and method == "pca" else None
        groups = grouping(occurrences, settings[SENSES])
        line = summary(occurrences, everything, method, axes, groups)
        _mount(settings, occurrences, groups, points, dense, line)
    return _saves(occurrences, points, method, dense[1] if dense else None)


def reading(page: OpenPage[Search]) -> Reading:
    """What the dots, the shading and distances mean."""
    settings, occurrences = page.settings, page.data.occurrences_or_none
    text = view_text("senses", "map")
    is_marked = occurrences is not None and any(occurrences.senses) and settings[SENSES]
    colours = text.phrases["corpus-senses" if is_marked else "corpus-groups"]
    if not settings[DENSITY] or settings[PROJECTION] != "pca" or settings[AXES] == 3:
        return text.readings["corpus"].filled(colours=colours)
    shares = ", ".join(f"{100 * share:.0f}" for share in SHARES[:-1])
    return text.readings["density"].filled(shares=shares, last=SHARES[-1], colours=colours)


def example(page: OpenPage[Search]) -> Example:
    """The places of the dots and the density, from Python."""
    settings, occurrences = page.settings, cast(MapOccurrences, page.data.occurrences)
    return Example(
        map_of_folder,
        "The address of this page names the folder, and carries nothing of what is in it.",
        folder=settings[CORPUS],
        word=occurrences.word,
        layer=occurrences.layers,
        most=sample_size(settings),
        seed=settings[SEED],
    )


def map_of_folder(
    folder: str, word: str, layer: int, most: int, seed: int
) -> "tuple[list[str], Tensor, Places, Density]":
    """A PCA map of a word: sampled sentences, their places, all places, and the density of all."""
    from explorer.analysis.projection.many import fit_plane, place_all, smooth
    from explorer.corpus.vectors.reader import Corpus

    corpus = Corpus.open(folder)
    plane = fit_plane(corpus.some(word, layer, corpus.draw(word, 20_000)))
    places = place_all(plane, corpus.vectors(word, layer))
    numbers = corpus.draw(word, most, seed)
    texts = [occurrence.text for occurrence in corpus.occurrences(word, numbers)]
    width, height = places.coordinates.abs().amax(0).tolist()
    return texts, places.coordinates[numbers], places, smooth(places.coordinates, (width, height))


def summary(
    occurrences: MapOccurrences, everything: "Places", method: str, axes: int, groups: Grouping
) -> str:
    """How many occurrences there are, how many are dots, and how much of the variance the map shows."""
    count, total = len(occurrences.matches), occurrences.sample.total
    source = f"{memory.short_label(occurrences.corpus.manifest.model)}, layer {occurrences.layers}"
    if occurrences.sample.whole:
        line = f"All {total:,} occurrences by {source}."
    else:
        line = f"{count:,} dots, drawn at random from {total:,} occurrences by {source}."
    if method != "pca":
        name = METHODS[method].replace("-", "\u2011")  # a hyphen at which no line breaks
        line += f" {name} places these dots alone, so density is shown with PCA only."
    else:
        share = sum(everything.explained[:axes])
        if total > FITTED:
            line += f" Axes found in {FITTED:,} of them show {share:.0%} of the variance of all."
        else:
            line += f" The map shows {share:.0%} of their variance."
    return " ".join([line, *([groups.note] if groups.from_clusters else []), *occurrences.notes])


@caching.resource(max_entries=16)
def _bent(key: str, method: str, axes: int, _occurrences: MapOccurrences, _flat: "Tensor") -> "Tensor":
    """The dots' places by t-SNE or UMAP, within 1 of the middle, since their scale means nothing."""
    from explorer.analysis.projection import Projection, align, project

    projection = project(_occurrences.matches.vectors[:, 0], method, axes=axes, start=_flat)
    points: Tensor = align(Projection(_flat, "pca"), projection).coordinates
    scaled: Tensor = points / points.norm(dim=1).max().clamp(min=1e-9)
    return scaled


@caching.resource(max_entries=8)
def _dense(place: str, stamp: int, word: str, layer: int, _everything: "Places") -> "tuple[Density, Cells]":
    """The density of all occurrences, and how many lie in each square of the picture."""
    from explorer.analysis.projection.many import count, smooth

    points = _everything.coordinates[:, :2]
    x0, y0, x1, y1 = _box(points)
    reach = tuple(points.abs().amax(0).clamp(min=SMALLEST_REACH).tolist())
    side = max((x1 - x0) / COLUMNS, (y1 - y0) / ROWS)
    columns, rows = (max(round((high - low) / side), 1) for low, high in ((x0, x1), (y0, y1)))
    return smooth(points, cast("tuple[float, float]", reach)), count(points, (x0, y0, x1, y1), columns, rows)


def _box(points: "Tensor") -> tuple[float, float, float, float]:
    """The picture's edges (left, lower, right, upper): all but the outermost occurrences lie within."""
    import numpy as np

    low, high = np.quantile(points.numpy(), [OUTERMOST, 1 - OUTERMOST], axis=0)
    half = np.maximum((high - low) / 2, SMALLEST_REACH)
    middle = (high + low) / 2
    (x0, y0), (x1, y1) = (middle - half).tolist(), (middle + half).tolist()
    return x0, y0, x1, y1


def _mount(
    settings: Settings,
    occurrences: MapOccurrences,
    groups: Grouping,
    points: "Tensor",
    dense: "tuple[Density, Cells] | None",
    line: str,
) -> None:
    settings.label(LAYER, "Layer")
    whose = memory.short_label(occurrences.corpus.manifest.model)
    settings.label(CORPUS, "Vectors", lambda place: f"{occurrences.corpus.folder.name}, by {whose}")
    layers = occurrences.corpus.manifest.layers
    here = layers.index(occurrences.layers)

    def step() -> None:
        if (chosen := component_value(KEY, "layer", int)) is not None:
            settings.set(LAYER.to(layers[min(max(chosen, 0), len(layers) - 1)]))

    def only(value: Any) -> list[Any]:
        return [value if i == here else None for i in range(len(layers))]

    more: dict[str, Any] = {}
    unit = max(float(points.abs().max()), SMALLEST_REACH)
    if dense is not None:
        density, cells = dense
        edges = [float(edge) for edge in (cells.x[0], cells.y[0], cells.x[-1], cells.y[-1])]
        # The box is that of all occurrences, so that a new sample moves no line of the density.
        unit = max(map(abs, edges))
        more["box"] = [charts.grains(edge, unit) for edge in edges]
        if settings[DENSITY]:
            more["contours"] = only(charts.rings(density, SHARES, unit))
            more["cells"] = only(charts.cells(cells, unit, occurrences.sample.total))
    mount(
        settings,
        occurrences,
        groups,
        KEY,
        only(occurrences.layers),
        unit,
        step,
        label=f"Map of {len(occurrences.matches)} of {occurrences.sample.total} occurrences "
        f"of {occurrences.word}",
        axes=settings[AXES],
        stops=[f"layer {layer}" if layer else charts.EMBEDDING for layer in layers],
        ticks=list(map(str, layers)),
        frames=only(charts.frames([points], unit)[0]),
        lines=[line] * len(layers),
        layer=here,
        **more,
    )


def _saves(occurrences: MapOccurrences, points: "Tensor", method: str, cells: "Cells | None") -> Saves:
    """The picture, the dots' places and vectors, and the counts in the squares."""
    stem = f"{occurrences.word}-{occurrences.corpus.folder.name}-layer-{occurrences.layers}"
    here = replace(occurrences.matches, vectors=occurrences.matches.vectors[:, :1])
    counts = [] if cells is None else [Export("Density", f"{stem}-density.csv", lambda: _counts(cells))]
    return [
        Picture(files.PICTURE, f"{stem}-map"),
        Export("Coordinates", f"{stem}-{method}.csv", lambda: _coordinates(occurrences, points)),
        *counts,
        Export(
            "Vectors of the dots",
            f"{stem}-vectors.npz",
            lambda: files.vectors(replace(occurrences, matches=here)),
        ),
    ]


def _coordinates(occurrences: MapOccurrences, points: "Tensor") -> str:
    """A CSV row for every dot, with its number among all occurrences."""
    rows = [
        [one.sentence, one.text, *one.span, sense or "", *place]
        for one, sense, place in zip(
            occurrences.sample.occurrences, occurrences.senses, points.tolist(), strict=True
        )
    ]
    return table([*files.COLUMNS, *["x", "y", "z"][: points.shape[1]]], rows)


def _counts(cells: "Cells") -> str:
    """A CSV row for every square that is not empty: its edges and its number of occurrences."""
    x, y = cells.x.tolist(), cells.y.tolist()
    rows = [
        [x[i], x[i + 1], y[j], y[j + 1], n]
        for j, row in enumerate(cells.counts.tolist())
        for i, n in enumerate(row)
        if n
    ]
    return table(["left", "right", "lower", "upper", "occurrences"], rows)
