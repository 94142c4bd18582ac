"""The start page's parts: the stored example, the models in words, the ways onward."""

import json
import math
import struct
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.views import blanks, navigation, veil
from explorer.views.bars import bars
from explorer.views.settings import Settings

ASSETS = Path(__file__).parents[2] / "assets"
MODEL = "bert"
ROWS = 6


def guesses(settings: Settings) -> list[dict[str, Any]]:
    """The first guesses for the blank: stored ones for the opening sentence, else live."""
    stored = json.loads((ASSETS / "home.json").read_text(encoding="utf-8"))
    if settings["text"] == stored["text"]:
        return stored["rows"]
    return live(settings["text"])


@st.cache_data(max_entries=64, show_spinner=False)
def live(text: str) -> list[dict[str, Any]]:
    """The bundled model's first guesses for the first blank of a text. Raises TextError without one."""
    from explorer.analysis import prediction
    from explorer.views import models

    model = models.get(MODEL)
    found = prediction.top(model, prediction.blanks(model, text), 0, ROWS)
    return [{"token": c.token, "probability": round(c.probability, 4), "rank": c.rank} for c in found]


def draw(settings: Settings, rows: list[dict[str, Any]]) -> None:
    """The guesses as bars, on the scale that the first one sets."""
    cover = veil.over(MODEL, settings["text"])
    before, after = blanks.around(settings["text"], 0)
    rows = [row | {"covered": veil.covers(cover, before, row["token"], after)} for row in rows]
    bars(rows, key="home/bars", label="Guesses for the blank", scale=max(rows[0]["probability"], 0.1))


def models_in_words() -> None:
    """What the bundled models are, with their sizes as their files give them."""
    lines = {
        "bert": "reads the whole sentence at once and guesses the words that are hidden from it.",
        "gpt": "reads from left to right and guesses the word that comes next.",
    }
    for name, does in lines.items():
        facts = size(name)
        sizes = f"{facts['layers']} layers of {facts['heads']} heads, {facts['parameters'] / 1e6:.0f} million"
        st.html(
            f'<p class="rb-how"><b>{name.upper()}</b> {does}<br>'
            f'<span class="rb-quiet">{sizes} parameters.</span></p>'
        )


def ways_onward() -> None:
    """The other pages, each with its caption."""
    others = [p for p in navigation.pages() if p.name != "home"]
    with st.container(key="ways"):
        for column, page in zip(st.columns(len(others)), others):
            with column:
                if st.session_state.get("/framed"):
                    st.page_link(page.path, label=f"**{page.title}**")
                st.html(f'<p class="rb-point">{page.caption}</p>')


@cache
def size(name: str) -> dict[str, int]:
    """Layers, heads and parameters of a bundled checkpoint, read without opening its weights."""
    folder = ASSETS / "checkpoints" / name
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    with (folder / "model.safetensors").open("rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    shapes = [entry["shape"] for key, entry in header.items() if key != "__metadata__"]
    return {
        "layers": config.get("num_hidden_layers") or config["n_layer"],
        "heads": config.get("num_attention_heads") or config["n_head"],
        "parameters": sum(math.prod(shape) for shape in shapes),
    }
