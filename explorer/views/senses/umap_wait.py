"""The fallback to PCA while UMAP is compiled, in the first half minute after the start."""

import streamlit as st


def ready(method: str) -> str:
    """The chosen method, or PCA while UMAP is being compiled."""
    from explorer.analysis import projection

    if method == "umap" and not projection.umap_ready():
        _await_umap()
        return "pca"
    return method


@st.fragment(run_every=1.0)
def _await_umap() -> None:
    """Say that UMAP is loading, and rerun the page when it is ready."""
    from explorer.analysis import projection

    if projection.umap_ready():
        st.rerun()
    st.html('<p class="rb-point">UMAP is loading, for half a minute at most: this is PCA.</p>')
