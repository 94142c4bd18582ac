"""The states that a page has had in this session: for Undo, and for the browser's Back and Forward."""

import json
import time
from typing import Any

import streamlit as st

from explorer.server.session import Session
from explorer.server.streamlit_private import clicked, is_history_navigation

SETTLED_S = 3.0  # seconds after which a browser has certainly taken over a new address
MOST_STATES = 30  # of a page that are kept


class PageHistory:
    """The past values and links of one page."""

    def __init__(self, page: str) -> None:
        self.page = page

    def undo(self) -> dict[str, Any] | None:
        """The values before the last change, which is forgotten; None without a change."""
        if not self._undo_states():
            return None
        st.session_state[f"{self.page}/undone"] = True
        return self._undo_states().pop()

    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._undo_states())

    def record_change(self, values: dict[str, Any]) -> None:
        """Keep the values of the last run for Undo if a person has changed them since.

        A run may itself bring settings within their limits, which is no change to undo.
        """
        last = st.session_state.get(f"{self.page}/last")
        undone = st.session_state.pop(f"{self.page}/undone", False)
        if last is not None and not undone and last != values:
            self._undo_states().append(last)
            del self._undo_states()[:-MOST_STATES]

    def is_new_link(self, link: dict[str, str], values: dict[str, Any]) -> bool:
        """Whether the settings in the address come from a link that has just been opened.

        With a click or a change, a browser may still send the address of a moment ago.
        """
        replaced_links = [old for old, _ in self._replaced_links()]
        is_other = bool(link) and link != self.link() and link not in replaced_links
        return is_other and not self._is_touched(values)

    def values_at(self, link: dict[str, str]) -> dict[str, Any] | None:
        """The values at an address to which the browser has gone back or forward; otherwise None."""
        if link == self.link() or not is_history_navigation():
            return None
        return self._states().get(_key(link))

    def record_visit(self, link: dict[str, str] | None) -> None:
        """Note the link that has opened the page, if one has."""
        if link is not None:
            st.session_state[f"{self.page}/link"] = link

    def record_run(self, values: dict[str, Any], link: dict[str, str]) -> None:
        """Keep the values with which a run ends, and its link."""
        st.session_state[f"{self.page}/last"] = values
        before = self.link()
        if before is not None and before != link:
            st.session_state[f"{self.page}/left"] = [*self._replaced_links(), (before, time.monotonic())]
        st.session_state[f"{self.page}/link"] = link
        states = self._states()
        states[_key(link)] = states.pop(_key(link), {}) | values
        for oldest in list(states)[:-MOST_STATES]:
            del states[oldest]

    def _is_touched(self, values: dict[str, Any]) -> bool:
        """Whether a click or a change of a value has started this run, which is not the page's first."""
        last = st.session_state.get(f"{self.page}/last")
        return last is not None and (last != values or clicked())

    def link(self) -> dict[str, str] | None:
        """The link of the last run."""
        return Session[dict[str, str] | None](f"{self.page}/link", None).get()

    def _replaced_links(self) -> list[tuple[dict[str, str], float]]:
        """The links that were replaced less than SETTLED_S ago, and when; older ones may be opened again."""
        now = time.monotonic()
        links = st.session_state.get(f"{self.page}/left", [])
        return [(link, since) for link, since in links if now - since < SETTLED_S]

    def _states(self) -> dict[str, dict[str, Any]]:
        """The last values at each address that the page has had, the latest at the end."""
        states: dict[str, dict[str, Any]] = st.session_state.setdefault(f"{self.page}/states", {})
        return states

    def _undo_states(self) -> list[dict[str, Any]]:
        """The values before the last changes, the oldest first."""
        past: list[dict[str, Any]] = st.session_state.setdefault(f"{self.page}/past", [])
        return past


def _key(link: dict[str, str]) -> str:
    """The same text for the same address, whatever the order of its settings."""
    return json.dumps(link, sort_keys=True)
