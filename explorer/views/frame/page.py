"""What a page is drawn with: its header, the picture's place, errors, and the card of its model."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from explorer import assets
from explorer.assets import CHECKPOINTS
from explorer.catalogue.ability import all_of
from explorer.errors import ExplorerError
from explorer.locale import N_, _
from explorer.server import memory, warm_up
from explorer.server.streamlit_private import draw_kept
from explorer.system.free_memory import is_memory_error, size_error
from explorer.views.frame import cost, navigation, picker
from explorer.views.look import theme
from explorer.views.settings.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

TABLES = re.compile(r"\n(?=## (?:[A-Z][a-z]+ samples|Scores)\n)")  # what follows the plain words of a card
MORE_OF_CARD = N_("Samples, scores, and how it was made")
LONGEST = 600  # characters of a message, which may quote what was typed
FENCE = "~" * 8  # around a text in Markdown that is shown as it is


class Header:
    """The right side of a page's first line, filled once the page knows its model."""

    def __init__(self, settings: Settings, slot: Any) -> None:
        self._settings, self._slot = settings, slot
        self.needs: Sequence[str] = ()  # of the model, the last time that one was asked for

    def model(self, *abilities: str) -> "LanguageModel":
        """Draw the picker and the badge; return the chosen model, loaded.

        `abilities` are names of `Ability` members, or several with spaces; the model has one of them.
        """
        warm_up.yield_to_first_paint()
        self.needs = abilities
        with self._slot:
            chosen = picker.pick(self._settings, *map(all_of, abilities))
        self.badge(
            str(chosen.checkpoint),
            _(picker.OTHER_MODELS, typed=_(picker.TYPED)) if picker.open_sources() else "",
        )
        return chosen

    def bundled(self, names: list[str]) -> str:
        """Draw a picker of these checkpoints only; returns the chosen name and loads nothing."""
        with self._slot:
            return picker.pick_bundled(self._settings, names)

    def badge(self, checkpoint: str, others: str = "") -> None:
        """Where the numbers on this page come from; a click opens the model's card, and `others` below it."""
        text, about = card(checkpoint), _("What it was trained on, what it does well and what badly")

        def draw() -> None:
            if ":" not in checkpoint:
                navigation.link("models", _("What it learnt, and when"), model=checkpoint)
            words, *rest = TABLES.split(text, maxsplit=1)
            prose(f"badge/{checkpoint}", words)
            if rest:
                with st.expander(_(MORE_OF_CARD)):
                    prose(f"badge/{checkpoint}/rest", rest[0])
            if others:
                st.html(f'<p class="rb-point">{others}</p>')

        with self._slot:
            box = st.popover(_("About this model"), help=about)
        draw_kept(box, "badge", (checkpoint, others, text, navigation.link_context()), draw)


def palette() -> theme.Palette:
    """The palette of the visitor's theme."""
    return theme.palette(st.context.theme.type)


def show_script_error(error: Exception) -> bool:
    """Show an error of ours, or too little memory; False for any other."""
    if is_memory_error(error):
        error = size_error("this picture")
    if isinstance(error, ExplorerError):
        show_error(error)
    return isinstance(error, ExplorerError)


def show_error(error: ExplorerError, key: str = "problem") -> None:
    """Show what happened, and what to do. A page may have several errors."""
    with _box(key):
        st.text(error.message if len(error.message) <= LONGEST else f"{error.message[:LONGEST]} …")
        if error.hint:
            st.text(error.hint)
        if isinstance(error, picker.NotChosenError):
            st.button(_("Load it"), key=f"load/{error.name}", on_click=picker.choose, args=(error.name,))


def _box(key: str) -> Any:
    """A container with this key, or the next free one: `problem`, `problem-2`."""
    for free in (key, *(f"{key}-{number}" for number in range(2, 20))):
        with suppress(StreamlitDuplicateElementKey):
            return st.container(key=free, border=True)
    return st.container(border=True)


def picture(_: object = None) -> AbstractContextManager[Any]:
    """The container of a page's main picture, which is wholly in view when the page opens."""
    box: AbstractContextManager[Any] = st.container(key="picture")
    return box


def prose(key: str, markdown: str) -> None:
    """A text of several paragraphs, with a key of its own.

    With another key React builds another text from scratch. Otherwise it would change single text nodes,
    and fail where a browser's translator has replaced them.
    """
    with st.container(key=key):
        st.markdown(markdown)


def card(name: str) -> str:
    """The card of a bundled checkpoint; for others, where the weights come from and what they cost."""
    path = CHECKPOINTS / name / "card.md"
    if ":" not in name and path.exists():
        return assets.text(path)
    source, _, rest = name.partition(":")
    where = {"hub": "the Hugging Face hub", "serve": "another machine"}.get(
        source, "a folder on this computer"
    )
    text = f"Trained weights from {where}:\n\n{_code(rest)}\n\nTheir authors' card says how they were made."
    if not memory.loaded(name):
        return text
    if theirs := getattr(memory.get(name), "card", ""):
        # As plain text: nothing that an unknown card links to is fetched.
        text += f"\n\n{FENCE}text\n{theirs.replace(FENCE, '')}\n{FENCE}"
    text += f"\n\n{cost.cost(name)}"
    left_out = memory.get(name).left_out
    heads = ", ".join(
        sorted({_code(parameter.rpartition(".")[0] or parameter) for parameter in left_out})[:9]
    )
    text += f"\n\nA head for another task was left out: {heads}." if heads else ""
    if getattr(memory.get(name), "classifier", None) is not None:
        text += "\n\nIts classifier was read too: Fine-tuning shows its classes."
    rowless = ", ".join(map(_code, memory.get(name).tokenizer.rowless[:20]))
    if rowless:
        text += f"\n\nThe weights have no row for these tokens, so they are read as text: {rowless}."
    # As plain text: they quote files of unknown origin.
    notes = " ".join(getattr(memory.get(name), "notes", ())).replace(FENCE, "")
    return text + (f"\n\n{FENCE}text\n{notes}\n{FENCE}" if notes else "")


def _code(name: str) -> str:
    """A name of unknown origin as code in Markdown; it cannot end the code."""
    line = " ".join(name.replace("`", "’").split())
    return f"`{line[:200]}`"
