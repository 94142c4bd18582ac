"""Which layers read a window of the text alone, as the hub's config.json says it: a kind for each layer.

Layers that read everything and layers that read a window take turns in GPT-Neo and in ModernBERT; in Qwen
the upper layers may have a window.
"""

from collections.abc import Iterable
from itertools import islice

from explorer.errors import FormatError

KINDS = {"global": False, "full_attention": False, "local": True, "sliding_attention": True}
MOST = 1000  # a damaged file may repeat a kind without end


def local_layers(kinds: Iterable[str], layers: int) -> tuple[bool, ...] | None:
    """For each layer, whether it reads a window; None where no layer does.

    Raises FormatError for a kind that is not computed here, or another number of kinds than of layers.

    >>> local_layers(["global", "local"], layers=2)
    (False, True)
    """
    given = list(islice(kinds, MOST + 1))
    if unknown := [kind for kind in given if kind not in KINDS]:
        raise FormatError(
            f"It has layers with “{unknown[0]}”, which Riverbank does not compute.",
            f"Choose a checkpoint whose layers are of these kinds: {', '.join(KINDS)}.",
        )
    if len(given) != layers:
        raise FormatError(
            f"Its config.json says for {len(given)} layers how far they read, and has {layers} layers.",
            "It may be damaged: fetch or copy the checkpoint again.",
        )
    local = tuple(KINDS[kind] for kind in given)
    return local if any(local) else None


def windows_of(local: Iterable[bool] | None, window: int | None) -> tuple[int | None, ...]:
    """What a `Design` says of windows: that of each layer which reads one; () where no layer does.

    >>> windows_of((False, True), 4)
    (None, 4)
    """
    return tuple(window if reads_one else None for reads_one in local or ())


def kinds_of(local: Iterable[bool]) -> list[str]:
    """The same for a config.json, in the words of transformers 5.

    >>> kinds_of([False, True])
    ['full_attention', 'sliding_attention']
    """
    return ["sliding_attention" if window else "full_attention" for window in local]
