"""The language of a visitor's session: that of the address (`lang=fr`), the chosen one, or the browser's."""

import streamlit as st

from explorer import locale
from explorer.server.session import Session
from explorer.server.streamlit_private import is_history_navigation

PARAMETER = "lang"
# A browser decides only among languages that have these texts too: the others are translated in part.
WHOLE = "lectures"
CHOSEN = Session[str | None]("/language", None)  # "" where nobody has chosen; None before the first run


def follow_address() -> None:
    """Show texts in the visitor's language from now on; the address counts at first, and after Back.

    Later on a message from before a choice may still bring the old one.
    """
    if CHOSEN.get() is None or is_history_navigation():
        name = st.query_params.get(PARAMETER, "").partition("-")[0].lower()  # “zh-CN” as “zh”
        CHOSEN.set(name if name in locale.languages(locale.APP) else "")
    use()


def use() -> None:
    """Show texts in the visitor's language from now on, in this run."""
    locale.use(CHOSEN.get() or locale.choose(st.context.locale or "", WHOLE))


def choose(name: str) -> None:
    """Show texts in a language that the visitor has chosen (for a callback)."""
    CHOSEN.set(name)
    use()


def query() -> str:
    """The language that is shown, as the end of an address without other parameters; "" for English."""
    name = locale.language()
    return "" if name == locale.ENGLISH else f"?{PARAMETER}={name}"


def parameter() -> dict[str, str]:
    """The parameter that all our links keep: the language, if somebody has chosen it."""
    return {PARAMETER: name} if (name := CHOSEN.get()) else {}
