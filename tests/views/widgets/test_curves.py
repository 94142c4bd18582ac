"""Labels at the ends of curves stay apart."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from explorer.views.widgets.curves import spread


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_labels_stay_apart_in_order_and_inside(values):
    placed = spread(values, gap=0.08, low=0, high=1)
    order = sorted(range(len(values)), key=lambda i: (values[i], i))
    along = [placed[i] for i in order]
    assert all(b - a >= 0.08 - 1e-9 for a, b in pairwise(along))
    assert along[0] >= -1e-9 and along[-1] <= 1 + 1e-9


def test_labels_with_room_stand_at_their_values():
    assert spread([0.9, 0.1, 0.5], 0.08, 0, 1) == [0.9, 0.1, 0.5]
