"""The wait while UMAP is compiled, in the first half minute after the start: PCA is drawn meanwhile."""

from explorer import analysis
from explorer.views.widgets.wait_until import wait_until


def must_wait(method: str) -> bool:
    """Whether UMAP is the method but still being compiled; says so, and reruns the page when it is ready."""
    if method != "umap" or analysis.projection.umap_ready():
        return False
    wait_until(
        analysis.projection.umap_ready, "UMAP is getting ready (up to half a minute). Until then you see PCA."
    )
    return True
