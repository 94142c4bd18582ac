"""Models that read English and Chinese: whether one does, and buttons that choose one that does."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import AbilityError
from explorer.views.finetuning.settings import MODEL
from explorer.views.frame import picker
from explorer.views.frame.server import memory
from explorer.views.settings.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

OURS = "bert-en-zh"
BOTH = frozenset({"en", "zh"})


def prefer(settings: Settings) -> None:
    """Unless a model was chosen, take the bundled one that reads both languages."""
    from explorer.checkpoints.bundled import available

    untouched = settings[MODEL] == settings.defaults["model"]
    if untouched and any(checkpoint.name == OURS for checkpoint in available()):
        settings.adjust(MODEL.to(OURS))


def require(model: "LanguageModel") -> None:
    """Raises AbilityError for a model that reads one language alone."""
    if model.languages >= BOTH:
        return
    only = "Chinese" if "zh" in model.languages else "English"
    raise AbilityError(
        f"{memory.short_label(str(model.checkpoint))} reads {only} alone.",
        "This picture needs a model that reads English and Chinese: choose one of these.",
    )


def bilingual_models() -> list[str]:
    """Ours, then the models of both languages that the picker lists, the smallest download first."""
    from explorer.checkpoints.bundled import available
    from explorer.checkpoints.listed import LISTED

    ours = [checkpoint.name for checkpoint in available() if checkpoint.name == OURS]
    return ours + sorted(_listed(), key=lambda name: LISTED[name.removeprefix("hub:")].megabytes)


def buttons(settings: Settings) -> None:
    """A button for each of these models, which chooses it."""

    def take(name: str) -> None:
        picker.choose(name)
        settings.set(MODEL.to(name))

    with st.container(horizontal=True, gap="small"):
        for name in bilingual_models():
            st.button(picker.label(name), key=f"finetuning/both/{name}", on_click=take, args=(name,))


def _listed() -> set[str]:
    from explorer.checkpoints.listed import LISTED

    return {f"hub:{name}" for name, listed in LISTED.items() if listed.languages >= BOTH}
