"""Buttons that move an entry of a list up and down, and take it out."""

from collections.abc import Callable

from explorer.locale import _
from explorer.views.widgets.visually_hidden import icon_button


def order_buttons(
    key: str,
    entry: int,
    place: int,
    number: int,
    move: Callable[[int, int], None],
    remove: Callable[[int], None],
) -> None:
    """Draw the buttons for the entry at `place` of `number`.

    The callbacks are called with `entry`, by which they know it, and `move` with the step, -1 or 1. The
    keys of the buttons begin with `key`.
    """
    for icon, label, change, arguments, can in (
        ("arrow_upward", _("Move up"), move, (entry, -1), place > 0),
        ("arrow_downward", _("Move down"), move, (entry, 1), place < number - 1),
        ("close", _("Remove"), remove, (entry,), True),
    ):
        icon_button(
            icon,
            label,
            key=f"{key}/{icon}/{entry}",
            type="tertiary",
            disabled=not can,
            on_click=change,
            args=arguments,
        )
