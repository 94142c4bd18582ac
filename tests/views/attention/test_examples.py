"""The shown code runs as it is printed, and gives the numbers of the picture."""

import pytest
import torch

from explorer.views.frame.presets import presets_in_row
from tests.views.attention.test_page import picture_data
from tests.views.attention.test_views import sent, unpacked
from tests.views.opening import bertviz_data, links, opened, printed_result

HOSTILE = 'it\'s "the" \\n river\n</script>'
ODD = {
    "head": [{"hide": True, "merge": True, "layer": 1, "head": 2, "on": [2, 5], "pair": "it's the bank"}],
    "inside": [{"text": HOSTILE, "pair": "the bank", "head": 3, "token": ["to", 2, "'"]}],
    "layers": [{"across_special": True, "across_flow": True, "across_layer": 2}, {"text": HOSTILE}],
    "compare": [{"compare": "models", "compare_model": "gpt", "compare_head": 3, "compare_layer": 1}],
    "bertviz": [
        {"bertviz": "model", "text": "", "hide": True, "layers": [1, 2]},
        {"bertviz": "heads", "text": HOSTILE, "pair": "the bank", "layer": 1},
        {"bertviz": "neurons", "text": HOSTILE, "pair": "the bank", "hide": True},
    ],
}


def every(view: str) -> list:
    """The view as it opens, its presets, and settings that differ in all."""
    return links(presets_in_row("attention", view), *ODD[view])


def page_and_result(view: str, values: dict):
    """The opened page and the result of the code that it shows."""
    at = opened("attention", **{"view": view} | values)
    return at, printed_result(at)


@pytest.mark.parametrize("values", every("head"), ids=str)
def test_heads(values):
    at, result = page_and_result("head", values)
    data = picture_data(at)
    pattern = data["weights"][data["state"]["on"]].mean(0)
    torch.testing.assert_close(
        torch.tensor([weight for *_, weight in result]), pattern.max(-1).values, atol=5e-4, rtol=0
    )
    assert len(result) == len(data["tokens"])


@pytest.mark.parametrize("values", every("inside"), ids=str)
def test_inside_a_head(values):
    at, result = page_and_result("inside", values)
    header, (queries, keys, _), _ = unpacked(at)
    scores = keys @ queries[header["query"]] / header["scale"]
    torch.testing.assert_close(torch.tensor([score for _, score, _ in result]), scores, atol=1e-4, rtol=0)
    weights = torch.tensor([weight for *_, weight in result])
    torch.testing.assert_close(weights, scores.softmax(-1), atol=1e-4, rtol=0)


@pytest.mark.parametrize("values", every("layers"), ids=str)
def test_across_layers(values):
    at, result = page_and_result("layers", values)
    data = sent(at, "layers")
    assert len(result) == len(data["tokens"])
    for number, column in enumerate(data["columns"][1:], 1):
        if column["values"] is not None:
            values_shown = [row[number] for row in result]
            assert values_shown == pytest.approx(column["values"], abs=2e-5), column["name"]
    assert len(result[0]) == (3 if data["flowing"] else 2)


@pytest.mark.parametrize("values", every("compare"), ids=str)
def test_a_comparison(values):
    at, result = page_and_result("compare", values)
    data = sent(at, "compare")
    moved = [
        sum(abs(b - a) for a, b in zip(*rows) if a is not None and b is not None) / 2
        for rows in zip(data["first"], data["second"])
    ]
    assert [value for _, value in result] == pytest.approx(moved, abs=2e-3)


@pytest.mark.parametrize("values", every("bertviz"), ids=str)
def test_bertviz(values):
    at, result = page_and_result("bertviz", values)
    if not at.get("iframe"):
        assert values.get("text") == "", "nothing is drawn for an empty text"
        return
    parameters = bertviz_data(at.get("iframe")[0].proto.srcdoc)
    if values.get("bertviz") == "neurons":
        weights = torch.tensor(parameters["attention"][0]["attn"][0][0])
        strongest = torch.tensor([weight for *_, weight in result])
        torch.testing.assert_close(strongest, weights.max(-1).values, atol=1e-4, rtol=0)
        return
    weights = torch.tensor(parameters["attention"][0]["attn"]).flatten(2).max(-1).values.flatten()
    strongest = torch.tensor([weight for *_, weight in result.values()])
    torch.testing.assert_close(strongest, weights, atol=1e-4, rtol=0)
