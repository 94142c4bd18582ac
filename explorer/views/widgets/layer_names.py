"""How layers and heads are counted on every screen.

Layer 0 is the embedding; the model's blocks are layers 1 to n, and the heads of a block are 1 to h, as in
the papers (Clark et al. 2019). The program counts blocks and heads from 0, and so do links.
"""

from typing import Any

from explorer.locale import _


def read_head(setting: Any, layers: int, heads: int) -> tuple[int, int] | None:
    """A setting [layer, head] as a head of a model of this size; None for anything else."""
    match setting:
        case [int(layer), int(head)] if 0 <= layer < layers and 0 <= head < heads:
            return layer, head
    return None


def block_name(block: int) -> str:
    """The layer of a block, which is counted from 0.

    >>> block_name(2)
    'Layer 3'
    """
    return _("Layer {layer}", layer=block + 1)


def number_on_screen(index: int) -> str:
    """A block's or a head's number on screen; both are counted from 0.

    >>> number_on_screen(2)
    '3'
    """
    return str(index + 1)


def head_name(block: int, head: int) -> str:
    """A head's short name, for pictures; both are counted from 0."""
    return f"L{block + 1}H{head + 1}"


def layer_and_head(block: int, head: int) -> str:
    """A head's name in a sentence; both are counted from 0.

    >>> layer_and_head(2, 1)
    'layer 3, head 2'
    """
    return _("layer {layer}, head {head}", layer=block + 1, head=head + 1)
