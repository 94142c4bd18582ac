"""What every map of a word can be set to: how it is projected, and into how many dimensions."""

from collections.abc import Sequence

from explorer.views.frame.settings import Settings
from explorer.views.senses.layer_maps import METHODS
from explorer.views.senses.settings import AXES, PROJECTION
from explorer.views.widgets.one_of import one_of


def projection_controls(settings: Settings, methods: Sequence[str]) -> None:
    """The choice of a projection among those offered, and of its dimensions, in the row that is open."""
    one_of(settings, PROJECTION, "Projection", {method: METHODS[method] for method in methods})
    one_of(settings, AXES, "Dimensions", {axes: f"{axes}-D" for axes in (2, 3)})
