"""The line under the drawing: which head answers, and what can be done with it."""

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.finetuning import heads
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.settings import HEAD
from explorer.views.frame.page import show_error
from explorer.views.frame.view import Page

if TYPE_CHECKING:
    from explorer.views.finetuning.case import Case

MOST_BYTES = 64_000_000


def which_head(page: Page[Bench], case: "Case") -> None:
    """Which one it is, a link that brings it along, and another one from a file."""
    speaker = page.data.speaker
    said = speaker.said if speaker else "No head has been trained on these examples yet."
    st.html(f'<p class="rb-point">{escape(said)}</p>')
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if speaker is not None and speaker.packed is not None:
            st.button(
                "In the link" if page.settings[HEAD] == speaker.packed else "Put it into the link",
                key=f"finetuning/link/{case.name}",
                type="tertiary",
                icon=":material/link:",
                disabled=page.settings[HEAD] == speaker.packed,
                on_click=page.settings.set,
                args=(HEAD.to(speaker.packed),),
                help="The address then opens with this very head. “Save” has it as a file.",
            )
        if st.button(
            "Open a head", key=f"finetuning/open/{case.name}", type="tertiary", icon=":material/upload_file:"
        ):
            _open(page, case)


@st.dialog("Open a head")
def _open(page: Page[Bench], case: "Case") -> None:
    """Take a file that was saved on this page."""
    from explorer.finetuning import store

    file = st.file_uploader(
        "A head from “Save”, .safetensors", type=["safetensors"], key="finetuning/head-file"
    )
    if file is None:
        return
    try:
        head = store.loads(file.getvalue(), page.model)
        heads.keep(head, case)
    except ExplorerError as error:
        show_error(error)
        return
    st.rerun()
