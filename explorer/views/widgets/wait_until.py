"""A line where something is still being computed, as UMAP is, until the page can be drawn with it."""

from collections.abc import Callable

import streamlit as st

from explorer import analysis
from explorer.locale import _
from explorer.server import warm_up


def must_wait(method: str) -> bool:
    """Whether UMAP is the method but still being compiled; says so, and reruns the page when it is ready."""
    if method != "umap" or analysis.projection.umap_ready():
        return False
    warm_up.hurry()
    wait_until(
        analysis.projection.umap_ready,
        _("UMAP is getting ready (up to half a minute). Until then you see PCA."),
    )
    return True


@st.fragment(run_every=1.0)
def wait_until(ready: Callable[[], bool], words: str) -> None:
    """Say some words (HTML of ours), ask each second, and draw the page again once it is ready."""
    if ready():
        st.rerun()
    st.html(f'<p class="rb-point">{words}</p>')
