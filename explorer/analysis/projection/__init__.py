"""Dimension reduction to two or three axes.

methods    PCA, t-SNE, UMAP
layers     maps of all layers, aligned so that dots do not jump between them
lda        the plane that best separates known senses
contours   the density of the dots, and lines of equal density
many       a million points on a plane fitted to a sample of them
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
