"""The heads of a layer, or thumbnails of all heads, as one raw buffer for the browser.

    4 bytes        n, the length of the header (little-endian)
    n bytes        the header: JSON, padded with spaces to an even length
    the rest       numbers: float16 [head, from, to], or one byte for each cell of a thumbnail

Streamlit sends bytes unchanged only if they are all of a component's data, hence one buffer.
"""

import json
import struct
from typing import TYPE_CHECKING, Any

from explorer.views.types import Patterns, Tensor, Trace
from explorer.views.widgets.token_text import label

if TYPE_CHECKING:
    from jaxtyping import Float

THUMBNAIL = 48  # cells per side: in a longer text neighbouring cells are merged to their maximum


def pack(header: dict[str, Any], numbers: bytes) -> bytes:
    """Header and numbers in one buffer."""
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (len(text) % 2)
    return struct.pack("<I", len(text)) + text + numbers


def unpack(buffer: bytes) -> tuple[dict[str, Any], bytes]:
    """The inverse of `pack`: header and numbers."""
    (size,) = struct.unpack_from("<I", buffer)
    return json.loads(buffer[4 : 4 + size]), buffer[4 + size :]


def layer(patterns: "Patterns", header: dict[str, Any]) -> bytes:
    """The weights of one layer's heads in half precision, which keeps three digits."""
    return pack(header, patterns.pattern.half().contiguous().numpy().tobytes())


def thumbnails(pattern: "Float[Tensor, 'layer head query_pos key_pos']", header: dict[str, Any]) -> bytes:
    """Every head of every layer with at most 48 x 48 cells, one byte each."""
    import torch

    layers, heads, size, _ = pattern.shape
    side = min(size, THUMBNAIL)
    if side < size:
        pattern = torch.nn.functional.adaptive_max_pool2d(pattern, side)
    numbers = (pattern * 255).round().to(torch.uint8).contiguous().numpy().tobytes()
    return pack({**header, "layers": layers, "heads": heads, "side": side}, numbers)


def tokens(patterns: "Patterns", trace: "Trace") -> list[dict[str, Any]]:
    """The labels of the rows: text, whether it is a special token, and the sentence that it belongs to.

    A token is written as its label, and a word of several tokens as it was typed.
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
        for group in patterns.groups
    ]
