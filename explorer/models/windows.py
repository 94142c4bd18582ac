"""Which layers read only a window of the text, in the words of the hub's config.json: a kind per layer.

In GPT-Neo and ModernBERT some layers read everything and others a window, in turn; in Qwen
the upper layers may have a window.
"""

from collections.abc import Iterable
from itertools import islice

from explorer.errors import FormatError

KINDS = {"global": False, "full_attention": False, "local": True, "sliding_attention": True}
MOST = 1000  # layers; a damaged file may repeat a kind without end


def local_layers(kinds: Iterable[str], layers: int) -> tuple[bool, ...] | None:
    """For each layer, whether it reads a window; None if no layer does.

    Raises FormatError for an unsupported kind, or if the number of kinds is not the number of layers.

    >>> local_layers(["global", "local"], layers=2)
    (False, True)
    """
    names = list(islice(kinds, MOST + 1))
    if unknown := [kind for kind in names if kind not in KINDS]:
        raise FormatError(
            f"It has layers with “{unknown[0]}”, which Riverbank does not compute.",
            f"Choose a checkpoint whose layers are of these kinds: {', '.join(KINDS)}.",
        )
    if len(names) != layers:
        raise FormatError(
            f"Its config.json gives a kind for {len(names)} layers, and has {layers} layers.",
            "It may be damaged: fetch or copy the checkpoint again.",
        )
    local = tuple(KINDS[kind] for kind in names)
    return local if any(local) else None


def windows_of(local: Iterable[bool] | None, window: int | None) -> tuple[int | None, ...]:
    """The window of each layer for a `Design`, None for layers without one; () if no layer has one.

    >>> windows_of((False, True), 4)
    (None, 4)
    """
    return tuple(window if reads_one else None for reads_one in local or ())
