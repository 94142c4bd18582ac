"""The choice of a model in a page's header."""

import os
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import memory
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel
    from explorer.trace import Ability


def pick(settings: Settings, *abilities: "Ability") -> "LanguageModel":
    """The picker: models with one of the abilities; returns the chosen one, loaded.

    A name that is not listed may be typed: `hub:organisation/name` or `folder:/a/path`.
    """
    import explorer

    names = [str(c) for c in explorer.available() if _suits(c.abilities, abilities)]
    chosen = settings["model"]
    st.selectbox(
        "Model",
        names if chosen in names else [*names, chosen],
        key=settings.key("model"),
        format_func=lambda name: memory.LABELS.get(name, name.removeprefix("hub:")),
        accept_new_options=_open_sources(),
        label_visibility="collapsed",
        help="A model that ships with Riverbank, or one from the Hugging Face hub.",
    )
    return load(settings["model"])


def pick_bundled(settings: Settings, names: list[str]) -> str:
    """The picker of a page that only tells of the checkpoints in `names`; nothing is loaded."""
    chosen = settings["model"]
    st.selectbox(
        "Model",
        names if chosen in names else [*names, chosen],
        key=settings.key("model"),
        format_func=memory.short_label,
        label_visibility="collapsed",
        help="A model that ships with Riverbank.",
    )
    return settings["model"]


def load(name: str) -> "LanguageModel":
    """A model, with a progress bar where it must be fetched first."""
    if memory.loaded(name):
        return memory.get(name)
    place = st.empty()
    showing = False

    def show(done: int, total: int, file: str) -> None:
        nonlocal showing
        showing = True
        share = min(done / max(total, 1), 1.0)
        size = f"Fetching {file}: {done / 1e6:.0f} of {total / 1e6:.0f} MB"
        place.progress(share, size if file else "Asking the Hugging Face hub")

    try:
        return memory.get(name, show if ":" in name else None)
    finally:
        if showing:
            place.empty()


def _open_sources() -> bool:
    """Whether a visitor may type a name; on an address that others can reach, not unless asked for."""
    from explorer.checkpoints import OPEN_VARIABLE, open_sources

    if st.get_option("server.address") not in ("localhost", "127.0.0.1", "::1"):
        os.environ.setdefault(OPEN_VARIABLE, "0")
    return open_sources()


def _suits(has: "Ability | None", wanted: "tuple[Ability, ...]") -> bool:
    return has is None or any(has & ability for ability in wanted)
