"""What is there for screen readers alone."""

from html import escape
from typing import Any
from zlib import crc32

import streamlit as st


def hidden_label(text: str) -> str:
    """The label of a button that shows its icon alone: its name, which page.css hides.

    Without it a screen reader would read the name of the icon, such as “restart_alt”.

    >>> hidden_label("Reset this page")
    ':gray[Reset this page]'
    """
    return f":gray[{text}]"


def icon_button(icon: str, name: str, **options: Any) -> bool:
    """A button that shows its icon alone, with its name as tooltip; `options` are those of `st.button`."""
    return st.button(hidden_label(name), icon=f":material/{icon}:", help=name, **options)


def live_region(text: str, kind: str = "rb-said", of: str = "") -> None:
    """What a screen reader says once this text has appeared or changed, see structure.js; nobody sees it.

    Of the kind `rb-drawn` it is said only if the change has no other words, and also where the same words
    are said `of` something else.
    """
    of = f"{crc32(of.encode()):x}"
    st.html(f'<p class="rb-unseen {kind}" data-of="{of}" hidden translate="no">{escape(text)}</p>')


def hidden_heading(text: str, anchor: str = "") -> None:
    """A heading of a part of the page; `anchor` is its id, by which a link leads there."""
    name = f' id="{anchor}" tabindex="-1"' if anchor else ""
    st.html(f'<h2 class="rb-unseen"{name}>{escape(text)}</h2>')
