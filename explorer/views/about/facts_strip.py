"""The strip of facts at the top: the sizes of a model, and what its training began with."""

from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.views.about import cards, record
from explorer.views.about.record import Record, count
from explorer.views.frame.sizes import sizes
from explorer.views.frame.trained import duration

CSS = Path(__file__).with_name("page.css")


def facts_strip(name: str, kept: Record | None) -> None:
    """One line of sizes, and what the training began with."""
    known = sizes(record.folder(name))
    rows = [("parameters", count(known.parameters))]
    if known.layers and known.width:
        rows.append(("layers × width", f"{known.layers} × {known.width}"))
    if known.heads:
        rows.append(("heads", f"{known.heads}"))
    if known.vocabulary:
        rows.append(("vocabulary", f"{known.vocabulary:,}"))
    rows.append(("weights", f"{known.file_bytes / 1e6:.3g} MB"))
    if kept:
        rows += [("tokens read", count(kept.last.tokens)), ("training", duration(kept.last.seconds))]
    began, line = cards.origin(cards.card(name))
    said = f'<div><dt>{escape(line)}</dt><dd class="rb-said">trained weights, {escape(began)}</dd></div>'
    figures = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in rows)
    st.html(f'<style>{_css()}</style><dl class="rb-facts">{figures}{said if began else ""}</dl>')


@cache
def _css() -> str:
    return assets.text(CSS)
