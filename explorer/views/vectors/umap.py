"""UMAP compiles itself for half a minute after the start: until then a map is PCA's, and says so."""

import streamlit as st


def ready(method: str) -> str:
    """The method asked for, or PCA as long as UMAP is compiling itself; the page then follows by itself."""
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
    st.html('<p class="rb-point">UMAP is getting ready, for half a minute at most: this is PCA.</p>')
