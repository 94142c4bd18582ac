"""The wait while UMAP is compiled, in the first half minute after the start: PCA is drawn meanwhile."""

import streamlit as st

from explorer import analysis


def must_wait(method: str) -> bool:
    """Whether UMAP is the method but still being compiled; says so, and reruns the page when it is ready."""
    if method != "umap" or analysis.projection.umap_ready():
        return False
    _wait()
    return True


@st.fragment(run_every=1.0)
def _wait() -> None:
    if analysis.projection.umap_ready():
        st.rerun()
    st.html('<p class="rb-point">UMAP is getting ready (up to half a minute). Until then you see PCA.</p>')
