"""Layers and heads counted from 1 on screen, and what the page says after a change."""

import pytest

from explorer.views.attention.settings import TIRED, WIDE
from explorer.views.widgets.layer_names import head_name
from explorer.views.widgets.numbers import per_cent
from tests.shared_models import model
from tests.views.attention.test_page import picture_data
from tests.views.opening import opened, said, sent


def test_a_link_means_the_same_head_whatever_it_is_called_on_screen():
    at = opened("attention", layer=2, head=1)
    state = picture_data(at)["state"]
    assert (state["layer"], state["head"]) == (2, 1) and head_name(2, 1) == "L3H2"
    at = opened("attention", view="inside", layer=2, head=1)
    boxes = {box.label: box for box in at.selectbox}
    assert (boxes["Layer"].value, boxes["Layer"].options[2]) == (2, "Layer 3")
    assert (boxes["Head"].value, boxes["Head"].options[1]) == (1, "Head 2")


@pytest.mark.weights
def test_after_a_change_the_page_says_what_became_of_it_and_animal():
    weights = []
    for text in (TIRED, WIDE):
        trace = model("bert").trace(text)
        it, animal = (trace.tokens.index(word) for word in ("it", "animal"))
        weights.append(float(trace.attention.pattern[3, 1, it, animal]))
    at = opened("attention", text=WIDE)
    now, was = (per_cent(weight) for weight in reversed(weights))
    assert f"“it” gives {now} of its attention to “animal” (was {was})" in said(at)
    assert "(was" not in said(opened("attention"))
    assert "(was" not in said(opened("attention", text="The cat sat."))


@pytest.mark.weights
def test_switched_on_again_the_word_is_probable():
    at = opened("heads", view="off", off=[])
    rows = sent(at, "before_after")[0]["rows"]
    her = next(row for row in rows if row["token"] == "her")
    before = f"“her” has a probability of {her['before_text']}"
    assert f"With all heads on, {before}. Without L6H9 it was" in said(at)
