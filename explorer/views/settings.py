"""A page's settings: they live in the session while one works, and in the link when one shares.

    settings = Settings("attention", text="The bank ...", layer=3)
    settings.open()                      read the link, once; else what this session had
    st.slider("Layer", key=settings.key("layer"))
    settings["layer"]                    the value now
    settings.close()                     write what differs from the defaults into the link

A long text travels compressed (zlib, base64url). Unreadable values in a link are ignored.
"""

import base64
import contextlib
import json
import zlib
from typing import Any

import streamlit as st

LINK_LIMIT = 4000  # characters of one value in a link; longer text stays out of it
COMPRESS_FROM = 200
UNPACKED_LIMIT = 100_000  # a small link must not unpack into gigabytes


class Settings:
    """Named values with defaults; the type of a default is the type of the setting."""

    def __init__(self, page: str, **defaults: Any) -> None:
        self.page = page
        self.defaults = defaults

    def key(self, name: str) -> str:
        """The session key (and widget key) of a setting."""
        return f"{self.page}.{name}"

    def __getitem__(self, name: str) -> Any:
        return st.session_state.get(self.key(name), self._kept().get(name, self.defaults[name]))

    def set(self, **values: Any) -> None:
        """Change settings. Call it in a callback, or before the widget of that key is drawn."""
        for name, value in values.items():
            st.session_state[self.key(name)] = value
            self._kept()[name] = value

    def reset(self) -> None:
        """Back to the defaults (for a button's callback)."""
        self.set(**self.defaults)

    def open(self) -> None:
        """Take over a link's values when a link has just been opened; else restore this session's."""
        kept = self._kept()
        in_link = {n: v for n, v in st.query_params.items() if n in self.defaults}
        fresh_link = bool(in_link) and in_link != st.session_state.get(f"{self.page}/link")
        if fresh_link:
            st.session_state[f"{self.page}/link"] = in_link
        for name, default in self.defaults.items():
            if fresh_link:
                self.set(**{name: _unpack(in_link[name], default) if name in in_link else default})
            elif self.key(name) not in st.session_state:
                st.session_state[self.key(name)] = kept.get(name, default)

    def close(self) -> None:
        """Remember this session's values and write the link."""
        link = {}
        for name, default in self.defaults.items():
            value = self[name]
            self._kept()[name] = value
            packed = "" if value == default else _pack(value)
            if value != default and len(packed) <= LINK_LIMIT:
                link[name] = packed
        st.session_state[f"{self.page}/link"] = link
        others = {n: v for n, v in st.query_params.items() if n == "present"}
        if dict(st.query_params) != others | link:
            st.query_params.from_dict(others | link)

    def _kept(self) -> dict[str, Any]:
        """Values that outlive the widgets, which Streamlit forgets on a change of page."""
        return st.session_state.setdefault(f"{self.page}/kept", {})


def _pack(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    if len(text) < COMPRESS_FROM and not text.startswith("z~"):
        return text
    return "z~" + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def _unpack(text: str, default: Any) -> Any:
    """The value of a link's parameter, or the default where it is not of the default's type."""
    with contextlib.suppress(ValueError, zlib.error):
        if text.startswith("z~"):
            packed = base64.urlsafe_b64decode(text[2:] + "=" * (-len(text[2:]) % 4))
            text = zlib.decompressobj().decompress(packed, UNPACKED_LIMIT).decode()
        if isinstance(default, str):
            return text
        value = json.loads(text)
        if isinstance(default, bool) or isinstance(value, bool):
            return value if isinstance(value, bool) and isinstance(default, bool) else default
        if isinstance(default, float) and isinstance(value, int | float):
            return float(value)
        if default is None or isinstance(value, type(default)):
            return value
    return default
