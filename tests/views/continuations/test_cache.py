"""Why it is fast: what the page sends as the text is written, and what its code prints."""

from explorer.models.stepping import Step
from explorer.views.continuations import cache
from tests.views.continuations.opening import component_data, open_
from tests.views.opening import printed_result


def test_what_is_sent_is_what_the_code_counts(monkeypatch):
    monkeypatch.setattr(cache, "SLICE_SECONDS", 60.0)
    monkeypatch.setattr(Step, "packing", ([4, 8], 115_015_680, 537_919_488))
    at = open_("cache", model="gpt", text="The old man took", length="6", seed="2")
    data, printed = component_data(at, "cache"), printed_result(at)
    assert data["count"] == data["total"] == len(data["tokens"]) == len(data["seconds"]) == 6
    computed, looked_up, without = map(sum, zip(*data["cells"]))
    assert printed["cells computed"] == (computed, without) and printed["looked up"] == looked_up
    assert printed["same text"] and data["differs"] == -1 and printed["bytes of a cell"] == data["cell"]
    assert data["weights"] == [
        ["all weights, as 4- or 8-bit numbers", 115_015_680],
        ["the same as 32-bit numbers", 537_919_488],
    ]
