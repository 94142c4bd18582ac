"""The connection that a browser has with the app, without a browser."""

from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import connect


def stream(url: str, **more: Any) -> connect:
    """Connect to the app at an address, on this computer; to be awaited, or entered by `async with`."""
    address = f"ws://localhost:{urlsplit(url).port}/_stcore/stream"
    more = {"open_timeout": 60, "ping_timeout": 60} | more  # s, for a busy computer
    return connect(address, subprotocols=["streamlit"], proxy=None, max_size=None, **more)
