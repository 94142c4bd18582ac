"""BertViz's page: no address to load from, tokens that cannot break out, one layer, the theme's colours."""

import json
import re

import pytest
import torch

from explorer.views.bertviz_frame import head_view
from explorer.views.theme import DARK, LIGHT

TOKENS = ["[CLS]", "</script>", "<b>", "\ue000", "key", "[SEP]"]


@pytest.fixture(scope="module")
def pattern() -> torch.Tensor:
    """Five heads over the six tokens."""
    return torch.rand(5, 6, 6, generator=torch.Generator().manual_seed(0)).softmax(-1)


@pytest.fixture(scope="module")
def page(pattern) -> str:
    return head_view(pattern, TOKENS, 3, DARK, second=4)


def parameters(page: str) -> dict:
    return json.loads(re.search(r"const params = (\{.*\}); // HACK", page).group(1))


def test_nothing_is_loaded_from_elsewhere(page):
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=", page)
    assert "window.requirejs" in page and "jQuery" in page and "schemeCategory10" in page


def test_a_token_cannot_end_the_script_it_travels_in(page):
    # jQuery, d3, the stand-in and the view close their script once each; a token closes none.
    assert page.count("</script") == 4
    assert parameters(page)["attention"][0]["left_text"] == ["[CLS]", "</script>", "<b>", "�", "key", "[SEP]"]


def test_one_layer_travels_with_the_weights_as_they_are(page, pattern):
    found = parameters(page)
    assert found["include_layers"] == [3]
    weights = torch.tensor(found["attention"][0]["attn"])
    assert weights.shape == (1, 5, 6, 6)
    torch.testing.assert_close(weights[0], pattern, atol=5.1e-5, rtol=0)


def test_a_pair_brings_bertviz_own_choice_of_sentences(page, pattern):
    assert len(parameters(page)["attention"]) == 5
    assert len(parameters(head_view(pattern, TOKENS, 0, LIGHT))["attention"]) == 1


def test_the_page_is_the_same_for_the_same_view_and_wears_the_theme(page, pattern):
    assert head_view(pattern, TOKENS, 3, DARK, second=4) == page
    assert DARK.ground in page and LIGHT.ground not in page


def test_forty_eight_tokens_of_twelve_heads_stay_small():
    pattern = torch.rand(12, 48, 48).softmax(-1)
    assert len(head_view(pattern, ["word"] * 48, 0, LIGHT)) < 800_000
