"""Bars: what a row shows."""

from explorer.views.widgets import bars


def test_no_number_is_wider_than_its_column():
    """A wider one lies over the bar and, where the list is narrow, over the word."""
    rows = [{"token": "small", "probability": p} for p in (1e-9, 0.0021, 0.4555, 0.99999)]
    assert max(len(row["number"]) for row in bars.bars_data(rows, "Next words")["rows"]) <= 7
