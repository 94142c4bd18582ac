"""Buttons under a head's picture: put the head into the link, or load a saved one."""

import streamlit as st

from explorer.errors import ExplorerError, TextError
from explorer.views import kit
from explorer.views.finetuning.head_source import FROM_FILES, IN_ITS_FILES, HeadSource
from explorer.views.finetuning.head_state import HeadState
from explorer.views.finetuning.settings import HEAD


def buttons(settings: kit.Settings, state: HeadState, source: HeadSource | None) -> None:
    """A button that puts the head into the link, if it is small enough, and one that loads a file."""
    from explorer.finetuning import link

    name = state.spec.name
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        encoded = link.encode_head(source.head) if source and source.origin != IN_ITS_FILES else None
        if encoded is not None:
            st.button(
                "In the link" if settings[HEAD] == encoded else "Add it to the link",
                key=f"finetuning/link/{name}",
                type="tertiary",
                icon=":material/link:",
                disabled=settings[HEAD] == encoded,
                on_click=settings.set,
                args=(HEAD.to(encoded),),
                help="The address then opens with this very head. “Save” offers it as a file.",
            )
        label, icon = "Load a saved head", ":material/upload_file:"
        if st.button(label, key=f"finetuning/open/{name}", type="tertiary", icon=icon):
            _load(state)


@st.dialog("Load a saved head")
def _load(state: HeadState) -> None:
    """Take a file that was saved on this page."""
    from explorer.finetuning import store

    file = st.file_uploader(
        "A head that “Save” wrote, .safetensors", type=["safetensors"], key="finetuning/head-file"
    )
    if file is None:
        return
    try:
        head = store.loads(file.getvalue(), state.model)
        if head.task.kind != state.spec.kind:
            raise TextError(
                f"This head is for another task than “{state.spec.label}”.",
                "Load it in the view in which it was trained.",
            )
    except ExplorerError as error:
        kit.show_error(error)
        return
    st.session_state.setdefault(FROM_FILES, {})[head.checkpoint, state.spec.kind] = head
    st.rerun()
