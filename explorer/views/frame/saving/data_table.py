"""The numbers of a picture as a table, for whoever cannot see it or wants to read them.

It is folded away below the picture and made when it is opened, from the CSV that the view offers to save.
"""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from zlib import crc32

import streamlit as st

from explorer.errors import ExplorerError
from explorer.files import tables
from explorer.locale import N_, _, format_number, localised, ngettext, translate
from explorer.server.session import Session
from explorer.views.frame import presenter
from explorer.views.frame.saving.saving import Export
from explorer.views.settings.settings import Settings
from explorer.views.widgets.quoted import language_mark, quoted

LABEL = N_("The numbers as a table")
MOST_ROWS = 200
MOST_CELLS = 12_000  # of a table with many columns fewer rows are shown
LONG = 36  # characters of a text that may run over several lines
DRAWN = Session[object]("/numbers-of", None)  # the state of the table that was drawn last
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|-?(?:inf|nan)", re.IGNORECASE)


def show(settings: Settings, view: str) -> None:
    """The table of what this run of the view offers to save, if anything; not in presenter mode."""
    exports = [one for one in settings.saves if isinstance(one, Export) and one.file.endswith(".csv")]
    if not exports or presenter.presenting():
        return
    fold = st.expander(_(LABEL), key=f"{settings.page}/numbers", on_change="rerun")
    if not fold.open:
        return
    with fold:
        export = exports[0] if len(exports) == 1 else _chosen(settings, exports)
        try:
            st.html(as_html(_text(export), f"{view}, {translate(export.label)}"))
        except ExplorerError as error:
            st.text(f"{error.message} {error.hint}")


def follow(settings: Settings, state: object) -> None:
    """For a fragment whose work is done: run the page again if its table is open and not of this `state`."""
    key = f"{settings.page}/numbers"
    if st.session_state.get(key) and (drawn := DRAWN.at(settings.page)).get() != state:
        drawn.set(state)
        st.rerun()


def _chosen(settings: Settings, exports: Sequence[Export]) -> Export:
    labels = [export.label for export in exports]
    place = st.segmented_control(
        _("Which numbers"),
        range(len(labels)),
        default=0,
        format_func=translate(labels).__getitem__,
        key=f"{settings.page}/numbers/{crc32(repr(labels).encode())}",
        required=True,
        label_visibility="collapsed",
    )
    return exports[place or 0]


def folded(export: Export, view: str) -> str:
    """The table of an export as HTML, folded away; an error in its place."""
    try:
        table = as_html(_text(export), f"{view}, {translate(export.label)}")
    except ExplorerError as error:
        table = f"<p>{escape(error.message)}</p>"
    return f"<details><summary>{_(LABEL)}</summary>{table}</details>"


def _text(export: Export) -> str:
    content = export.make()
    return content.decode("utf-8-sig") if isinstance(content, bytes) else content


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, and its cells as text."""

    head: str
    cells: list[str]

    @property
    def is_numeric(self) -> bool:
        """Whether it has numbers alone; a cell may be empty."""
        return any(self.cells) and all(NUMBER.fullmatch(cell) for cell in self.cells if cell)

    @property
    def names_rows(self) -> bool:
        """Whether no two of its cells are the same."""
        return all(self.cells) and len({*self.cells}) == len(self.cells)

    @property
    def is_constant(self) -> bool:
        """Whether all cells are the same, in three rows or more: it is said once, above the table."""
        return len(self.cells) > 2 and len({*self.cells}) == 1

    @property
    def look(self) -> str:
        """Its CSS class, as an attribute."""
        long = any(len(cell) > LONG for cell in self.cells)
        return ' class="number"' if self.is_numeric else ' class="long"' if long else ""

    def html(self, of_rows: bool) -> Iterator[str]:
        """Its cells; `of_rows` if they are the heads of the rows."""
        start, end = ('th scope="row"', "th") if of_rows else ("td", "td")
        look, is_numeric = self.look, self.is_numeric
        for cell in self.cells:
            text = readable(cell) if is_numeric else cell
            own = "" if text.isascii() or is_numeric else f' dir="auto"{language_mark(text)}'
            yield f"<{start}{look}{own}>{escape(text)}</{end}>"


def as_html(text: str, name: str) -> str:
    """A CSV file as a table; `name` says what it is about. Text is shown as it is."""
    lines = (
        row for _place, row in tables.rows(io.StringIO(text.removeprefix("\ufeff"), newline=""), ",", name)
    )
    heads = next(lines, [])
    rows = list(islice(lines, min(MOST_ROWS, max(MOST_CELLS // max(len(heads), 1), 1))))
    count = len(rows) + sum(1 for _line in lines)
    every = [
        Column(head.replace("_", " "), [row[i] if i < len(row) else "" for row in rows])
        for i, head in enumerate(heads)
    ]
    columns = [column for column in every if count > len(rows) or not column.is_constant] or every
    constants = "".join(
        f"<br>{_('{name}: {rows}', name=escape(column.head), rows=quoted(column.cells[0]))}"
        for column in every
        if column not in columns and column.cells[0]
    )
    row_names = [column for column in columns if column.names_rows]
    of_rows = next((column for column in row_names if not column.is_numeric), None)
    if of_rows is None and columns[:1] == row_names[:1]:
        of_rows = next(iter(row_names), None)
    many = ngettext("{count} row", "{count} rows", count)
    if count > len(rows):
        shown, every_row = len(rows), format_number(count)
        many = _(
            "the first {shown} of {count} rows. Riverbank’s “Save” has all of them.",
            shown=shown,
            count=every_row,
        )
    head = "".join(f'<th scope="col"{column.look}>{escape(column.head)}</th>' for column in columns)
    body = zip(*(column.html(column is of_rows) for column in columns))
    caption = _("{name}: {rows}", name=escape(name), rows=many)
    return (
        f'<div class="rb-numbers" tabindex="0" role="group" aria-label="{escape(name, quote=True)}">'
        f"<table><caption>{caption}{constants}</caption><thead><tr>{head}</tr></thead>"
        f'<tbody translate="no">\n'
        + "\n".join(f"<tr>{''.join(row)}</tr>" for row in body)
        + "</tbody></table></div>"
    )


def readable(number: str) -> str:
    """A number as people read it, with three significant digits.

    >>> [readable(number) for number in ("0.4555123", "-12.3456", "-0.0", "123456", "0.0000012345", "1e300")]
    ['0.456', '−12.3', '0', '123,456', '0.00000123', '1e+300']
    """
    if not number or not number.lstrip("-")[0].isdigit():
        return number
    if number.lstrip("-").isdigit():
        digits = localised(f"{int(number):,}") if abs(int(number)) >= 10_000 else number
    elif (value := float(number)) == 0 or abs(value) >= 1e15:
        digits = f"{abs(value) or 0:.3g}" if value == 0 else f"{value:.3g}"
    elif abs(value) >= 100:
        digits = localised(f"{value:,.0f}") if abs(value) >= 10_000 else f"{value:.0f}"
    else:
        digits = f"{value:.3g}"
        if "e" in digits:
            digits = f"{value:.{2 - int(digits.partition('e')[2])}f}" if abs(value) > 1e-12 else digits
        digits = localised(digits)
    return digits.replace("-", "−")
