"""BertViz's pages: nothing to load from elsewhere, tokens that cannot break out, our numbers, our colours."""

import re

import pytest
import torch

from explorer.views.look.theme import DARK, LIGHT, contrast, mix
from explorer.views.widgets import bertviz_page
from tests.views.opening import bertviz_data as parameters

TOKENS = ["[CLS]", "</script>", "<b>", "\u2028", "key", "[SEP]"]
LAYERS, HEADS, D_HEAD = [3, 4], [2, 3, 4, 5, 6], 7
EVERY = pytest.mark.parametrize("view", ["head_view", "model_view", "neuron_view"])


@pytest.fixture(scope="module")
def tensors() -> dict[str, torch.Tensor]:
    """The weights of two layers of five heads over the six tokens, with queries and keys."""
    generator = torch.Generator().manual_seed(0)
    queries, keys = torch.randn(2, 2, 5, 6, D_HEAD, generator=generator)
    attn = torch.rand(2, 5, 6, 6, generator=generator).softmax(-1)
    return {"attn": attn, "queries": queries, "keys": keys}


@pytest.fixture(scope="module")
def page(tensors):
    """page(view, colours, second) -> the page of a view."""

    def make(view: str, colours: str = "light", second: int | None = None) -> str:
        numbers = {"include_layers": LAYERS, "include_heads": HEADS}
        inputs = tensors if view == "neuron_view" else {"attn": tensors["attn"]}
        return bertviz_page.page(view, inputs, TOKENS, colours, second, chosen=4, **numbers)

    return make


@EVERY
def test_nothing_is_loaded_from_elsewhere(page, view):
    html = page(view)
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=", html)
    assert html.index("jQuery") < html.index("window.requirejs =") < html.index("requirejs(['jquery', 'd3']")
    assert "schemeCategory10" in html
    assert all(name in html[:400] for name in ("BertViz", "Apache", "d3", "BSD", "jQuery", "MIT"))


@EVERY
def test_a_token_cannot_end_the_script_it_travels_in(page, view):
    html = page(view)
    # jQuery, d3, the stand-in, the parameters, the view and the zoom; the clicks of the neuron view.
    assert html.count("</script") == (7 if view == "neuron_view" else 6)
    (block,) = parameters(html)["attention"]
    assert block["left_text"] == block["right_text"] == TOKENS


@EVERY
@pytest.mark.parametrize("second", [None, 4])
def test_a_view_gets_each_number_and_a_pair_is_taken_apart_in_five_ways(page, tensors, view, second):
    html = page(view, second=second)
    data = parameters(html)
    assert (data["include_layers"], data["include_heads"]) == (
        [i + 1 for i in LAYERS],
        [i + 1 for i in HEADS],
    )
    assert data["chosen"] == 4
    assert ('<option value="2">First reads second</option>' in html) is bool(second)
    every, a, b = slice(None), slice(0, 4), slice(4, None)
    places = [(every, every), (a, a), (a, b), (b, a), (b, b)] if second else [(every, every)]
    assert len(data["attention"]) == len(places)
    for block, (rows, columns) in zip(data["attention"], places):
        assert (block["left_text"], block["right_text"]) == (TOKENS[rows], TOKENS[columns])
        expected = {"attn": tensors["attn"][..., rows, columns]}
        if view == "neuron_view":
            expected["queries"] = tensors["queries"][..., rows, :]
            expected["keys"] = tensors["keys"][..., columns, :]
        for name, tensor in expected.items():
            torch.testing.assert_close(torch.tensor(block[name]), tensor, atol=5.1e-5, rtol=0)


@EVERY
@pytest.mark.parametrize(("palette", "other"), [(LIGHT, DARK), (DARK, LIGHT)], ids=["light", "dark"])
def test_the_page_wears_the_theme_and_is_the_same_for_the_same_view(page, view, palette, other):
    html = page(view, palette.name)
    assert html == page(view, palette.name)
    assert f"--rb-ground: {palette.ground};" in html and other.ground not in html
    if view != "head_view":
        assert '"background": "var(--rb-ground)"' in html, "the script's own colours are replaced"
        assert "'black'" not in html.split("const PALETTE")[1][:900]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_letters_on_a_weight_stay_legible(palette):
    """The ground of a weight of 1 is half of the full colour."""
    for step in range(51):
        ground = mix((palette.ground, palette.attention[1]), step / 100)
        assert contrast(palette.ink, ground) >= 4.5
    assert contrast(palette.difference[2], palette.ground) >= 3


def test_pages_stay_small():
    rows = torch.rand(1, 12, 48, 48).softmax(-1)
    assert len(bertviz_page.page("head_view", {"attn": rows}, ["word"] * 48, "light")) < 800_000
    rows = torch.rand(6, 12, 23, 23).softmax(-1)
    assert len(bertviz_page.page("model_view", {"attn": rows}, ["word"] * 23, "light")) < 800_000


def test_another_version_of_bertviz_is_noticed():
    assert bertviz_page.replace("const A = 1;", "const A = [^;]*", "const A = 3") == "const A = 3;"
    with pytest.raises(ValueError, match="const C"):
        bertviz_page.replace("const A = 1;", "const C = [^;]*", "const C = 3")
