"""Sentences that a teacher may take from the room with good odds: they are data, `assets/safe.toml`."""

from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import read_once
from explorer.locale import N_, _, translate
from explorer.server.streamlit_private import draw_kept
from explorer.views.frame import default_models, presenter
from explorer.views.frame.lecture.lecturing import plain
from explorer.views.frame.presets import Preset, show
from explorer.views.settings.settings import Settings

TITLE = N_("Sentences to take from the room")


def safe_sentences(page: str, view: str) -> list[Preset]:
    """The sentences of a view that this computer's models can read."""
    listed = _table().get(page, {})
    if listed.get("view") != view or listed.get("writer", "") not in ("", default_models.WRITER):
        return []
    lines = [[line] if isinstance(line, str) else line for line in listed["sentences"]]
    return [
        Preset(" / ".join(line), "", {"view": view} | dict(zip(listed["set"], line, strict=True)))
        for line in lines
    ]


def draw(settings: Settings, view: str, popover: Any) -> None:
    """The sentences, folded, with their odds; in presenter mode below the presets, in their popover."""
    listed = safe_sentences(settings.page, view)
    if not listed or (popover is None and presenter.presenting()):
        return
    folded = popover is None
    where = st.container(key="safe-sentences").expander(_(TITLE)) if folded else popover

    def draw_lines() -> None:
        if not folded:
            st.html(f'<p class="rb-point"><b>{_(TITLE)}</b></p>')
        st.html(f'<p class="rb-point">{odds(settings.page)}</p>')
        for preset in listed:
            st.button(
                plain(preset.label),
                key=f"{settings.page}/safe/{preset.label}",
                type="tertiary",
                on_click=show,
                args=(settings, preset),
            )

    draw_kept(where.container(gap=None), "safe", (listed, folded), draw_lines)


def odds(page: str) -> str:
    """What counts as good on a page, and in how many of the sentences that we tried it was so."""
    listed = _table()[page]
    good, every = listed["odds"]
    held = _("That held for {good} of the {every} that we tried; here are ten.", good=good, every=every)
    return f"{translate(listed['good'])} {held}"


@read_once
def _table() -> dict[str, Any]:
    return assets.table(assets.SAFE)
