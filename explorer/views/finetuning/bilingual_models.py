"""Models that read English and Chinese: whether one does, and a click that takes one that does."""

import streamlit as st

from explorer.errors import AbilityError
from explorer.views.frame import memory, picker
from explorer.views.frame.settings import Settings

BOTH = frozenset({"en", "zh"})


def reads_both(name: str) -> bool:
    """Whether a model reads both languages, as far as that is known before it is loaded."""
    if memory.loaded(name):
        return memory.get(name).languages >= BOTH
    return name.startswith("hub:") and name in _listed()


def require(name: str) -> None:
    """Raises AbilityError for a loaded model that reads one language alone."""
    languages = memory.get(name).languages
    if languages >= BOTH:
        return
    only = "Chinese" if "zh" in languages else "English"
    raise AbilityError(
        f"{memory.short_label(name)} reads {only} alone.",
        "This picture needs a model that reads English and Chinese: choose one of these.",
    )


def offered() -> list[str]:
    """The models of both languages that the picker lists, the smallest download first."""
    from explorer.checkpoints.listed import LISTED

    return sorted(_listed(), key=lambda name: LISTED[name.removeprefix("hub:")].megabytes)


def buttons(settings: Settings) -> None:
    """A button for each model that is offered: one click takes it."""

    def take(name: str) -> None:
        picker.choose(name)
        settings.set(model=name)

    with st.container(horizontal=True, gap="small"):
        for name in offered():
            st.button(picker.label(name), key=f"finetuning/both/{name}", on_click=take, args=(name,))


def _listed() -> set[str]:
    from explorer.checkpoints.listed import LISTED

    return {f"hub:{name}" for name, one in LISTED.items() if one.languages >= BOTH}
