"""A setting's value as text in a link: plain or JSON, and compressed (zlib, base64url) if long."""

import base64
import contextlib
import json
import zlib
from typing import Any

LINK_LIMIT = 4000  # characters of one value in a link; a longer one stays out of it
COMPRESS_FROM = 200  # characters
UNPACKED_LIMIT = 1_000_000  # bytes: a small link must not unpack into gigabytes
COMPRESSED = "z~"  # the first characters of a compressed value


def pack(value: Any) -> str:
    """A value as the text of a link's parameter."""
    text = value if isinstance(value, str) else json.dumps(value)
    if len(text) < COMPRESS_FROM and not text.startswith(COMPRESSED):
        return text
    return COMPRESSED + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(text: str, default: Any) -> Any:
    """The value in a link's parameter, of any type; the default if it cannot be read."""
    with contextlib.suppress(ValueError, zlib.error, RecursionError):
        if text.startswith(COMPRESSED):
            packed = base64.urlsafe_b64decode(text[2:] + "=" * (-len(text[2:]) % 4))
            unpacked = zlib.decompressobj().decompress(packed, UNPACKED_LIMIT)
            text = unpacked.decode(errors="ignore" if len(unpacked) == UNPACKED_LIMIT else "strict")
        return text if isinstance(default, str) else json.loads(text)
    return default
