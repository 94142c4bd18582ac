"""BertViz's pages: nothing to load from elsewhere, tokens that cannot break out, our numbers, our colours."""

import json
import re

import pytest
import torch

from explorer.views.frame.theme import DARK, LIGHT, contrast, mix
from explorer.views.widgets import bertviz_page
from explorer.views.widgets.bertviz_page import head_view, model_view, neuron_view

TOKENS = ["[CLS]", "</script>", "<b>", "\u2028", "key", "[SEP]"]
LAYERS, HEADS, D_HEAD = range(3, 5), range(2, 7), 7


@pytest.fixture(scope="module")
def pattern() -> torch.Tensor:
    """Two layers of five heads over the six tokens."""
    return torch.rand(2, 5, 6, 6, generator=torch.Generator().manual_seed(0)).softmax(-1)


@pytest.fixture(scope="module")
def vectors() -> tuple[torch.Tensor, torch.Tensor]:
    """Queries and keys of one head."""
    return tuple(torch.randn(2, 6, D_HEAD, generator=torch.Generator().manual_seed(1)))


@pytest.fixture(scope="module")
def pages(pattern, vectors):
    """pages(palette, second) -> the three pages by name."""

    def make(palette=LIGHT, second=None) -> dict[str, str]:
        return {
            "heads": head_view(pattern[0], TOKENS, 3, palette, second),
            "model": model_view(pattern, TOKENS, LAYERS, HEADS, palette, second),
            "neurons": neuron_view(*vectors, pattern[1, 2], TOKENS, palette, second, chosen=4),
        }

    return make


EVERY = pytest.mark.parametrize("view", ["heads", "model", "neurons"])


def parameters(page: str) -> dict:
    return json.loads(re.search(r"window\.bertviz_params = (\{.*?\});</script>", page).group(1))


def blocks(page: str) -> list[dict]:
    found = parameters(page)["attention"]
    return found if isinstance(found, list) else list(found.values())


@EVERY
def test_nothing_is_loaded_from_elsewhere(pages, view):
    page = pages()[view]
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=", page)
    assert page.index("jQuery") < page.index("window.requirejs =") < page.index("requirejs(['jquery', 'd3']")
    assert "schemeCategory10" in page
    assert all(name in page[:400] for name in ("BertViz", "Apache", "d3", "BSD", "jQuery", "MIT"))


@EVERY
def test_a_token_cannot_end_the_script_it_travels_in(pages, view):
    page = pages()[view]
    # jQuery, d3, the stand-in, the parameters, the view and the zoom; the neuron view's own manners.
    scripts = 7 if view == "neurons" else 6
    assert page.count("</script") == scripts
    assert "<b>" not in page.split("window.bertviz_params = ")[1].split("</script>")[0]
    assert blocks(page)[0]["left_text"] == blocks(page)[0]["right_text"] == TOKENS


def test_the_head_view_gets_one_layer_as_it_is(pages, pattern):
    page = pages()["heads"]
    assert parameters(page)["include_layers"] == [3]
    weights = torch.tensor(blocks(page)[0]["attn"])
    torch.testing.assert_close(weights, pattern[:1], atol=5.1e-5, rtol=0)


def test_the_model_view_gets_each_weight_and_the_numbers_that_its_heads_go_by(pages, pattern):
    page = pages()["model"]
    found = parameters(page)
    assert (found["include_layers"], found["include_heads"]) == (list(LAYERS), list(HEADS))
    assert found["total_heads"] == len(HEADS)
    weights = torch.tensor(blocks(page)[0]["attn"])
    assert weights.shape == (2, 5, 6, 6)
    torch.testing.assert_close(weights, pattern, atol=5.1e-5, rtol=0)


def test_the_neuron_view_gets_our_queries_keys_and_weights(pages, pattern, vectors):
    page = pages()["neurons"]
    (block,) = blocks(page)
    queries, keys = torch.tensor(block["queries"]), torch.tensor(block["keys"])
    assert queries.shape == keys.shape == (1, 1, 6, D_HEAD)
    torch.testing.assert_close(
        torch.stack([queries[0, 0], keys[0, 0]]), torch.stack(vectors), atol=5e-5, rtol=0
    )
    torch.testing.assert_close(torch.tensor(block["attn"])[0, 0], pattern[1, 2], atol=5e-5, rtol=0)
    assert parameters(page)["chosen"] == 4 and parameters(page)["bidirectional"]


def test_what_a_causal_model_may_not_read_is_hidden(vectors, pattern):
    page = neuron_view(*vectors, pattern[0, 0].tril(), TOKENS, LIGHT, causal=True)
    assert parameters(page)["bidirectional"] is False


@EVERY
def test_a_pair_is_taken_apart_in_five_ways(pages, pattern, vectors, view):
    page = pages(second=4)[view]
    assert '<option value="2">First reads second</option>' in page
    parts = blocks(page)
    a, b = TOKENS[:4], TOKENS[4:]
    texts = [(part["left_text"], part["right_text"]) for part in parts]
    assert texts == [(TOKENS, TOKENS), (a, a), (a, b), (b, a), (b, b)]
    for part in parts:
        shape = torch.tensor(part["attn"]).shape[-2:]
        assert shape == (len(part["left_text"]), len(part["right_text"]))
    whole, *_, across, back, _ = (torch.tensor(part["attn"]) for part in parts)
    assert torch.equal(across, whole[..., :4, 4:]) and torch.equal(back, whole[..., 4:, :4])
    if view == "neurons":
        assert len(parts[2]["queries"][0][0]) == 4 and len(parts[2]["keys"][0][0]) == 2
        torch.testing.assert_close(torch.tensor(parts[2]["keys"][0][0]), vectors[1][4:], atol=5e-5, rtol=0)
    assert 'id="filter"' not in pages()[view] and 'id="filter"' not in pages(second=0)[view]


@EVERY
@pytest.mark.parametrize(("palette", "other"), [(LIGHT, DARK), (DARK, LIGHT)], ids=["light", "dark"])
def test_the_page_wears_the_theme_and_is_the_same_for_the_same_view(pages, view, palette, other):
    page = pages(palette)[view]
    assert page == pages(palette)[view]
    assert f"--rb-ground: {palette.ground};" in page and other.ground not in page
    if view != "heads":
        assert f'"background": "{palette.ground}"' in page, "the script's own colours are replaced"
        assert "'black'" not in page.split("const PALETTE")[1][:600]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_letters_on_a_weight_stay_legible_all_along_the_ramp(palette):
    inks = bertviz_page._inks(palette)
    for step in range(101):
        ink = [colour for start, colour in inks if start <= step / 100][-1]
        assert contrast(ink, mix((palette.ground, palette.attention[1]), step / 100)) >= 4.5
    assert contrast(palette.difference[2], palette.ground) >= 3


def test_pages_stay_small():
    assert len(head_view(torch.rand(12, 48, 48).softmax(-1), ["word"] * 48, 0, LIGHT)) < 800_000
    full = torch.rand(6, 12, 23, 23).softmax(-1)
    assert len(model_view(full, ["word"] * 23, range(6), range(12), LIGHT)) < 800_000
    head = torch.randn(2, 48, 64), torch.rand(48, 48).softmax(-1)
    assert len(neuron_view(*head[0], head[1], ["word"] * 48, LIGHT)) < 600_000


def test_another_version_of_bertviz_is_noticed():
    script = "const A = 1; const PALETTE = {\n            'x': {'y': 'z;'}\n        }\n const B = 2;"
    changed = bertviz_page._with(script, A=3, PALETTE={"ours": {}})
    assert changed == 'const A = 3; const PALETTE = {"ours": {}}\n const B = 2;'
    with pytest.raises(ValueError, match="const C"):
        bertviz_page._with(script, C=1)
