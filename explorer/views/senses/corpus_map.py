"""The map of a folder of vectors: a random sample of the occurrences as dots, over the density of all.

PCA is fitted to some thousand occurrences and projects all of them, so that every occurrence counts in the
density. t-SNE and UMAP place only the points to which they are fitted: there is then no density, and the line
below the map says so.
"""

from typing import TYPE_CHECKING, Any, cast

import streamlit as st

from explorer.views.frame import memory
from explorer.views.frame.example import Example
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves
from explorer.views.senses import corpus, files
from explorer.views.senses import map_data as charts
from explorer.views.senses.corpus import FITTED, CorpusOccurrences
from explorer.views.senses.grouping import Grouping, grouping
from explorer.views.senses.layer_maps import METHODS, SMALLEST_REACH
from explorer.views.senses.map_controls import projection_controls
from explorer.views.senses.map_player import MAP_PX, lock, nearest
from explorer.views.senses.search import Search
from explorer.views.senses.settings import AXES, CORPUS, DENSITY, LAYER, LOCKED, PROJECTION, SEED, SENSES
from explorer.views.widgets.registry import component, component_value
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
            st.toggle("Senses", key=settings.key(SENSES, "Senses"))
        st.toggle(
            "Density of all",
            key=settings.key(DENSITY, "Density of all"),
            disabled=settings[AXES] == 3 or settings[PROJECTION] != "pca",
        )


def draw(page: OpenPage[Search]) -> Saves:
    """Draw the dots over the density, with a line on how much they show."""
    settings, occurrences = page.settings, cast(CorpusOccurrences, page.data.occurrences)
    with st.container(key="senses-map", gap=None):
        busy = st.container(key="senses-busy").empty()
        method = "pca" if must_wait(settings[PROJECTION]) else settings[PROJECTION]
        axes = settings[AXES]
        busy.html(f'<p class="rb-point">{occurrences.total:,} vectors are read…</p>')
        everything = _places(page)
        if method != "pca":
            busy.html(f'<p class="rb-point">{METHODS[method]} places {len(occurrences.matches):,} dots…</p>')
        points = _points(occurrences, everything, method, axes)
        busy.empty()
        groups = grouping(occurrences, settings[SENSES])
        density_and_cells = _density(page) if _is_dense(page) and method == "pca" else None
        _mount(
            page,
            groups,
            points,
            everything,
            density_and_cells,
            says(occurrences, everything, method, axes, groups),
        )
    return _saves(page, points, method)


def reading(page: OpenPage[Search]) -> Reading:
    """What the dots, the shading and distances mean."""
    settings, occurrences = page.settings, page.data.occurrences_or_none
    colours = (
        "Colour and shape show the sense that the texts give, which the model never sees."
        if occurrences is not None and any(occurrences.senses) and settings[SENSES]
        else "Colour and shape show groups that k-means finds among the dots."
    )
    caveat = "No map shows all dimensions: what lies together here may lie apart in the rest."
    if not _is_dense(page):
        return Reading(f"Each dot is one occurrence, drawn at random. {colours}", caveat)
    shares = ", ".join(f"{100 * share:.0f}" for share in SHARES[:-1])
    return Reading(
        f"Each dot is one occurrence, drawn at random. The shading is of all of them: its lines enclose the "
        f"smallest areas with {shares} and {SHARES[-1]:.0%} of the density. {colours}",
        f"{caveat} Point at the shading to count the occurrences in a small square.",
    )


def example(page: OpenPage[Search]) -> Example:
    """The places of the dots and the density, from Python."""
    settings, occurrences = page.settings, cast(CorpusOccurrences, page.data.occurrences)
    return Example(
        map_of_folder,
        "The address of this page names the folder, and carries nothing of what is in it.",
        folder=settings[CORPUS],
        word=occurrences.word,
        layer=occurrences.layer,
        most=corpus.dot_count(settings),
        seed=settings[SEED],
    )


def map_of_folder(
    folder: str, word: str, layer: int, most: int, seed: int
) -> "tuple[list[str], Tensor, Places, Density]":
    """A PCA map of a word: sampled sentences, their places, all places, and the density of all."""
    from explorer.analysis.projection.many import fit_plane, place_all, smooth
    from explorer.corpus.shards.reader import Corpus

    corpus = Corpus.open(folder)
    plane = fit_plane(corpus.some(word, layer, corpus.draw(word, 20_000)))
    places = place_all(plane, corpus.vectors(word, layer))
    numbers = corpus.draw(word, most, seed)
    texts = [row.occurrence.text for row in corpus.rows(word, numbers)]
    width, height = places.coordinates.abs().amax(0).tolist()
    return texts, places.coordinates[numbers], places, smooth(places.coordinates, (width, height))


def says(
    occurrences: CorpusOccurrences, everything: "Places", method: str, axes: int, groups: Grouping
) -> str:
    """How many occurrences there are, how many are dots, and how much of the variance the map shows."""
    count, total = len(occurrences.matches), occurrences.total
    source = f"{memory.short_label(occurrences.corpus.manifest.model)}, layer {occurrences.layer}"
    if count + occurrences.repeats == total:
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
    return " ".join([line, *([groups.says] if groups.from_clusters else []), *occurrences.notes])


def _is_dense(page: OpenPage[Search]) -> bool:
    """Whether to draw the density: it is switched on, and the map is PCA's in two dimensions."""
    settings = page.settings
    return settings[DENSITY] and settings[PROJECTION] == "pca" and settings[AXES] == 2


def _places(page: OpenPage[Search]) -> "Places":
    occurrences = cast(CorpusOccurrences, page.data.occurrences)
    assert occurrences.layer is not None
    place = page.settings[CORPUS]
    return corpus.places(place, corpus.stamp(place), occurrences.word, occurrences.layer)


def _points(occurrences: CorpusOccurrences, everything: "Places", method: str, axes: int) -> "Tensor":
    """The dots' places [occurrence, axis].

    For t-SNE and UMAP they are scaled to lie within 1 of the middle, since their scale means nothing.
    """
    places = everything.coordinates[occurrences.numbers, :axes]
    return places if method == "pca" else _bent(occurrences.key, method, axes, occurrences, places)


@st.cache_resource(max_entries=16, show_spinner=False)
def _bent(key: str, method: str, axes: int, _occurrences: CorpusOccurrences, _flat: "Tensor") -> "Tensor":
    from explorer.analysis.projection import Projection, align, project

    projection = project(_occurrences.matches.vectors[:, 0], method, axes=axes, start=_flat)
    points: Tensor = align(Projection(_flat, "pca"), projection).coordinates
    scaled: Tensor = points / points.norm(dim=1).max().clamp(min=1e-9)
    return scaled


def _density(page: OpenPage[Search]) -> "tuple[Density, Cells]":
    occurrences = cast(CorpusOccurrences, page.data.occurrences)
    place = page.settings[CORPUS]
    return _dense(place, corpus.stamp(place), occurrences.word, occurrences.layer, _places(page))


@st.cache_resource(max_entries=8, show_spinner=False)
def _dense(
    place: str, stamp: int, word: str, layer: int | None, _everything: "Places"
) -> "tuple[Density, Cells]":
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
    page: OpenPage[Search],
    groups: Grouping,
    points: "Tensor",
    everything: "Places",
    density_and_cells: "tuple[Density, Cells] | None",
    line: str,
) -> None:
    settings, occurrences = page.settings, cast(CorpusOccurrences, page.data.occurrences)
    settings.label(LAYER, "Layer")
    whose = memory.short_label(occurrences.corpus.manifest.model)
    settings.label(CORPUS, "Vectors", lambda place: f"{occurrences.corpus.folder.name}, by {whose}")
    layers = occurrences.corpus.manifest.layers
    here, axes = layers.index(occurrences.layer or 0), settings[AXES]
    at = occurrences.index(settings[LOCKED])
    box = _box(everything.coordinates[:, :2]) if axes == 2 and settings[PROJECTION] == "pca" else None
    # The box is that of all occurrences, so that a new sample moves no line of the density.
    unit = max(map(abs, box)) if box else max(float(points.abs().max()), SMALLEST_REACH)

    def step() -> None:
        if (chosen := component_value(KEY, "layer")) is not None:
            settings.set(LAYER.to(layers[min(max(int(chosen), 0), len(layers) - 1)]))

    def only(value: Any) -> list[Any]:
        return [value if i == here else None for i in range(len(layers))]

    data: dict[str, Any] = {
        "label": f"Map of {len(occurrences.matches)} of {occurrences.total} occurrences "
        f"of {occurrences.word}",
        "height": MAP_PX,
        "axes": axes,
        "unit": unit / charts.GRAIN,
        "dots": charts.dots(occurrences, groups),
        "marks": charts.marks(groups),
        "names": charts.names(groups),
        "stops": [f"layer {layer}" if layer else charts.EMBEDDING for layer in layers],
        "ticks": list(map(str, layers)),
        "frames": only(charts.frames([points], unit)[0]),
        "contours": None,
        "says": [line] * len(layers),
        "first": 0,
        "layer": here,
        "locked": "" if at is None else settings[LOCKED],
        "near": [] if at is None else only([i for i, _ in nearest(occurrences, here, at)]),
    }
    if box:
        data["box"] = [charts.grains(edge, unit) for edge in box]
    if density_and_cells is not None:
        density, cells = density_and_cells
        data["contours"] = only(charts.rings(density, SHARES, unit))
        data["cells"] = only(charts.cells(cells, unit, occurrences.total))
    component("senses/sense_map")(
        key=KEY, data=data, on_lock_change=lock(settings, KEY), on_layer_change=step
    )


def _saves(page: OpenPage[Search], points: "Tensor", method: str) -> Saves:
    """What there is to save: the picture, the dots' places and vectors, and the counts in the squares."""
    settings, occurrences = page.settings, cast(CorpusOccurrences, page.data.occurrences)
    stem = f"{occurrences.word}-{occurrences.corpus.folder.name}-layer-{occurrences.layer}"
    dense = _density(page)[1] if settings[AXES] == 2 and method == "pca" else None
    counts = Export("Density", f"{stem}-density.csv", lambda: _counts(cast("Cells", dense)))
    return [
        Picture(files.PICTURE, f"{stem}-map"),
        Export("Coordinates", f"{stem}-{method}.csv", lambda: _coordinates(occurrences, points)),
        *([counts] if dense is not None else []),
        Export("Vectors of the dots", f"{stem}-vectors.npz", lambda: files.vectors(occurrences)),
    ]


def _coordinates(occurrences: CorpusOccurrences, points: "Tensor") -> str:
    """A CSV row for every dot, with its number among all occurrences."""
    rows = [
        [occurrences.numbers[i], context.text, *context.span, occurrences.senses[i] or "", *place]
        for i, (context, place) in enumerate(zip(occurrences.sample, points.tolist(), strict=True))
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
