"""The controls of every map of a word: the projection and the number of dimensions."""

from collections.abc import Sequence

from explorer.views.frame.settings import Settings
from explorer.views.senses.layer_maps import METHODS
from explorer.views.senses.settings import AXES, PROJECTION
from explorer.views.widgets.one_of import one_of


def projection_controls(settings: Settings, methods: Sequence[str]) -> None:
    """Draw the choice among some projections and that of the dimensions in the current row."""
    one_of(settings, PROJECTION, "Projection", {method: METHODS[method] for method in methods})
    one_of(settings, AXES, "Dimensions", {axes: f"{axes}-D" for axes in (2, 3)})
