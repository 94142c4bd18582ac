"""Give the lecture, or learn by yourself: a button opens the first stop."""

import pytest

from explorer.views.frame.lecture.lecture_library import lectures
from tests.views.opening import press, said, unopened


@pytest.mark.parametrize("ready", lectures(), ids=lambda ready: ready.name)
def test_a_lecture_is_given_from_its_first_stop(ready):
    at = unopened().run()
    press(at, f"home/lecture/{ready.name}")
    listed = said(at)
    assert f"Stop 1 of {ready.stops}{'' if ready.asks else ' · minute 0'}<" in listed
    assert ("<b>Say.</b>" in listed) == (not ready.asks)
    assert ready.title in listed
