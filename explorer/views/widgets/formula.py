"""Formulas as in the papers, set by KaTeX; each symbol says what it means on hover, tap or focus."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

import streamlit as st

from explorer.views.widgets.registry import component


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX, its source, and the meanings of its symbols.

    The symbols are written as they are read on screen, without LaTeX: `γ`, `d` and `k` of a subscript
    together as `dk`, `QK⊤`.
    """

    latex: str
    source: str = ""
    symbols: Mapping[str, str] = field(default_factory=dict)


def formula(content: Formula, key: str) -> None:
    """Draw a formula, with its source below it in small type. The key is unique on the page."""
    with st.container(key=f"formula-{key}", gap="xxsmall"):
        st.latex(content.latex)
        if content.source:
            st.html(f'<p class="rb-note">{escape(content.source)}</p>')
        component("widgets/formula")(
            key=f"formula-symbols-{key}",
            data={"within": f"st-key-formula-{key}", "symbols": dict(content.symbols)},
            height=1,
        )
