"""What every view of the word senses page saves: its picture, all places, all cosines, all vectors."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import Page
from explorer.views.senses.layer_maps import LayerMaps, layer_maps
from explorer.views.senses.search import Search
from explorer.views.senses.settings import AXES, LAYER, MODEL, PROJECTION, VIEW_NAME
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences

if TYPE_CHECKING:
    from torch import Tensor

PICTURE = "senses-picture"  # the key of the container that every view is drawn in
COLUMNS = ["number", "sentence", "start", "end", "sense"]  # of an occurrence; the word is at start to end


def saves(page: Page[Search]) -> list[Export | Picture]:
    """The picture, the coordinates as the map's settings make them, a layer's cosines, all vectors."""
    settings, occurrences = page.settings, page.data.occurrences
    layer, axes, method = settings[LAYER], settings[AXES], settings[PROJECTION]
    stem = f"{occurrences.word}-{settings[MODEL].rpartition('/')[2]}"
    here = f"{stem}-{'word' if layer == ALONE else f'layer-{layer}'}"

    def made() -> LayerMaps:
        return layer_maps(occurrences, method, axes, layer)

    return [
        Picture(PICTURE, f"{occurrences.word}-{settings[MODEL]}-{settings[VIEW_NAME]}"),
        Export("Coordinates", f"{stem}-{method}.csv", lambda: coordinates(occurrences, made())),
        Export("Cosines", f"{here}-cosines.csv", lambda: cosines(occurrences, occurrences.at(layer))),
        Export("Vectors", f"{stem}-vectors.npz", lambda: vectors(occurrences)),
    ]


def coordinates(occurrences: WordOccurrences, made: LayerMaps) -> str:
    """One row for every occurrence at every layer that has a map; layer “word” is the word alone."""
    axes = ["x", "y", "z"][: len(made.reach)]
    rows = [
        [*_occurrence(occurrences, i), "word" if stop == ALONE else stop, *place]
        for stop, plane in zip(occurrences.stops, made.planes)
        if plane is not None
        for i, place in enumerate(plane.tolist())
    ]
    return table([*COLUMNS, "layer", *axes], rows)


def cosines(occurrences: WordOccurrences, at: "Tensor") -> str:
    """Every occurrence in a row, with its cosine to each occurrence by number."""
    import torch.nn.functional as F

    unit = F.normalize(at, dim=-1)
    rows = [[*_occurrence(occurrences, i), *row] for i, row in enumerate((unit @ unit.T).tolist())]
    return table([*COLUMNS, *(str(i) for i in range(len(rows)))], rows)


def vectors(occurrences: WordOccurrences) -> bytes:
    """All layers' vectors with their sentences, for `numpy.load`.

    vectors [occurrence, layer, d_model] (layer 0 is the embedding), alone [occurrence, d_model] (the
    word by itself), sentences, senses (empty where unknown) and spans [occurrence, 2] of the word.
    """
    import numpy as np

    file = io.BytesIO()
    np.savez_compressed(
        file,
        vectors=occurrences.found.vectors.numpy(),
        alone=occurrences.alone.numpy(),
        sentences=_strings([occurrences.text(i) for i in range(len(occurrences.found))]),
        senses=_strings([sense or "" for sense in occurrences.senses]),
        spans=np.array(occurrences.found.span),
    )
    return file.getvalue()


def _occurrence(occurrences: WordOccurrences, index: int) -> list[Any]:
    return [index, occurrences.text(index), *occurrences.found.span[index], occurrences.senses[index] or ""]


def _strings(texts: Sequence[str]) -> Any:
    """Texts as an array that needs no pickle."""
    import numpy as np

    return np.array(texts, dtype=np.str_)
