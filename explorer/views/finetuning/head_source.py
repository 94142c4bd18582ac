"""Which task head answers: the one just trained, one from a file or a link, or a ready one; and its line."""

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import ExplorerError, TextError
from explorer.views.finetuning.sets import TaskSpec
from explorer.views.finetuning.settings import HEAD
from explorer.views.finetuning.trainings import HeadTraining
from explorer.views.frame.page import show_error
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.finetuning.task_head import TaskHead
    from explorer.models import LanguageModel

MOST_READY = 4  # ready heads in memory: each has a copy of the layers
READY_MODEL = "bert"  # the model of the ready heads
FROM_FILES = "finetuning/heads-from-files"  # session key: heads by model and kind of task
METHODS = {
    "frozen": "on frozen layers",
    "whole": "together with the layers",
    "low rank": "with small changes to the layers",
}


@dataclass(frozen=True, eq=False)
class HeadSource:
    """A task head, where it comes from, and what it was trained on."""

    head: "TaskHead"
    origin: str
    data: str = "examples"


def head_source(
    settings: Settings, model: "LanguageModel", spec: TaskSpec, training: HeadTraining | None
) -> HeadSource | None:
    """The head that answers; None before there is one.

    Raises FormatError for a link with another model's head.
    """
    if training is not None and training.head is not None:
        return HeadSource(training.head, "Your own head")
    head = _opened_head(settings, model, spec)
    if head is not None and head.task.kind == spec.kind:
        return HeadSource(head, "The head that you opened")
    return _ready_source(model, settings[spec.chosen_set])


def describe(source: HeadSource) -> str:
    """Which head it is, how it was trained, and how good it is on held-out examples."""
    about = source.head.about
    method, count = METHODS.get(str(about.get("how")), ""), about.get("examples", 0)
    text = f"{source.origin} answers: trained {method}, on {count:,} {source.data}"
    scores = about.get("scores") or {}
    if scores and about.get("aside"):
        name, value = next(iter(scores.items()))
        text += f"; {name.replace('f1', 'F1')} {value:.0%} on {about['aside']:,} held-out examples"
    return f"{text}."


def _opened_head(settings: Settings, model: "LanguageModel", spec: TaskSpec) -> "TaskHead | None":
    """The head of a file, or of the link."""
    from explorer.finetuning import link

    heads: dict[tuple[str, str], TaskHead] = st.session_state.get(FROM_FILES, {})
    if (str(model.checkpoint), spec.kind) in heads:
        return heads[str(model.checkpoint), spec.kind]
    return link.decode_head(settings[HEAD], model) if settings[HEAD] else None


def _ready_source(model: "LanguageModel", set_name: str) -> HeadSource | None:
    """The head that ships for a set of examples, on the bundled model that it was trained on."""
    from explorer.finetuning.library import COLLECTIONS, SOURCES, heads

    name = next((collection.head for collection in COLLECTIONS if collection.name == set_name), "")
    if str(model.checkpoint) != READY_MODEL or name not in heads():
        return None
    return HeadSource(_ready_head(name, model), "A ready head", SOURCES[name])


@lru_cache(MOST_READY)
def _ready_head(name: str, model: "LanguageModel") -> "TaskHead":
    from explorer.finetuning import library

    return library.head(name, model)


def which_head(settings: Settings, model: "LanguageModel", spec: TaskSpec, source: HeadSource | None) -> None:
    """A description of the head, a button that puts it into the link, and one that opens a file."""
    from explorer.finetuning import link

    text = describe(source) if source else "No head has been trained on these examples yet."
    st.html(f'<p class="rb-point">{escape(text)}</p>')
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        encoded = link.encode_head(source.head) if source else None
        if encoded is not None:  # a head that fits into a link
            st.button(
                "In the link" if settings[HEAD] == encoded else "Put it into the link",
                key=f"finetuning/link/{spec.name}",
                type="tertiary",
                icon=":material/link:",
                disabled=settings[HEAD] == encoded,
                on_click=settings.set,
                args=(HEAD.to(encoded),),
                help="The address then opens with this very head. “Save” has it as a file.",
            )
        if st.button(
            "Open a head", key=f"finetuning/open/{spec.name}", type="tertiary", icon=":material/upload_file:"
        ):
            _open(model, spec)


@st.dialog("Open a head")
def _open(model: "LanguageModel", spec: TaskSpec) -> None:
    """Take a file that was saved on this page."""
    from explorer.finetuning import store

    file = st.file_uploader(
        "A head from “Save”, .safetensors", type=["safetensors"], key="finetuning/head-file"
    )
    if file is None:
        return
    try:
        head = store.loads(file.getvalue(), model)
        if head.task.kind != spec.kind:
            raise TextError(
                f"This head is for another task than “{spec.label}”.",
                "Open it in the view in which it was trained.",
            )
    except ExplorerError as error:
        show_error(error)
        return
    st.session_state.setdefault(FROM_FILES, {})[head.checkpoint, spec.kind] = head
    st.rerun()
