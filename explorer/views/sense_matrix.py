"""The cosine matrix of the word senses page: every occurrence against every other, at one layer."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views import sense_code
from explorer.views.charts import senses as charts
from explorer.views.frame import palette
from explorer.views.look import Look
from explorer.views.presets import senses as presets
from explorer.views.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

DEFAULTS: dict[str, Any] = {}
PRESETS = presets.PRESETS


def controls(settings: Settings, seen: Look | None) -> None:
    """Nothing yet to choose."""


def draw(settings: Settings, seen: Look) -> None:
    """The heat map."""
    import torch.nn.functional as F

    unit = F.normalize(seen.at(settings["layer"]), dim=-1)
    figure = charts.matrix(seen, unit @ unit.T, palette())
    st.plotly_chart(figure, theme=None, key="senses/heat", config={"displayModeBar": False})


def how(settings: Settings, seen: Look | None, model: "LanguageModel") -> tuple[str, str]:
    """What a square is."""
    return (
        "Each square is the cosine of two occurrences of the word; rows and columns stand in one order.",
        "",
    )


def code(settings: Settings) -> str:
    """The matrix from Python."""
    return f"""import explorer
from explorer.analysis import senses

{sense_code.occurrences(settings)}

print(senses.cosine_matrix(found, {settings["layer"]}))"""
