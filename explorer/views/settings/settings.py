"""A page's settings: in the session while a visitor works, and in the link that can be shared.

    LAYER = Setting("layer", 3)
    settings = Settings("attention", TEXT, LAYER)
    settings.open()                      read the link, once; otherwise restore what this session had
    st.slider("Layer", key=settings.key(LAYER, "Layer"))
    settings[LAYER]                      the value now
    settings.show_instead(LAYER.to(1))         the nearest that this text and model have; 3 stays stored
    settings.close()                     write what differs from the defaults into the link

Values from outside go through `Setting.accept`: unreadable values in a link are ignored, texts that are too
long lose their end, and `was_cut` says so. `undo` goes back to before the last change.
"""

import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import streamlit as st

from explorer import locale
from explorer.server import session_language
from explorer.server.session import Session
from explorer.server.streamlit_private import end_history_navigation, is_history_navigation, session_value
from explorer.views.settings import link_values
from explorer.views.settings.page_history import PageHistory
from explorer.views.settings.setting import Change, Setting

PRESENT = "present"  # the parameter of presenter mode, see presenter.py
ADDED = Session[dict[str, str]]("/address/added", {})  # to all our addresses, see lecture_place.py
PRESENT_TURNED = Session[dict[str, str] | None]("/present/turned", None)  # with which parameters
ValueName = Callable[[Any], str | None]  # a value of a setting -> what it is called on screen
T = TypeVar("T")


class Settings:
    """The values of a page's settings, in this visitor's session."""

    def __init__(self, page: str, *declared: Setting[Any]) -> None:
        self.page = page
        self.declared = {str(setting): setting for setting in declared}
        self.defaults = {name: setting.default for name, setting in self.declared.items()}
        self.history = PageHistory(page)
        self.saves: list[Any] = []  # what this run offers to save, see saving.py
        self.caption: list[str] = []  # the lines under a saved picture, see caption.py
        self.text_labels: dict[str, str] = {}  # by setting: the label of the text box that this run has drawn
        self.choice_labels: dict[str, tuple[str, ValueName]] = {}  # by setting: see `label`
        self.unlinked: list[str] = []  # settings whose values are too long for the link
        self.views: dict[str, str] = {}  # the views that this run offers, with their labels
        self._dictionaries: dict[str, dict[str, Any]] = {}  # the session's own, looked up once

    def key(self, name: str, label: str = "", values: ValueName | None = None) -> str:
        """The key of a setting’s widget and of its value in the session; call it where the widget is drawn.

        With the widget’s `label` it also does what `label` does; a saved picture names only such settings.
        """
        if label:
            self.label(name, label, values)
        return self._key(name)

    def send_again(self, *names: str) -> None:
        """Send widgets' values to the browser on this run too; call it before the widgets are drawn.

        A browser misses the value of a widget that it has not drawn yet, as in a popover that is closed, and
        shows the widget's minimum once it is opened.
        """
        for key in map(self._key, names):
            if key in st.session_state:
                st.session_state[key] = st.session_state[key]

    def label(self, name: str, label: str, values: ValueName | None = None) -> None:
        """Give a setting and its values the names that they have on screen, for the lines under a picture.

        A value for which `values` returns None is written as it is. See `caption.py`.
        """
        self.choice_labels[name] = label, values or (lambda value: None)

    def __getitem__(self, setting: Setting[T]) -> T:
        return self.value(setting)  # type: ignore[no-any-return]

    def value(self, name: str) -> Any:
        """The value now, by the name of its setting; `settings[SETTING]` is typed."""
        key = self._key(name)
        with contextlib.suppress(KeyError):
            return session_value(key)
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

    def show_instead(self, *changes: Change) -> None:
        """Show values that fit this text and model; the chosen ones stay stored, and in the link.

        Call it before the widget of that key is drawn, at every run in which the stored value does not fit.
        """
        for name, value in changes:
            if value != self.value(name):
                self._adjusted()[name] = st.session_state[self._key(name)] = value

    def restrict(self, setting: Setting[T], choices: Iterable[T]) -> None:
        """Show the first of the choices if the value is not among them: a link may say anything."""
        choices = list(choices)
        if self[setting] not in choices:
            self.show_instead(setting.to(choices[0]))

    def nearest(self, setting: Setting[Any], choices: Iterable[float]) -> None:
        """Show the number nearest to the value among the choices."""
        value = self[setting]
        self.show_instead(setting.to(min(choices, key=lambda choice: abs(choice - value))))

    def clamp(self, setting: Setting[Any], least: float, most: float) -> None:
        """Show the nearest value between two bounds."""
        self.show_instead(setting.to(min(max(self[setting], least), most)))

    def chosen(self, name: str) -> Any:
        """The chosen value, whether it fits what is shown now or not."""
        return self._chosen(name, self.value(name))

    def _chosen(self, name: str, value: Any) -> Any:
        """The chosen value, given the one that is shown."""
        adjusted = self._adjusted()
        return self._chosen_values()[name] if name in adjusted and adjusted[name] == value else value

    def accept(self, values: Mapping[str, Any]) -> None:
        """Change settings to values from outside; a value that a setting refuses becomes its default."""
        for name, value in values.items():
            st.session_state[self._cut_key(name)] = self.declared[name].is_too_long(value)
            self.set(Change(name, self.declared[name].accept(value)))

    def read_link(self, link: Mapping[str, str]) -> None:
        """Accept the values of a link; a missing one means the default."""
        self.accept(
            {
                name: link_values.unpack(link[name], default) if name in link else default
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
        values = {name: self.value(name) for name in self.defaults}
        adjusted = [name for name in self._adjusted() if name in values]
        return values | {name: self._chosen(name, values[name]) for name in adjusted}

    def undo(self) -> None:
        """Back to before the last change (for a button's callback)."""
        if (values := self.history.undo()) is not None:
            self.update(values)

    def open(self) -> None:
        """Take over the values of a link that has just been opened; otherwise restore this session's."""
        self._drop_labels()
        link = {name: text for name, text in st.query_params.items() if name in self.defaults}
        values = self.values()
        earlier = self.history.values_at(link)
        is_new = earlier is None and self.history.is_new_link(link, values)
        self.history.record_visit(link if is_new or earlier is not None else None)
        if earlier is not None:
            self.update(earlier)
        # Streamlit forgets a widget's value when its range changes, as it may with the view; the browser then
        # shows the widget's first value unless it is sent another. What an interrupted run sends may be lost.
        same_view = self._view() == st.session_state.get(f"{self.page}/view")
        if is_new:
            self.read_link(link)
        else:
            self._restore(same_view)
        end_history_navigation()
        chosen = self._chosen_values()
        self.history.record_change({name: chosen[name] for name in self.defaults})

    def _drop_labels(self) -> None:
        """Restore the chosen value where a browser has sent a text, or nothing, for a number or a switch.

        A menu sends the label that it shows, and Streamlit passes on one that is not in the menu any more, as
        after a run that was interrupted; of a row of buttons it then passes on None.
        """
        for name, default in self.defaults.items():
            if not isinstance(default, int | float):
                continue
            key = self._key(name)
            if not isinstance(st.session_state.get(key, default), int | float):
                st.session_state[key] = self._chosen_values().get(name, default)

    def _restore(self, same_view: bool) -> None:
        """Restore this session's values; for another view, send every value to the browser again."""
        chosen = self._chosen_values()
        for name, default in self.defaults.items():
            key = self._key(name)
            try:
                value = session_value(key)
            except KeyError:
                st.session_state[key] = chosen.setdefault(name, default)
                continue
            chosen[name] = self._chosen(name, value)
            if not same_view or chosen[name] != value:
                st.session_state[key] = chosen[name]

    def link(self) -> dict[str, str]:
        """The settings that differ from their defaults, as parameters of an address, but for long ones."""
        return self._link(self.values())

    def _link(self, values: Mapping[str, Any]) -> dict[str, str]:
        link, self.unlinked = {}, []
        for name, default in self.defaults.items():
            value = values[name]
            packed = "" if value == default else link_values.pack(value)
            if len(packed) > link_values.LINK_LIMIT:
                self.unlinked.append(name)
            elif value != default:
                link[name] = packed
        explicit = [name for name, setting in self.declared.items() if setting.explicit and link]
        return link | {name: link_values.pack(values[name]) for name in explicit}

    def close(self) -> None:
        """Keep this session's values and write the link into the address."""
        values = self.values()
        link = self._link(values)
        self._chosen_values().update(values)
        for name in [name for name, value in self._adjusted().items() if value != self.value(name)]:
            del self._adjusted()[name]  # it fits again, or was moved by hand
        self.history.record_run(values, link)
        address = added_parameters() | presenting_on() | link
        if dict(st.query_params) != address:
            st.query_params.from_dict(address)

    def note_drawn(self) -> None:
        """Note that this run was not interrupted, so that the browser has the values of its widgets."""
        st.session_state[f"{self.page}/view"] = self._view()

    def _key(self, name: str) -> str:
        return f"{self.page}.{name}"

    def _cut_key(self, name: str) -> str:
        return f"{self.page}/{name}/cut"

    def _chosen_values(self) -> dict[str, Any]:
        """The chosen values, which Streamlit would forget with their widgets on a change of page."""
        return self._session_dictionary("kept")

    def _session_dictionary(self, name: str) -> dict[str, Any]:
        if name not in self._dictionaries:
            self._dictionaries[name] = st.session_state.setdefault(f"{self.page}/{name}", {})
        return self._dictionaries[name]

    def _view(self) -> str:
        """The chosen view, if the page has several, and the language: in another one widgets are new."""
        return f"{self.value('view') if 'view' in self.defaults else ''} {locale.language()}"

    def _adjusted(self) -> dict[str, Any]:
        """The values that the last run showed in place of the chosen ones, by setting."""
        return self._session_dictionary("fits")


def added_parameters() -> dict[str, str]:
    """The parameters that every address has: the chosen language, and those of the open lecture."""
    return session_language.parameter() | ADDED.get()


def presenting_on() -> dict[str, str]:
    """The parameter that all our links keep: presenter mode, if it is on.

    Once it has been turned on or off, the address is asked only after Back or Forward: a message of a text
    that is being written, sent before the browser had the new address, may wait seconds behind other runs.
    """
    if is_history_navigation():
        PRESENT_TURNED.take()
    if (turned := PRESENT_TURNED.get()) is not None:
        return dict(turned)
    value = st.query_params.get(PRESENT)
    return {} if value is None else {PRESENT: value}


def turn_presenting(parameters: dict[str, str]) -> None:
    """Turn presenter mode on, or off with no parameters (for a callback)."""
    PRESENT_TURNED.set(parameters)
    others = {name: value for name, value in st.query_params.items() if name != PRESENT}
    st.query_params.from_dict(others | parameters)
