"""The attention page: several views of one trace, one of them at a time.

A view is a module of this package with

    DEFAULTS                    the settings of its own, by name (shared ones: presets/attention.py)
    controls(settings, trace)   widgets in the row under the views
    draw(settings, trace)       the picture
    how(settings)               how to read it, and a caveat
    presets(settings)           three examples, each with `view` among its values unless it opens the page
    code(settings, model)       the same result from Python

and a line in VIEWS. Where it exists, `below(settings, trace)` draws a second picture under the first. What
can be saved is offered while the picture is drawn (saving.py).
"""

from types import ModuleType
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.attention import across_layers, bertviz, compare, inside_head, one_layer, while_generating
from explorer.views.attention.presets import DEFAULTS
from explorer.views.attention.sentence import Held, words
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.trace import Trace

VIEWS: dict[str, tuple[str, ModuleType]] = {
    "head": ("Heads", one_layer),
    "inside": ("Inside", inside_head),
    "layers": ("Across layers", across_layers),
    "writing": ("Writing", while_generating),
    "compare": ("Compare", compare),
    "bertviz": ("BertViz", bertviz),
}


def defaults() -> dict[str, Any]:
    """The page's settings and those of all its views."""
    found = dict(DEFAULTS)
    for _, module in VIEWS.values():
        found |= module.DEFAULTS
    return found


def view(settings: Settings, trace: "Trace") -> ModuleType:
    """The row of views and the chosen one's controls; the module of the chosen view."""
    _fit(settings, trace)
    with st.container(key="attention-controls", horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "View", list(VIEWS), key=settings.key("view"), format_func=lambda name: VIEWS[name][0],
            required=True, label_visibility="collapsed", width="content",
        )  # fmt: skip
        chosen = VIEWS[settings["view"]][1]
        chosen.controls(settings, trace)
    return chosen


def _fit(settings: Settings, trace: "Trace") -> None:
    """Bring settings that a link, another model or another text left behind within this one's range."""
    layers, heads = trace.attention.pattern.shape[:2]
    settings.set(
        layer=min(max(settings["layer"], 0), layers - 1), head=min(max(settings["head"], 0), heads - 1)
    )
    held = Held.read(settings["token"])
    held = held and held.follow(words(trace.encoding))
    settings.set(token=held and held.setting)
    if settings["view"] in bertviz.VIEWS:  # links from the time when each was a view of the page
        settings.set(view="bertviz", bertviz=settings["view"])
    if settings["view"] not in VIEWS:
        settings.set(view="head")
