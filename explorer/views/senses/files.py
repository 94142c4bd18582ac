"""What the word senses page has to save: every dot's place, every cosine, every vector."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.senses.look import ALONE, Look
from explorer.views.senses.pictures import Pictures, pictures

if TYPE_CHECKING:
    from torch import Tensor

COLUMNS = ["number", "sentence", "start", "end", "sense"]  # of an occurrence; the word is at start to end


def files(settings: Settings, seen: Look) -> None:
    """Offer a look's coordinates, as the map's settings make them, its cosines in one layer, its vectors."""
    layer, axes, method = settings["layer"], settings["axes"], settings["projection"]
    stem = f"{seen.word}-{settings['model'].rpartition('/')[2]}"
    here = f"{stem}-{'word' if layer == ALONE else f'layer-{layer}'}"

    def made() -> Pictures:
        return pictures(seen, method, axes, layer)

    offer(
        settings,
        Export("Coordinates", f"{stem}-{method}.csv", lambda: coordinates(seen, made())),
        Export("Cosines", f"{here}-cosines.csv", lambda: cosines(seen, seen.at(layer))),
        Export("Vectors", f"{stem}-vectors.npz", lambda: vectors(seen)),
    )


def coordinates(seen: Look, made: Pictures) -> str:
    """One row for every occurrence at every layer that has a picture; layer “word” is the word alone."""
    axes = ["x", "y", "z"][: len(made.reach)]
    rows = [
        [*_occurrence(seen, i), "word" if stop == ALONE else stop, *place]
        for stop, plane in zip(seen.stops, made.planes)
        if plane is not None
        for i, place in enumerate(plane.tolist())
    ]
    return table([*COLUMNS, "layer", *axes], rows)


def cosines(seen: Look, at: "Tensor") -> str:
    """Every occurrence in a row, with its cosine to each occurrence by number."""
    import torch.nn.functional as F

    unit = F.normalize(at, dim=-1)
    rows = [[*_occurrence(seen, i), *row] for i, row in enumerate((unit @ unit.T).tolist())]
    return table([*COLUMNS, *(str(i) for i in range(len(rows)))], rows)


def vectors(seen: Look) -> bytes:
    """All layers' vectors with their sentences, for `numpy.load`.

    vectors [occurrence, layer, d_model] (layer 0 is the embedding), alone [occurrence, d_model] (the
    word by itself), sentences, senses (empty where unknown) and spans [occurrence, 2] of the word.
    """
    import numpy as np

    file = io.BytesIO()
    np.savez_compressed(
        file,
        vectors=seen.found.vectors.numpy(),
        alone=seen.alone.numpy(),
        sentences=_strings([seen.text(i) for i in range(len(seen.found))]),
        senses=_strings([sense or "" for sense in seen.senses]),
        spans=np.array(seen.found.span),
    )
    return file.getvalue()


def _occurrence(seen: Look, index: int) -> list[Any]:
    return [index, seen.text(index), *seen.found.span[index], seen.senses[index] or ""]


def _strings(texts: Sequence[str]) -> Any:
    """Texts as an array that needs no pickle."""
    import numpy as np

    return np.array(texts, dtype=np.str_)
