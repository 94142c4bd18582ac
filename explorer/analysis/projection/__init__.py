"""Many dimensions to two or three.

methods    PCA, t-SNE, UMAP
layers     maps of one layer after another that do not jump
lda        the plane in which known senses part the most
contours   where dots lie densely
many       a million points on a plane that was fitted to a sample of them
"""

from explorer.analysis.projection.layers import (
    align,
    flat_maps,
    layer_maps,
    level,
    mirror,
    project_layers,
)
from explorer.analysis.projection.methods import (
    FEWEST,
    ROUNDS,
    SAME,
    Projection,
    principal,
    project,
    umap_ready,
    warm_umap,
)

__all__ = [
    "FEWEST",
    "ROUNDS",
    "SAME",
    "Projection",
    "align",
    "flat_maps",
    "layer_maps",
    "level",
    "mirror",
    "principal",
    "project",
    "project_layers",
    "umap_ready",
    "warm_umap",
]
