"""What stands under a saved picture uses the words that the visitor has seen on the page."""

import importlib
import json
import pkgutil

import pytest

from explorer import views
from explorer.views.frame.caption_words import VALUES
from explorer.views.transformer import masks, positions, segments, translator
from tests.views.opening import opened, skip_without_weights

ROOMS = [
    importlib.import_module(f"explorer.views.{package.name}.page")
    for package in pkgutil.iter_modules(views.__path__)
    if package.name not in ("frame", "widgets")
]
VIEWS = [(room, view) for room in ROOMS if "view" in room.SETTINGS for view in room.VIEWS]
WIDGETS = ("selectbox", "button_group", "toggle", "checkbox", "slider", "select_slider", "number_input")
NO_SETTING = {"sentence", "point"}  # which one is looked at; the picture shows it


def caption(at) -> list[str]:
    mounts = (json.loads(mount.proto.json) for mount in at.get("bidi_component"))
    return next(data["caption"] for data in mounts if data.get("caption"))


@pytest.mark.parametrize(("room", "view"), VIEWS, ids=lambda one: getattr(one, "NAME", one))
def test_a_saved_picture_names_every_choice_as_the_page_does(room, view):
    skip_without_weights(room.VIEWS[view])
    page = room.NAME
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


@pytest.mark.parametrize(
    ("name", "on_screen"),
    [
        ("positions_part", positions.PARTS),
        ("masks_part", masks.PARTS),
        ("translator_part", translator.PARTS),
        ("xl_show", segments.SHOWN),
        ("xl_positions", segments.POSITIONS),
    ],
)
def test_each_value_of_a_row_of_choices_has_the_name_that_the_row_gives_it(name, on_screen):
    assert VALUES[name].keys() == on_screen.keys()
    assert all(
        label.casefold().startswith(VALUES[name][value].casefold()) for value, label in on_screen.items()
    )
