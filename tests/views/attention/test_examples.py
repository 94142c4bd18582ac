"""The shown code runs as it is printed, and gives the numbers of the picture."""

import json
import re

import pytest
import torch

from explorer.views.attention import bertviz
from explorer.views.attention.page import VIEWS
from explorer.views.frame.default_models import WRITER
from tests.views import opening
from tests.views.attention.test_page import drawn
from tests.views.attention.test_views import sent, unpacked
from tests.views.opening import defaults, links, opened

DEFAULTS = defaults("attention")

HOSTILE = 'it\'s "the" \\n river\n</script>'
ODD = {
    "head": [{"hide": True, "merge": True, "layer": 1, "head": 2, "on": [2, 5], "pair": "it's the bank"}],
    "inside": [{"text": HOSTILE, "pair": "the bank", "head": 3, "token": ["to", 2, "'"]}],
    "layers": [{"hide": True, "across_flow": True, "across_layer": 2}, {"text": HOSTILE}],
    "writing": [
        {"model": "gpt", "text": "", "look_head": 1, "look_layer": 2, "look_first": False, "look_heat": 0.7}
    ],
    "compare": [{"compare": "models", "compare_model": "gpt", "compare_head": 3, "compare_layer": 1}],
    "bertviz": [
        {"bertviz": "model", "text": "", "hide": True, "layers": [1, 2]},
        {"bertviz": "heads", "text": HOSTILE, "pair": "the bank", "layer": 1},
        {"bertviz": "neurons", "text": HOSTILE, "pair": "the bank", "hide": True},
    ],
}


def every(view: str) -> list:
    """The view as it opens, its presets, and settings that differ in all."""
    views = [drawing.view for drawing in bertviz.DRAWINGS.values()] if view == "bertviz" else [VIEWS[view]]
    presets = [preset for one in views for preset in one.presets]
    if view == "writing":  # it opens with BERT, which writes nothing; and SmolLM2 takes its time
        return links(presets[:1], *ODD[view])[1:]
    return links(presets, *ODD[view])


def shown(view: str, values: dict, capsys):
    """The opened page and the result of the code that it shows."""
    at = opened("attention", **{"view": view} | values)
    names = {}
    exec(at.code[0].value, names)
    assert capsys.readouterr().out
    return at, names["result"]


@pytest.mark.parametrize("values", every("head"), ids=str)
def test_heads(values, capsys):
    at, result = shown("head", values, capsys)
    data = drawn(at)
    pattern = data["weights"][data["state"]["on"]].mean(0)
    torch.testing.assert_close(
        torch.tensor([weight for *_, weight in result]), pattern.max(-1).values, atol=5e-4, rtol=0
    )
    assert len(result) == len(data["tokens"])


@pytest.mark.parametrize("values", every("inside"), ids=str)
def test_inside_a_head(values, capsys):
    at, result = shown("inside", values, capsys)
    header, (queries, keys, _), _ = unpacked(at)
    scores = keys @ queries[header["query"]] / header["scale"]
    torch.testing.assert_close(torch.tensor([score for _, score, _ in result]), scores, atol=1e-4, rtol=0)
    weights = torch.tensor([weight for *_, weight in result])
    torch.testing.assert_close(weights, scores.softmax(-1), atol=1e-4, rtol=0)


@pytest.mark.parametrize("values", every("layers"), ids=str)
def test_across_layers(values, capsys):
    at, result = shown("layers", values, capsys)
    data = sent(at, "layers")
    assert len(result) == len(data["tokens"])
    for number, column in enumerate(data["columns"][1:], 1):
        if column["values"] is not None:
            values_shown = [row[number] for row in result]
            assert values_shown == pytest.approx(column["values"], abs=2e-5), column["name"]
    assert len(result[0]) == (3 if data["flowing"] else 2)


@pytest.mark.parametrize("values", every("writing"), ids=str)
def test_while_generating(values, capsys):
    at, result = shown("writing", values, capsys)
    data = sent(at, "writing")
    assert len(result) == data["steps"]
    for (*_, weight), row in zip(result, data["rows"]):
        assert weight == pytest.approx(max(row) / 10_000, abs=1e-4)


@pytest.mark.parametrize("values", every("compare"), ids=str)
def test_a_comparison(values, capsys):
    at, result = shown("compare", values, capsys)
    data = sent(at, "compare")
    moved = [
        sum(abs(b - a) for a, b in zip(*rows) if a is not None and b is not None) / 2
        for rows in zip(data["first"], data["second"])
    ]
    assert [value for _, value in result] == pytest.approx(moved, abs=2e-3)


@pytest.mark.parametrize("values", every("bertviz"), ids=str)
def test_bertviz(values, capsys):
    at, result = shown("bertviz", values, capsys)
    if not at.get("iframe"):
        assert values.get("text") == "", "nothing is drawn for an empty text"
        return
    told = json.loads(
        re.search(r"window\.bertviz_params = (\{.*?\});</script>", at.get("iframe")[0].proto.srcdoc).group(1)
    )
    if values.get("bertviz") == "neurons":
        weights = torch.tensor(told["attention"][0]["attn"][0][0])
        strongest = torch.tensor([weight for *_, weight in result])
        torch.testing.assert_close(strongest, weights.max(-1).values, atol=1e-4, rtol=0)
        return
    weights = torch.tensor(told["attention"][0]["attn"]).flatten(2).max(-1).values.flatten()
    strongest = torch.tensor([weight for *_, weight in result.values()])
    torch.testing.assert_close(strongest, weights, atol=1e-4, rtol=0)


def test_a_model_that_writes_nothing_is_shown_the_code_of_one_that_does(capsys):
    at = opening.opened("attention", view="writing", text=DEFAULTS["text"])
    assert f"explorer.load('{WRITER}')" in at.code[0].value
