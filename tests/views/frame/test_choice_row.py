"""What needs a term explained stands behind “More”, one click away, and joins the row once it is chosen."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.frame.choice_row import MOST_IN_A_ROW
from tests.views.opening import opened


def row(at: AppTest, key: str) -> list[str]:
    return at.segmented_control(key=key).options


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "link", "setting", "first", "hidden", "value"),
    [
        ("attention", {"view": "bertviz"}, "bertviz", ["Heads"], "Neurons", "neurons"),
        ("senses", {}, "view", ["Map", "Matrix", "How well"], "Which vector?", "which"),
        ("probing", {}, "view", ["On your sentence", "Tree"], "Layer by layer", "layers"),
    ],
)
def test_the_simple_stands_first(page, link, setting, first, hidden, value):
    at = opened(page, **link)
    assert row(at, f"{page}.{setting}")[: len(first)] == first
    assert hidden not in row(at, f"{page}.{setting}")
    at.button(key=f"{page}/more/{setting}/{value}").click().run(timeout=90)
    assert not at.exception and at.session_state[f"{page}.{setting}"] == value
    assert hidden in row(at, f"{page}.{setting}")


def test_presenter_mode_has_the_whole_row_at_hand_if_it_fits():
    assert "Neurons" in row(opened("attention", view="bertviz", present="1"), "attention.bertviz")
    assert len(row(opened("transformer", present="1"), "transformer.view")) <= MOST_IN_A_ROW
