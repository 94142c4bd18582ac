"""A page's settings: they live in the session while one works, and in the link when one shares.

    LAYER = Setting("layer", 3)
    settings = Settings("attention", TEXT, LAYER)
    settings.open()                      read the link, once; otherwise restore what this session had
    st.slider("Layer", key=settings.key(LAYER, "Layer"))
    settings[LAYER]                      the value now
    settings.adjust(LAYER.to(1))         the nearest that this text and model have; 3 stays stored
    settings.close()                     write what differs from the defaults into the link

A long text travels compressed (zlib, base64url). What comes from outside goes through `Setting.accept`:
unreadable values in a link are ignored, texts that are too long lose their end, and `was_cut` says so.
What was there before a change stays in the session, so that `undo` can bring it back.
"""

import base64
import contextlib
import json
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import streamlit as st

from explorer.views.frame.clicks import clicked
from explorer.views.frame.setting import Change, Setting

LINK_LIMIT = 4000  # characters of one value in a link; longer text stays out of it
COMPRESS_FROM = 200
PRESENT = "present"  # the parameter of presenter mode, see presenter.py
HERE = "/page"  # session key: the page that ran last
JUST = 3.0  # seconds in which a browser has surely taken over the new address
UNPACKED_LIMIT = 1_000_000  # bytes: a small link must not unpack into gigabytes
UNDOABLE = 30  # states of a page that can be undone
ValueName = Callable[[Any], str | None]  # a value of a setting -> what it is called on screen
T = TypeVar("T")


class Settings:
    """The values of a page's settings, in this visitor's session."""

    def __init__(self, page: str, *declared: Setting[Any]) -> None:
        self.page = page
        self.declared = {str(setting): setting for setting in declared}
        self.defaults = {name: setting.default for name, setting in self.declared.items()}
        self.offered: list[Any] = []  # what this run of the page has to save, see saving.py
        self.caption: list[str] = []  # what stands under a saved picture, see caption.py
        self.text_labels: dict[
            str, str
        ] = {}  # the settings that this run has drawn a text box for, with its label
        self.choice_labels: dict[
            str, tuple[str, ValueName]
        ] = {}  # those that it has drawn a choice for, see `label`
        self.unlinked: list[str] = []  # settings too long for the link
        self.views: dict[str, str] = {}  # the views that this run offers, with their labels
        self._dictionaries: dict[str, dict[str, Any]] = {}  # the session's own, found once

    def key(self, name: str, label: str = "", values: ValueName | None = None) -> str:
        """The key of a setting’s widget and of its value in the session; call it where the widget is drawn.

        With the widget’s `label` it also does what `label` does; a saved picture does not mention the others.
        """
        if label:
            self.label(name, label, values)
        return self._key(name)

    def label(self, name: str, label: str, values: ValueName | None = None) -> None:
        """Say what a setting that this run draws a choice for, and its values, are called on screen.

        The lines under a saved picture say so, see `caption.py`. A value for which `values` gives None
        is written as it is.
        """
        self.choice_labels[name] = label, values or (lambda value: None)

    def __getitem__(self, setting: Setting[T]) -> T:
        return self.value(setting)  # type: ignore[no-any-return]

    def value(self, name: str) -> Any:
        """The value now, of a setting that only its name is known of; `settings[SETTING]` has a type."""
        key = self._key(name)
        with contextlib.suppress(KeyError):  # each look into the session costs some 25 microseconds
            return st.session_state[key]
        return self._chosen_values().get(name, self.defaults[name])

    def set(self, *changes: Change) -> None:
        """Change settings. Call it in a callback, or before the widget of that key is drawn."""
        for name, value in changes:
            st.session_state[self._key(name)] = value
            self._chosen_values()[name] = value
            self._adjusted().pop(name, None)

    def update(self, values: Mapping[str, Any]) -> None:
        """Change settings to the values of a preset, or of an earlier state."""
        self.set(*(Change(name, value) for name, value in values.items()))

    def adjust(self, *shown: Change) -> None:
        """Show settings as what fits this text and model; what was chosen stays stored, and in the link.

        Call it before the widget of that key is drawn, at every run in which the stored value does not fit.
        """
        for name, value in shown:
            if value != self.value(name):
                self._adjusted()[name] = st.session_state[self._key(name)] = value

    def restrict(self, setting: Setting[T], choices: Iterable[T]) -> None:
        """Show the first of the choices if the value is none of them, as a link may say anything."""
        choices = list(choices)
        if self[setting] not in choices:
            self.adjust(setting.to(choices[0]))

    def nearest(self, setting: Setting[Any], choices: Iterable[float]) -> None:
        """Show the number nearest to the value among the choices."""
        value = self[setting]
        self.adjust(setting.to(min(choices, key=lambda choice: abs(choice - value))))

    def clamp(self, setting: Setting[Any], least: float, most: float) -> None:
        """Show the nearest value between two bounds."""
        self.adjust(setting.to(min(max(self[setting], least), most)))

    def stored(self, name: str) -> Any:
        """What was chosen, whether it fits what is shown now or not."""
        return self._chosen(name, self.value(name))

    def _chosen(self, name: str, shown: Any) -> Any:
        """What was chosen, where this is shown."""
        adjusted = self._adjusted()
        return self._chosen_values()[name] if name in adjusted and adjusted[name] == shown else shown

    def accept(self, values: Mapping[str, Any]) -> None:
        """Change settings to values from outside; what a setting does not take becomes its default."""
        for name, value in values.items():
            st.session_state[self._cut_key(name)] = self.declared[name].is_too_long(value)
            self.set(Change(name, self.declared[name].accept(value)))

    def read_link(self, link: Mapping[str, str]) -> None:
        """Accept the values of a link, as `close` writes it; a missing one means the default."""
        self.accept(
            {
                name: _unpack(link[name], default) if name in link else default
                for name, default in self.defaults.items()
            }
        )

    def was_cut(self, name: str) -> bool:
        """Whether the last text from outside was too long for its setting, and lost its end."""
        cut = st.session_state.get(self._cut_key(name), False)
        return bool(cut) and len(self.value(name)) == self.declared[name].most

    def reset(self) -> None:
        """Back to the defaults (for a button's callback)."""
        self.update(self.defaults)

    def values(self) -> dict[str, Any]:
        """All settings as they were chosen."""
        return {name: self.stored(name) for name in self.defaults}

    def undo(self) -> None:
        """Back to before the last change (for a button's callback)."""
        if past := self._past():
            self.update(past.pop())
            st.session_state[f"{self.page}/undone"] = True

    @property
    def undoable(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._past())

    def open(self) -> None:
        """Take over a link's values when a link has just been opened; else restore this session's."""
        in_link = {n: v for n, v in st.query_params.items() if n in self.defaults}
        back = self._values_before(in_link)
        fresh_link = bool(in_link) and in_link != st.session_state.get(f"{self.page}/link")
        # Who acts quickly sends the address of a moment ago along: that is no link that was opened.
        fresh_link = fresh_link and in_link not in [link for link, _ in self._left()] and back is None
        st.session_state[HERE] = self.page
        if back is not None:
            self.update(back)
        if fresh_link or back is not None:
            st.session_state[f"{self.page}/link"] = in_link
        # Streamlit forgets a widget's value where its range changes, as it may with the view, and a browser
        # shows the widget's own first value unless it is told another.
        same_view = self._view() == st.session_state.get(f"{self.page}/view")
        if fresh_link:
            self.read_link(in_link)
        else:
            self._restore(same_view)
        self._remember()

    def _restore(self, same_view: bool) -> None:
        """What this session had; for another view, every value is sent to the browser again."""
        chosen = self._chosen_values()
        for name, default in self.defaults.items():
            key = self._key(name)
            try:
                shown = st.session_state[key]
            except KeyError:
                st.session_state[key] = chosen.setdefault(name, default)
                continue
            chosen[name] = self._chosen(name, shown)
            if not same_view or chosen[name] != shown:
                st.session_state[key] = chosen[name]

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
        self._chosen_values().update(values)
        st.session_state[f"{self.page}/last"] = values
        st.session_state[f"{self.page}/view"] = self._view()
        for name in [name for name, value in self._adjusted().items() if value != self.value(name)]:
            del self._adjusted()[name]  # it fits again, or was moved by hand
        before = st.session_state.get(f"{self.page}/link")
        if before is not None and before != link:
            st.session_state[f"{self.page}/left"] = [*self._left(), (before, time.monotonic())]
        st.session_state[f"{self.page}/link"] = link
        if dict(st.query_params) != presenting_on() | link:
            st.query_params.from_dict(presenting_on() | link)
        states = self._states()
        states[_canonical(link)] = states.pop(_canonical(link), {}) | values
        for oldest in list(states)[:-UNDOABLE]:
            del states[oldest]

    def _key(self, name: str) -> str:
        return f"{self.page}.{name}"

    def _cut_key(self, name: str) -> str:
        return f"{self.page}/{name}/cut"

    def _chosen_values(self) -> dict[str, Any]:
        """Values that outlive the widgets, which Streamlit forgets on a change of page."""
        return self._session_dictionary("kept")

    def _session_dictionary(self, name: str) -> dict[str, Any]:
        """A dictionary of the session, which lives as long as it does."""
        if name not in self._dictionaries:
            self._dictionaries[name] = st.session_state.setdefault(f"{self.page}/{name}", {})
        return self._dictionaries[name]

    def _view(self) -> str:
        """The view that the settings ask for; empty on a page that has no choice of views."""
        return str(self.value("view")) if "view" in self.defaults else ""

    def _adjusted(self) -> dict[str, Any]:
        """The settings that the last run showed as their nearest fit, with what it showed."""
        return self._session_dictionary("fits")

    def _left(self) -> list[tuple[dict[str, str], float]]:
        """The links that this page has just replaced, with when; older ones may be opened again."""
        now = time.monotonic()
        left = st.session_state.get(f"{self.page}/left", [])
        return [(link, since) for link, since in left if now - since < JUST]

    def _values_before(self, in_link: dict[str, str]) -> dict[str, Any] | None:
        """The values that this page had at an address that the browser has gone back (or on) to; else None.

        Nobody has touched anything then, and only the address is another than the last run left.
        """
        last = st.session_state.get(f"{self.page}/last")
        here = st.session_state.get(HERE) == self.page
        moved = in_link != st.session_state.get(f"{self.page}/link")
        if last is None or not here or not moved or last != self.values() or clicked():
            return None
        return self._states().get(_canonical(in_link))

    def _states(self) -> dict[str, dict[str, Any]]:
        """The last values at each of the addresses that this page has had, the latest at the end."""
        return self._session_dictionary("states")

    def _past(self) -> list[dict[str, Any]]:
        """The states before the last changes, the oldest first."""
        past: list[dict[str, Any]] = st.session_state.setdefault(f"{self.page}/past", [])
        return past

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


def _canonical(link: dict[str, str]) -> str:
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
