"""Dimension reduction to two or three axes.

methods    PCA, t-SNE, UMAP
layers     maps of all layers, aligned so that dots do not jump between them
lda        the plane that best separates known senses
contours   the density of the dots, and lines of equal density
"""

from explorer.analysis.projection.layers import align, flat_maps, layer_maps
from explorer.analysis.projection.methods import Projection, project
from explorer.analysis.projection.umap_warmup import umap_ready, warm_umap

__all__ = ["Projection", "align", "flat_maps", "layer_maps", "project", "umap_ready", "warm_umap"]
