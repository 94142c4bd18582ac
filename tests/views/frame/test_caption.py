"""What stands under a saved picture uses the words that the visitor has seen on the page."""

import importlib
import json
import pkgutil

import pytest

from explorer import views
from tests.views.opening import opened

ROOMS = [
    importlib.import_module(f"explorer.views.{package.name}.page")
    for package in pkgutil.iter_modules(views.__path__)
    if package.name not in ("frame", "widgets")
]
VIEWS = [(room.NAME, view) for room in ROOMS if "view" in room.SETTINGS for view in room.VIEWS]
WIDGETS = ("selectbox", "button_group", "toggle", "checkbox", "slider", "select_slider", "number_input")
NO_SETTING = {"sentence", "point"}  # which one is looked at; the picture shows it


def caption(at) -> list[str]:
    mounts = (json.loads(mount.proto.json) for mount in at.get("bidi_component"))
    return next(data["caption"] for data in mounts if data.get("caption"))


@pytest.mark.parametrize(("page", "view"), VIEWS)
def test_a_saved_picture_names_every_choice_as_the_page_does(page, view):
    at = opened(page, view=view)
    said = "\n".join(caption(at)).casefold()
    widgets = [one for kind in WIDGETS for one in at.get(kind) if str(one.key).startswith(f"{page}.")]
    for widget in widgets:
        name = widget.key.partition(".")[2]
        if name in NO_SETTING or name in ("view", "model") or widget.value in ("", None):
            continue
        line = next(
            part
            for part in said.replace("\n", " · ").split(" · ")
            if part.startswith(f"{widget.label.casefold()}:")
        )
        value = line.partition(": ")[2].replace("‑", "-")
        shown = [str(option).casefold().replace("‑", "-") for option in getattr(widget, "options", [])]
        if shown and not str(shown[0]).replace(".", "").isdigit():
            assert any(value in option for option in shown), (widget.label, value, shown)


def test_a_view_tells_only_of_what_it_draws():
    assert not any("royalty" in line for line in caption(opened("vectors", view="analogies")))
    assert any("royalty" in line for line in caption(opened("vectors", view="map")))
