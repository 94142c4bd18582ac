"""Bars: what a row shows."""

from explorer.views.widgets import bars


def test_no_number_is_wider_than_its_column():
    """A wider one lies over the bar and, where the list is narrow, over the word."""
    rows = [{"token": "small", "probability": p} for p in (1e-9, 0.0021, 0.4555, 0.99999)]
    data = bars.bars_data([*rows, {"token": "near", "cosine": -0.5, "tip": "far"}], "Next words")["rows"]
    assert max(len(row["number"]) for row in data) <= 7
    assert [(row["said"], row["tip"]) for row in data[2::2]] == [
        ("probability 46%", "probability 0.4555"),
        ("cosine −0.50, far", "cosine −0.500000, far"),
    ]
