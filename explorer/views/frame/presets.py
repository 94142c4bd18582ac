"""The presets of a view, and what the browser needs to mark what a press has changed.

They are data: `assets/presets/PAGE.toml`, which CONTRIBUTING.md explains.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import read_once
from explorer.locale import _, translate
from explorer.server.session import Session
from explorer.server.streamlit_private import draw_kept
from explorer.views.frame import default_models, presenter
from explorer.views.frame.glossary import with_terms
from explorer.views.settings.settings import Settings
from explorer.views.widgets.visually_hidden import hidden_heading

MOST_BESIDE = 6  # presets in a row
PRESSES = Session("/presets/presses", 0)
CHANGED = Session[list[str]]("/presets/changed", [])


@dataclass(frozen=True)
class Preset:
    """One thing worth showing in class: a name, the point it makes, and the settings for it.

    `rows` are the views that offer it. It is offered if the model reads the `language` of its text ("en",
    "zh", or "*" for a model that reads a hundred), and if `writer` is the model that writes here, see
    `default_models`.
    """

    label: str
    point: str
    values: dict[str, Any] = field(default_factory=dict)
    language: str = "en"
    rows: Sequence[str] = ()
    writer: str = ""


def presets(page: str) -> tuple[Preset, ...]:
    """All presets of a page, in the order of its file. Raises ExplorerError if the file is damaged."""
    path = assets.PRESETS / f"{page}.toml"
    return _read(path, path.stat().st_mtime_ns) if path.exists() else ()


@read_once
def _read(path: Path, _written: int) -> tuple[Preset, ...]:
    """The presets in a file, read again once it has been written again.

    A value "null" stands for none, as in a link. What begins with `check` is for the tests, which hold each
    preset to its point.
    """
    try:
        return tuple(_preset(**one) for one in assets.table(path)["preset"])
    except (KeyError, TypeError) as error:
        raise assets.damaged(path) from error


def presets_in_row(page: str, view: str) -> list[Preset]:
    """The presets that a view offers here."""
    return [
        preset
        for preset in presets(page)
        if view in preset.rows and preset.writer in ("", default_models.WRITER)
    ]


def _preset(*, settings: dict[str, Any] | None = None, check: Any = None, **rest: Any) -> Preset:
    values = {name: None if value == "null" else value for name, value in (settings or {}).items()}
    return Preset(values=values, **rest)


def draw_presets(settings: Settings, choices: Sequence[Preset], places: presenter.Places) -> Any:
    """The presets, each with the point that it makes: side by side, or in presenter mode in a popover.

    Returns the popover, if there is one.
    """
    popover = presenter.presets(places) if choices and presenter.presenting() else None
    if not choices:
        return popover
    box = st.container(key="presets") if popover is None else popover
    draw_kept(box, "presets", (popover is None, choices), partial(_draw, settings, choices, popover))
    return popover


def _draw(settings: Settings, choices: Sequence[Preset], popover: Any) -> None:
    if popover is not None:
        spots = [popover] * len(choices)
    else:
        rows = -(-len(choices) // MOST_BESIDE)
        hidden_heading(_("Presets"))
        spots = [spot for _row in range(rows) for spot in st.columns(-(-len(choices) // rows))]
    for spot, preset in zip(spots, choices):
        spot.button(
            translate(preset.label),
            key=f"{settings.page}/preset/{preset.label}",
            width="stretch",
            on_click=show,
            args=(settings, preset),
        )
        spot.html(f'<p class="rb-point">{with_terms(translate(preset.point))}</p>')


def show(settings: Settings, preset: Preset) -> None:
    """Change the settings to those of a preset (for a callback)."""
    presenter.close_presets()
    before = settings.values()
    model = {} if preset.language == "en" else {"model": settings.chosen("model")}
    settings.update({**settings.defaults, **model, **preset.values})
    after = settings.values()
    changed = [name for name in after if after[name] != before[name] and name != "view"]
    bring_into_view([f"{settings.page}.{name}" for name in changed])


def bring_into_view(changed: Sequence[str] = ()) -> None:
    """Let the browser bring the picture into view, and mark it with the settings of these keys."""
    PRESSES.set(PRESSES.get() + 1)
    CHANGED.set(list(changed))


def last_press() -> dict[str, Any]:
    """How often a preset was pressed, and the keys of the settings that the last press has changed."""
    return {"presses": PRESSES.get(), "changed": CHANGED.get()}
