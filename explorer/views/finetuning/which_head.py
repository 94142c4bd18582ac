"""The line under the drawing: which head answers, and what can be done with it."""

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.finetuning.head_source import HeadSource, add_from_file, describe
from explorer.views.finetuning.settings import HEAD
from explorer.views.finetuning.task_specs import TaskSpec
from explorer.views.frame.page import show_error
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel


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
        add_from_file(store.loads(file.getvalue(), model), spec)
    except ExplorerError as error:
        show_error(error)
        return
    st.rerun()
