"""A page with nothing but the map, of as many dots as its address asks for: `?dots=2000&axes=3`."""

import streamlit as st
import torch

from explorer.views.frame import theme
from explorer.views.frame.page import palette
from explorer.views.senses import map_data as charts
from explorer.views.senses.grouping import Grouping
from explorer.views.senses.map_player import MAP_PX
from explorer.views.widgets.marks import mark
from explorer.views.widgets.registry import component

STOPS, GROUPS = 8, 4

st.set_page_config(layout="wide")
st.html(f"<style>:root{{{theme.css_variables(palette())}}}</style>")
count, axes = (int(st.query_params.get(name, default)) for name, default in (("dots", 2000), ("axes", 2)))
generator = torch.Generator().manual_seed(0)
group = torch.arange(count) % GROUPS
centres = torch.randn(GROUPS, axes, generator=generator)[group] * 0.4
noise = torch.randn(count, axes, generator=generator) * 0.12
planes = [stop / (STOPS - 1) * (centres + noise) for stop in range(STOPS)]
reach = torch.cat(planes).abs().amax(0)
unit = float(reach.max())
groups = Grouping([f"group {g}" for g in range(GROUPS)], group.tolist(), [[] for _ in range(GROUPS)])

component("senses/sense_map")(
    key="map",
    data={
        "label": f"Map of {count} occurrences",
        "height": MAP_PX,
        "axes": axes,
        "unit": unit / charts.GRAIN,
        "dots": [
            {"id": str(i), "mark": g, "sense": f"group {g}", "parts": ("the ", "word", f" {i}"), "pair": ""}
            for i, g in enumerate(group.tolist())
        ],
        "marks": [*map(mark, range(GROUPS)), mark(None)],
        "names": charts.names(groups),
        "stops": ["word alone", "embedding", *(f"layer {n}" for n in range(1, STOPS - 1))],
        "frames": charts.frames(planes, unit),
        "contours": None,
        "says": [""] * STOPS,
        "first": -1,
        "layer": STOPS - 2,
        "locked": st.session_state.get("locked", ""),
        "near": [[1, 2, 3]] * STOPS if st.session_state.get("locked") else [],
    },
    on_lock_change=lambda: st.session_state.update(locked=st.session_state["map"].lock),
    on_layer_change=lambda: None,
)
