"""What a map of t-SNE or UMAP keeps of the vectors, in a line."""

from explorer.views.types import Projection


def kept(name: str, projection: "Projection", plain: bool = False) -> str:
    """What the map by a method of this name keeps; its trustworthiness too, unless `plain`."""
    line = f"{name} keeps neighbours together; its distances and gaps mean little."
    if projection.trustworthiness is None or plain:
        return line
    return f"{line} Trustworthiness {projection.trustworthiness:.2f}: at 1, near dots are near vectors."
