"""The fallback to PCA while UMAP is compiled, in the first half minute after the start."""

from typing import Literal

import streamlit as st

Method = Literal["pca", "tsne", "umap", "axes"]


def ready(method: Method) -> Method:
    """The chosen method, or PCA while UMAP is being compiled; the page then reruns by itself."""
    from explorer.analysis import projection

    if method == "umap" and not projection.umap_ready():
        _wait()
        return "pca"
    return method


@st.fragment(run_every=1.0)
def _wait() -> None:
    from explorer.analysis import projection

    if projection.umap_ready():
        st.rerun()
    st.html('<p class="rb-point">UMAP is getting ready (half a minute at most): until then this is PCA.</p>')
