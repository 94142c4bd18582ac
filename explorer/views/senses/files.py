"""What every view of the word senses page can save: its picture, coordinates, cosines and vectors."""

import io
from collections.abc import Sequence
from typing import Any

from explorer.locale import N_
from explorer.views import kit
from explorer.views.senses.layer_maps import LayerMaps, layer_maps
from explorer.views.senses.search import Search
from explorer.views.senses.settings import AXES, LAYER, MODEL, PROJECTION, VIEW_NAME
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.types import Tensor

PICTURE = "senses-picture"  # the key of the container in which every view is drawn
COLUMNS = ["number", "sentence", "start", "end", "sense"]  # start and end are the characters of the word


def saves(page: kit.OpenPage[Search]) -> list[kit.Export | kit.Picture]:
    """The picture, the map's coordinates, the cosines at the layer that is shown, and all vectors."""
    settings, occurrences = page.settings, page.data.occurrences
    layer, axes, method = settings[LAYER], settings[AXES], settings[PROJECTION]
    stem = f"{occurrences.word}-{settings[MODEL].rpartition('/')[2]}"
    here = f"{stem}-{'word' if layer == ALONE else f'layer-{layer}'}"

    def maps() -> LayerMaps:
        return layer_maps(occurrences, method, axes, layer)

    return [
        kit.Picture(PICTURE, f"{occurrences.word}-{settings[MODEL]}-{settings[VIEW_NAME]}"),
        kit.Export(N_("Coordinates"), f"{stem}-{method}.csv", lambda: coordinates(occurrences, maps())),
        kit.Export(N_("Cosines"), f"{here}-cosines.csv", lambda: cosines(occurrences, occurrences.at(layer))),
        kit.Export(N_("Vectors"), f"{stem}-vectors.npz", lambda: vectors(occurrences)),
    ]


def coordinates(occurrences: WordOccurrences, maps: LayerMaps) -> str:
    """A CSV row for every occurrence at every layer that has a map; layer “word” is the word alone."""
    axes = ["x", "y", "z"][: len(maps.reach)]
    rows = [
        [*_occurrence(occurrences, i), "word" if stop == ALONE else stop, *place]
        for stop, plane in zip(occurrences.stops, maps.planes)
        if plane is not None
        for i, place in enumerate(plane.tolist())
    ]
    return kit.table([*COLUMNS, "layer", *axes], rows)


def cosines(occurrences: WordOccurrences, at: "Tensor") -> str:
    """A CSV row for every occurrence, with its cosine to each other one, by number."""
    import torch.nn.functional as F

    unit = F.normalize(at, dim=-1)
    rows = [[*_occurrence(occurrences, i), *row] for i, row in enumerate((unit @ unit.T).tolist())]
    return kit.table([*COLUMNS, *(str(i) for i in range(len(rows)))], rows)


def vectors(occurrences: WordOccurrences) -> bytes:
    """An .npz file of all vectors with their sentences, for `numpy.load`.

    Its arrays are vectors [occurrence, layer, d_model] (layer 0 is the embedding), alone [occurrence,
    d_model] (the word by itself), sentences, senses (empty if unknown) and spans [occurrence, 2] of the word.
    """
    import numpy as np

    file = io.BytesIO()
    np.savez_compressed(
        file,
        vectors=occurrences.matches.vectors.numpy(),
        alone=occurrences.alone.numpy(),
        sentences=_strings([occurrences.text(i) for i in range(len(occurrences.matches))]),
        senses=_strings([sense or "" for sense in occurrences.senses]),
        spans=np.array(occurrences.matches.span),
    )
    return file.getvalue()


def _occurrence(occurrences: WordOccurrences, index: int) -> list[Any]:
    return [index, occurrences.text(index), *occurrences.matches.span[index], occurrences.senses[index] or ""]


def _strings(texts: Sequence[str]) -> Any:
    """Texts as an array that `numpy.load` reads without pickle."""
    import numpy as np

    return np.array(texts, dtype=np.str_)
