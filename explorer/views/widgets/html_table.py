"""A table of figures in a page's text."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(name: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as HTML, from a row of heads and rows of cells in plain text; `name` is its CSS class.

    On a narrow screen it scrolls in its own frame.

    >>> html_table("rb", ["sign"], [["<"]])[:52]
    '<div class="rb-wide"><table class="rb"><thead><tr><t'
    """
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    table = f'<table class="{name}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="rb-wide">{table}</div>'
