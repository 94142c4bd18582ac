"""The box for a prompt, and the row below it with the seed and the length, as several views have them."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.locale import _
from explorer.views import kit
from explorer.views.continuations.settings import LENGTH, SEED
from explorer.views.settings.setting import Change, Setting


def prompt_box(page: kit.OpenPage[None], text: Setting[str], resets: Sequence[Change] = ()) -> None:
    """A box for the beginning of a text, which says if its end is not read; a new one `resets` settings."""
    settings = page.settings
    notice = kit.unseen_end(page.model, settings[text])
    kit.text_box(settings, text, _("Prompt"), _("Type the beginning of a text"), resets=resets, notice=notice)


def seed_and_length(settings: kit.Settings, key: str, longest: int) -> Any:
    """A row with the two, to which a view may add."""
    with (row := st.container(key=key, horizontal=True, vertical_alignment="bottom", gap="medium")):
        kit.seed_box(settings, SEED, width=150)
        kit.slider(settings, LENGTH, _("Length"), 1, longest, width=260)
    return row
