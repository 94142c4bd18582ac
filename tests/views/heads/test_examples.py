"""The shown code runs as it is printed, and gives the numbers of the picture."""

import functools

import pytest
import torch

from explorer.analysis import heads
from explorer.views.frame.presets import presets_in_row
from explorer.views.heads.page import VIEWS
from explorer.views.widgets.layer_names import head_name
from tests.views.opening import links, opened, printed_result, sent

TEXT = "We saw the old river by the bank."
OPENED = [link for view in VIEWS for link in links(presets_in_row("heads", view), view=view)]
OTHERS = [
    ("kinds", {"of": "live", "what": "previous", "text": TEXT}),
    ("kinds", {"of": "written", "what": "even"}),
    ("kinds", {"of": "grammar", "what": "det", "way": "to_dependent"}),
    ("kinds", {"model": "gpt", "of": "repeated", "what": "previous"}),
    ("kinds", {"what": "arcs", "text": TEXT, "arcs": [[5, 1], [7, 2]]}),
    ("off", {"text": TEXT, "off": [[2, 8], [5, 8]], "how": "mean", "blank": 4}),
    ("off", {"text": TEXT, "off": [], "how": "uniform", "blank": -1}),
]


@pytest.fixture(scope="module", autouse=True)
def measured_once():
    """Several examples measure the same model on the same sentences, which takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heads, "measure", functools.cache(heads.measure))
        yield


@pytest.mark.parametrize(
    ("view", "values"), OPENED + [pytest.param(*other, marks=pytest.mark.slow) for other in OTHERS], ids=str
)
def test_the_example_as_printed_gives_what_is_drawn(view, values):
    at = opened("heads", **{"view": view} | values)
    result = printed_result(at)
    if values.get("what") == "arcs":
        (rows,) = sent(at, "ranking")
        assert [row["name"] for row in rows["rows"]] == [head_name(one.layer, one.head) for one in result]
        assert [row["value"] for row in rows["rows"]] == pytest.approx(
            [one.attention for one in result], rel=1e-4
        )
    elif view == "kinds":
        scores = result["accuracy"] if isinstance(result, dict) else result
        (picture,) = sent(at, "layer_map")
        unit = 1 if values.get("what") == "distance" else 100
        numbers = [float(cell["text"].replace("−", "-")) for cell in picture["cells"] if cell["text"]]
        values_measured = scores[~scores.isnan()].flatten()
        torch.testing.assert_close(torch.tensor(numbers), unit * values_measured.float(), atol=0.51, rtol=0)
        if isinstance(result, dict):
            (rows,) = sent(at, "ranking")
            assert rows["rows"][0]["name"] == head_name(*result["best head"])
            assert rows["tick"] == pytest.approx(result["baseline"].accuracy, abs=1e-4)
    else:
        (picture,) = sent(at, "before_after")
        numbers = {(round(row["before"], 4), round(row["after"], 4)) for row in picture["rows"]}
        assert {(round(one.before, 4), round(one.after, 4)) for one in result[:5]} <= numbers
