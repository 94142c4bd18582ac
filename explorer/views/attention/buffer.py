"""A layer's heads, or all heads as thumbnails, as one raw buffer for the browser.

    4 bytes        n, how long the header is (little-endian)
    n bytes        the header: JSON, filled up with spaces so that what follows starts evenly
    the rest       numbers: float16 [head, from, to], or one byte a thumbnail's cell

Bytes travel as they are only where they are all of a component's data.
"""

import json
import struct
from typing import TYPE_CHECKING, Any

from explorer.views.widgets.token_text import label

if TYPE_CHECKING:
    from jaxtyping import Float
    from torch import Tensor

    from explorer.analysis.attention.weights import Patterns
    from explorer.trace import Trace

THUMBNAIL = 48  # cells to a side: a longer text's cells are joined, and the strongest of each is shown


def pack(header: dict[str, Any], numbers: bytes) -> bytes:
    """Header and numbers in one buffer."""
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (len(text) % 2)
    return struct.pack("<I", len(text)) + text + numbers


def unpack(buffer: bytes) -> tuple[dict[str, Any], bytes]:
    """The inverse of `pack`, as the browser does it."""
    (size,) = struct.unpack_from("<I", buffer)
    return json.loads(buffer[4 : 4 + size]), buffer[4 + size :]


def layer(found: "Patterns", header: dict[str, Any]) -> bytes:
    """One layer's heads, three digits of each weight."""
    return pack(header, found.pattern.half().contiguous().numpy().tobytes())


def thumbnails(pattern: "Float[Tensor, 'layer head query_pos key_pos']", header: dict[str, Any]) -> bytes:
    """Every head of every layer, 48 x 48 cells at most, a byte each."""
    import torch

    layers, heads, size, _ = pattern.shape
    side = min(size, THUMBNAIL)
    if side < size:
        pattern = torch.nn.functional.adaptive_max_pool2d(pattern, side)
    numbers = (pattern * 255).round().to(torch.uint8).contiguous().numpy().tobytes()
    return pack({**header, "layers": layers, "heads": heads, "side": side}, numbers)


def tokens(found: "Patterns", trace: "Trace") -> list[dict[str, Any]]:
    """What each row stands for: its text, whether it is special, and which sentence it is of.

    A token is written as its label, and a word of several as it was typed.
    """
    from explorer.analysis.words import words

    encoding = trace.encoding
    names = {word.positions[0]: word.text for word in words(encoding)}
    return [
        {
            "text": names[group[0]] if len(group) > 1 else label(encoding, group[0]),
            "quiet": bool(encoding.special[group[0]]),
            "side": encoding.side(group[0]),
        }
        for group in found.groups
    ]
