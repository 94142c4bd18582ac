"""Maps of words or sentences as dots, drawn by the component word_map from plain data."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.locale import _
from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings
from explorer.views.types import Projection, Tensor
from explorer.views.widgets.layer_chart import two_decimals
from explorer.views.widgets.marks import PATHS, mark
from explorer.views.widgets.registry import component, component_value


def kept(name: str, projection: "Projection", plain: bool = False) -> str:
    """What the map by a method of this name keeps; its trustworthiness too, unless `plain`."""
    line = _("{name} keeps neighbours together; its distances and gaps mean little.", name=name)
    if projection.trustworthiness is None or plain:
        return line
    number = two_decimals(projection.trustworthiness)
    return f"{line} {_('Trustworthiness {number}: at 1, near dots are near vectors.', number=number)}"


SMALLEST_REACH = 1e-3  # below it a picture shows rounding errors


def map_data(dots: list[dict[str, Any]], points: "Tensor", height: int) -> dict[str, Any]:
    """The data of dots at their places [dot, 2], with nothing selected, highlighted or linked."""
    reach = points.abs().amax(0).clamp(min=SMALLEST_REACH) if len(points) else points.new_ones(2)
    return {
        "height": height,
        "dots": dots,
        "points": [round(value, 5) for value in points.flatten().tolist()],
        "reach": reach.tolist(),
        "stretch": False,
        "axes": None,
        "marks": [],
        "arrows": [],
        "legend": [],
        "locked": "",
        "near": [],
        "lit": [],
        "small": False,
    }


def draw_map(settings: Settings, key: str, data: dict[str, Any], locked: Setting[str]) -> None:
    """Draw a map; a click on a dot sets `locked` to its id."""
    component("widgets/word_map")(key=key, data=data, on_lock_change=lock(settings, key, locked))


def lock(settings: Settings, key: str, locked: Setting[str]) -> Callable[[], None]:
    """A callback for a component that sends the id of what is clicked, or "" to release it."""

    def clicked() -> None:
        if (id := component_value(key, "lock", locked.takes)) is not None:
            settings.set(locked.to(id))

    return clicked


def marks(names: Sequence[str]) -> list[dict[str, Any]]:
    """Colour and shape of each group, in order; the last is a grey dot for words without a group (-1)."""
    return [*map(mark, range(len(names))), {"colour": -1, "path": PATHS["circle"]}]


def legend(names: Sequence[str], member: Sequence[int]) -> list[tuple[int, str]]:
    """The mark and name of each group that has a word on the map."""
    return [(group, name) for group, name in enumerate(names) if group in member]
