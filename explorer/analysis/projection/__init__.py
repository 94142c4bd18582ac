"""Many dimensions to two or three.

methods    PCA, t-SNE, UMAP, and maps of one layer after another that do not jump
lda        the plane in which known senses part the most
contours   where dots lie densely
"""

from explorer.analysis.projection.methods import (
    FEWEST,
    ROUNDS,
    SAME,
    Projection,
    align,
    level,
    mirror,
    principal,
    project,
    project_layers,
    umap_ready,
    warm_umap,
)

__all__ = [
    "FEWEST",
    "ROUNDS",
    "SAME",
    "Projection",
    "align",
    "level",
    "mirror",
    "principal",
    "project",
    "project_layers",
    "umap_ready",
    "warm_umap",
]
