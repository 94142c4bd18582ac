"""A page's settings: they live in the session while one works, and in the link when one shares.

    settings = Settings("attention", text="The bank ...", layer=3)
    settings.open()                      read the link, once; else what this session had
    st.slider("Layer", key=settings.key("layer", "Layer"))
    settings["layer"]                    the value now
    settings.fit(layer=1)                the nearest that this text and model have; 3 stays stored
    settings.close()                     write what differs from the defaults into the link

A long text travels compressed (zlib, base64url). What comes from outside goes through `values.py`:
unreadable values in a link are ignored, texts that are too long lose their end, and `cut` says so.
What was there before a change stays in the session, so that `undo` can bring it back.
"""

import base64
import contextlib
import json
import time
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from explorer.views.frame.clicks import clicked
from explorer.views.frame.values import fitted, longest, plain, too_long

LINK_LIMIT = 4000  # characters of one value in a link; longer text stays out of it
COMPRESS_FROM = 200
PRESENT = "present"  # the parameter of presenter mode, see presenter.py
HERE = "/page"  # session key: the page that ran last
JUST = 3.0  # seconds in which a browser has surely taken over the new address
UNPACKED_LIMIT = 1_000_000  # bytes: a small link must not unpack into gigabytes
UNDOABLE = 30  # states of a page that can be undone
Named = Callable[[Any], str | None]  # a value of a setting -> what it is called on screen


class Settings:
    """Named values with defaults; the type of a default is the type of the setting."""

    def __init__(self, page: str, **defaults: Any) -> None:
        self.page = page
        self.declared = defaults  # with their limits, see values.py
        self.defaults = {name: plain(default) for name, default in defaults.items()}
        self.offered: list[Any] = []  # what this run of the page has to save, see saving.py
        self.caption: list[str] = []  # what stands under a saved picture, see caption.py
        self.typed: dict[str, str] = {}  # the settings that this run has drawn a text box for, and its label
        self.named: dict[str, tuple[str, Named]] = {}  # those that it has drawn a choice for, see `name`
        self.unlinked: list[str] = []  # settings too long for the link
        self.views: dict[str, str] = {}  # the views that this run offers, with their labels
        self._dictionaries: dict[str, dict[str, Any]] = {}  # the session's own, found once

    def key(self, name: str, label: str = "", values: Named | None = None) -> str:
        """The key of a setting’s widget and of its value in the session; for where the widget is drawn.

        With the widget’s `label` it also does what `name` does; a saved picture is silent of the others.
        """
        if label:
            self.name(name, label, values)
        return self._key(name)

    def name(self, name: str, label: str, values: Named | None = None) -> None:
        """Say what a setting that this run draws a choice for, and its values, are called on screen.

        The lines under a saved picture say so, see `caption.py`. A value for which `values` gives None
        is told as it is.
        """
        self.named[name] = label, values or (lambda value: None)

    def __getitem__(self, name: str) -> Any:
        key = self._key(name)
        with contextlib.suppress(KeyError):  # each look into the session costs some 25 microseconds
            return st.session_state[key]
        return self._kept().get(name, self.defaults[name])

    def set(self, **values: Any) -> None:
        """Change settings. Call it in a callback, or before the widget of that key is drawn."""
        for name, value in values.items():
            st.session_state[self._key(name)] = value
            self._kept()[name] = value
            self._fits().pop(name, None)

    def fit(self, **shown: Any) -> None:
        """Show settings as what fits this text and model; what was chosen stays stored, and in the link.

        Call it before the widget of that key is drawn, at every run in which the stored value does not fit.
        """
        for name, value in shown.items():
            if value != self[name]:
                self._fits()[name] = st.session_state[self._key(name)] = value

    def stored(self, name: str) -> Any:
        """What was chosen, whether it fits what is shown now or not."""
        return self._chosen(name, self[name])

    def _chosen(self, name: str, shown: Any) -> Any:
        """What was chosen, where this is shown."""
        fits = self._fits()
        return self._kept()[name] if name in fits and fits[name] == shown else shown

    def take(self, **values: Any) -> None:
        """Change settings to values from outside; what a setting does not take gives way to its default."""
        for name, value in values.items():
            st.session_state[self._cut(name)] = too_long(value, self.declared[name])
            self.set(**{name: plain(fitted(value, self.declared[name]))})

    def follow(self, link: Mapping[str, str]) -> None:
        """Take over a link's values, as `close` writes them; what it does not say is the default."""
        for name, default in self.defaults.items():
            self.take(**{name: _unpack(link[name], default) if name in link else default})

    def cut(self, name: str) -> bool:
        """Whether the text that was last taken over was too long for its setting, and lost its end."""
        return st.session_state.get(self._cut(name), False) and len(self[name]) == longest(
            self.declared[name]
        )

    def reset(self) -> None:
        """Back to the defaults (for a button's callback)."""
        self.set(**self.defaults)

    def values(self) -> dict[str, Any]:
        """All settings as they were chosen."""
        return {name: self.stored(name) for name in self.defaults}

    def undo(self) -> None:
        """Back to before the last change (for a button's callback)."""
        if past := self._past():
            self.set(**past.pop())
            st.session_state[f"{self.page}/undone"] = True

    @property
    def undoable(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._past())

    def open(self) -> None:
        """Take over a link's values when a link has just been opened; else restore this session's."""
        in_link = {n: v for n, v in st.query_params.items() if n in self.defaults}
        back = self._walked_back(in_link)
        fresh_link = bool(in_link) and in_link != st.session_state.get(f"{self.page}/link")
        # Who acts quickly sends the address of a moment ago along: that is no link that was opened.
        fresh_link = fresh_link and in_link not in [link for link, _ in self._left()] and back is None
        st.session_state[HERE] = self.page
        if back is not None:
            self.set(**back)
        if fresh_link or back is not None:
            st.session_state[f"{self.page}/link"] = in_link
        # Streamlit forgets a widget's value where its range changes, as it may with the view, and a browser
        # shows the widget's own first value unless it is told another.
        told = self._view() == st.session_state.get(f"{self.page}/view")
        if fresh_link:
            self.follow(in_link)
        else:
            self._restore(told)
        self._remember()

    def _restore(self, told: bool) -> None:
        """What this session had; where the browser was not told (another view), every value is sent again."""
        kept = self._kept()
        for name, default in self.defaults.items():
            key = self._key(name)
            try:
                shown = st.session_state[key]
            except KeyError:
                st.session_state[key] = kept.setdefault(name, default)
                continue
            kept[name] = self._chosen(name, shown)
            if not told or kept[name] != shown:
                st.session_state[key] = kept[name]

    def link(self) -> dict[str, str]:
        """What the address says of this page: the settings that are not their defaults, but for long ones."""
        return self._link(self.values())

    def _link(self, values: Mapping[str, Any]) -> dict[str, str]:
        link, self.unlinked = {}, []
        for name, default in self.defaults.items():
            value = values[name]
            packed = "" if value == default else _pack(value)
            if len(packed) > LINK_LIMIT:
                self.unlinked.append(name)
            elif value != default:
                link[name] = packed
        return link

    def close(self) -> None:
        """Remember this session's values and write the link."""
        values = self.values()
        link = self._link(values)
        self._kept().update(values)
        st.session_state[f"{self.page}/last"] = values
        st.session_state[f"{self.page}/view"] = self._view()
        for name in [name for name, value in self._fits().items() if value != self[name]]:
            del self._fits()[name]  # it fits again, or was moved by hand
        before = st.session_state.get(f"{self.page}/link")
        if before is not None and before != link:
            st.session_state[f"{self.page}/left"] = [*self._left(), (before, time.monotonic())]
        st.session_state[f"{self.page}/link"] = link
        if dict(st.query_params) != presenting_on() | link:
            st.query_params.from_dict(presenting_on() | link)
        states = self._states()
        states[_one(link)] = states.pop(_one(link), {}) | values
        for oldest in list(states)[:-UNDOABLE]:
            del states[oldest]

    def _key(self, name: str) -> str:
        return f"{self.page}.{name}"

    def _cut(self, name: str) -> str:
        return f"{self.page}/{name}/cut"

    def _kept(self) -> dict[str, Any]:
        """Values that outlive the widgets, which Streamlit forgets on a change of page."""
        return self._held("kept")

    def _held(self, name: str) -> dict[str, Any]:
        """A dictionary of the session, which lives as long as it does."""
        if name not in self._dictionaries:
            self._dictionaries[name] = st.session_state.setdefault(f"{self.page}/{name}", {})
        return self._dictionaries[name]

    def _view(self) -> str:
        """The view that the settings ask for; empty on a page that has no choice of views."""
        return str(self["view"]) if "view" in self.defaults else ""

    def _fits(self) -> dict[str, Any]:
        """The settings that the last run showed as their nearest fit, with what it showed."""
        return self._held("fits")

    def _left(self) -> list[tuple[dict[str, str], float]]:
        """The links that this page has just replaced, with when; older ones may be opened again."""
        now = time.monotonic()
        left = st.session_state.get(f"{self.page}/left", [])
        return [(link, since) for link, since in left if now - since < JUST]

    def _walked_back(self, in_link: dict[str, str]) -> dict[str, Any] | None:
        """The values that this page had at an address that the browser has gone back (or on) to; else None.

        Nobody has touched anything then, and only the address is another than the last run left.
        """
        last = st.session_state.get(f"{self.page}/last")
        here = st.session_state.get(HERE) == self.page
        moved = in_link != st.session_state.get(f"{self.page}/link")
        if last is None or not here or not moved or last != self.values() or clicked():
            return None
        return self._states().get(_one(in_link))

    def _states(self) -> dict[str, dict[str, Any]]:
        """The last values at each of the addresses that this page has had, the latest at the end."""
        return st.session_state.setdefault(f"{self.page}/states", {})

    def _past(self) -> list[dict[str, Any]]:
        """The states before the last changes, the oldest first."""
        return st.session_state.setdefault(f"{self.page}/past", [])

    def _remember(self) -> None:
        """Keep what the last run ended with, where somebody has changed it since.

        What a page itself brings within range while it runs is no change to undo: it is in `last`.
        """
        last = st.session_state.get(f"{self.page}/last")
        undone = st.session_state.pop(f"{self.page}/undone", False)
        if last is not None and not undone and last != self.values():
            self._past().append(last)
            del self._past()[:-UNDOABLE]


def presenting_on() -> dict[str, str]:
    """What of the address every link of ours keeps: presenter mode, where it is on."""
    return {name: value for name, value in st.query_params.items() if name == PRESENT}


def _one(link: dict[str, str]) -> str:
    """The same text for the same address, in whatever order it says its settings."""
    return json.dumps(link, sort_keys=True)


def _pack(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    if len(text) < COMPRESS_FROM and not text.startswith("z~"):
        return text
    return "z~" + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def _unpack(text: str, default: Any) -> Any:
    """What a link's parameter says, of any type; the default where it says nothing that can be read."""
    with contextlib.suppress(ValueError, zlib.error, RecursionError):
        if text.startswith("z~"):
            packed = base64.urlsafe_b64decode(text[2:] + "=" * (-len(text[2:]) % 4))
            unpacked = zlib.decompressobj().decompress(packed, UNPACKED_LIMIT)
            text = unpacked.decode(errors="ignore" if len(unpacked) == UNPACKED_LIMIT else "strict")
        return text if isinstance(default, str) else json.loads(text)
    return default
