"""Write, run without a browser: the three orders draw what Gibbs sampling and its two relatives wrote."""

from functools import partial

import pytest
import torch
from streamlit.testing.v1 import AppTest

from explorer.analysis.prediction import gibbs
from explorer.views.masked import three_orders
from tests.views import opening
from tests.views.opening import defaults, sent, told

DEFAULTS = defaults("masked")

run = partial(opening.opened, "masked")


def finished(at: AppTest) -> three_orders.ThreeOrders:
    written = at.session_state[three_orders.RUN]
    while any(len(one.rows) < one.writing.total for one in written.orders):
        written.extend()
    return written


@pytest.mark.slow
def test_writing_is_the_analysis_own_and_opens_with_its_first_steps(model):
    settings = {"blanks": 4, "steps": 50, "seed": 7, "start": "noise"}
    at = run(view="write", **settings)
    (data,) = sent(at, "gibbs")
    assert data["count"] == 12 and data["steps"] == 50
    assert [len(order["steps"]) for order in data["orders"]] == [4, 4, 4], "a step for each blank"
    written = finished(at)
    at.run()
    (data,) = sent(at, "gibbs")
    text = gibbs.with_blanks(DEFAULTS["frame"], 4)
    options = gibbs.SamplingOptions(1.0, 10, 25, 50, True, 7)
    for order, one, row in zip(gibbs.Order, written.orders, data["orders"]):
        alone = gibbs.write(model, text, order, options)
        steps = list(alone)
        assert torch.equal(one.writing.ids, alone.ids) and row["total"] == len(steps) == len(row["steps"])
        words = list(row["start"])
        for step, drawn_step in zip(steps, row["steps"]):
            for place, word in drawn_step["changes"]:
                words[place] = word
            assert words[step.place] == step.token and drawn_step["place"] == step.place
        assert words == [model.tokenizer.token(int(alone.ids[at])) for at in alone.positions]
    assert data["orders"][0]["frame"][-1] == {"text": ".", "glued": True}
    lines = three_orders.texts(written).splitlines()
    assert [line.split(":")[0] for line in lines] == list(gibbs.Order)
    last = model.tokenizer.decode(written.orders[1].writing.ids.tolist())
    assert lines[1].split(": ", 1)[1].lower() == last
    assert len(three_orders.steps(written).splitlines()) == 1 + 50 + 4 + 4
    assert [part["place"] for part in data["orders"][0]["frame"] if "place" in part] == [0, 1, 2, 3]


@pytest.mark.parametrize(("frame", "says"), [("No blank.", "no [MASK] to write into"), ("", "no [MASK]")])
def test_a_frame_without_a_blank_says_so(frame, says):
    at = run(view="write", frame=frame)
    assert says in told(at) and sent(at, "gibbs") == []
