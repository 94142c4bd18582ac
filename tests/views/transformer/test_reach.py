"""A text in segments, and one step after another: what each view draws is what the analysis gives."""

import json
from functools import partial

import pytest
import torch

import explorer
from explorer import assets
from explorer.analysis.reach import waiting
from explorer.analysis.reach.segments import reach, read_in_segments
from explorer.views.look.theme import LIGHT
from explorer.views.transformer import waiting as waiting_view
from explorer.views.transformer.settings import FLOOD
from tests.views import opening
from tests.views.opening import said, told

opened = partial(opening.opened, "transformer")


def figures(at) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]


def numbers(values) -> list[float]:
    """A trace's numbers, which Plotly may send packed."""
    if isinstance(values, dict):
        import base64

        import numpy

        return numpy.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
    return values


@pytest.mark.slow
def test_the_bars_are_what_the_cuts_cost():
    at = opened(view="segments", xl_memory=16)
    gpt, text = explorer.load("gpt"), FLOOD
    whole = read_in_segments(gpt, text, 999, 0).bits
    wanted = [read_in_segments(gpt, text, 16, memory, first=4) for memory in (0, 16)]
    (figure,) = figures(at)
    for bars, read in zip(figure["data"], wanted, strict=True):
        after_a_cut = read.offsets[16:]
        extra = (read.bits - whole)[16:]
        places = [after_a_cut == 0, after_a_cut == 1, (after_a_cut == 2) | (after_a_cut == 3)]
        means = [float(extra[place].mean()) for place in places]
        assert numbers(bars["y"])[:3] == pytest.approx(means, abs=1e-4)
    found = opening.printed_result(at)
    assert [bits for _, bits in found] == pytest.approx(wanted[1].bits.tolist(), abs=1e-4)


def test_the_reach_is_drawn_layer_by_layer():
    at = opened(view="segments", xl_memory=16, xl_first=False, xl_show="reach")
    (figure,) = figures(at)
    tokens = len(explorer.load("gpt").encode(FLOOD))
    wanted = reach(6, tokens, 16, 16).int() + reach(6, tokens, 16, 0).int()
    drawn = numbers(figure["data"][0]["z"])
    assert torch.tensor(drawn).view(7, tokens).equal(wanted)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "🙂🙂", "water " * 900])
def test_any_text_may_be_cut(text):
    at = opened(view="segments", xl_text=text, xl_memory=8)
    assert ("There is no text" in told(at)) == (not text.strip())
    assert ("Cut at" in said(at)) == (len(text) > 1000)


def test_a_model_of_another_kind_gives_way_to_gpt():
    at = opened(view="segments", model="bert")
    assert len(figures(at)) == 1


@pytest.mark.parametrize("words", [2, 8, 24])
def test_the_grids_have_every_states_step(words):
    at = opened(view="waiting", wait_words=words)
    lstm, attention, times = figures(at)
    for figure, steps in ((lstm, waiting.recurrent(words, 2)), (attention, waiting.attention(words, 6))):
        assert torch.tensor(numbers(figure["data"][0]["text"])).view(steps.shape).equal(steps)
    stored = assets.data(assets.WAITING)
    assert [numbers(line["y"]) for line in times["data"]] == list(stored["milliseconds"].values())
    assert stored["machine"] in said(at)


def test_the_code_of_waiting_gives_the_steps_that_are_drawn():
    result = opening.printed_result(opened(view="waiting", wait_words=8))
    assert result == {"LSTM, steps": int(waiting.recurrent(8, 2).max()), "attention, steps": 6}


def test_plotly_is_given_a_grids_numbers_at_once(monkeypatch):
    """One by one, each time all that are there are looked through: 24 words took more than a second."""
    import plotly.graph_objects as go

    added, add = [], go.Figure.add_annotation
    monkeypatch.setattr(go.Figure, "add_annotation", lambda *a, **k: added.append(k) or add(*a, **k))
    made = waiting_view.grid(waiting.attention(24, 6), "BERT", 3, LIGHT)
    assert len(made.layout.annotations) == 24 * 6 + len(added) and len(added) < 4
