"""UMAP takes half a minute to get ready: until then the map is PCA's, and says so."""

import streamlit as st


def ready(method: str) -> str:
    """The method asked for, or PCA as long as UMAP is compiling itself."""
    from explorer.analysis import projection

    if method == "umap" and not projection.umap_ready():
        _await_umap()
        return "pca"
    return method


@st.fragment(run_every=1.0)
def _await_umap() -> None:
    """Say that UMAP is on its way, and bring it in as soon as it is there."""
    from explorer.analysis import projection

    if projection.umap_ready():
        st.rerun()
    st.html('<p class="rb-point">UMAP is loading, for half a minute at most: this is PCA.</p>')
