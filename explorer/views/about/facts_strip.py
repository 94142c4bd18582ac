"""The strip of facts at the top: the sizes of a model, and what its training began with."""

from html import escape

import streamlit as st

from explorer.views.about import cards, record
from explorer.views.about.record import Record, count
from explorer.views.frame.sizes import sizes
from explorer.views.frame.trained import duration
from explorer.views.widgets.registry import style


def facts_strip(name: str, training: Record | None) -> None:
    """One line of sizes, and what the training began with."""
    size = sizes(record.folder(name))
    rows = [("parameters", count(size.parameters))]
    if size.layers and size.width:
        rows.append(("layers × width", f"{size.layers} × {size.width}"))
    if size.heads:
        rows.append(("heads", f"{size.heads}"))
    if size.vocabulary:
        rows.append(("vocabulary", f"{size.vocabulary:,}"))
    rows.append(("weights", f"{size.file_bytes / 1e6:.3g} MB"))
    if training:
        rows += [("tokens read", count(training.last.tokens)), ("training", duration(training.last.seconds))]
    began, line = cards.origin(cards.card(name))
    beginning = f'<div><dt>{escape(line)}</dt><dd class="rb-said">{escape(began)}</dd></div>'
    figures = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in rows)
    parts = f"{figures}{beginning if began else ''}"
    st.html(f'<style>{style("about/page.css")}</style><dl class="rb-facts rb-wide">{parts}</dl>')
