"""BertViz on the attention page: what part of the trace a view is given, what is said of the rest."""

import math
from dataclasses import replace

import pytest
import torch
from streamlit.testing.v1 import AppTest

from explorer.analysis.attention.weights import without_special
from explorer.server import memory
from explorer.trace import Ability
from explorer.views.attention import bertviz
from explorer.views.widgets.token_text import label
from tests.views import opening

TEXT, PAIR = "We saw the river. The bank was old.", "it was deep"
FRAMES = ["heads", "model", "neurons"]
EVERY = pytest.mark.parametrize("view", FRAMES)


@pytest.fixture
def open_at(bert_folder):
    """open_at("model", text=..., layers=...) -> the page in that view, on the tiny BERT by default."""

    def open_(view: str, **settings) -> AppTest:
        defaults = {"model": f"folder:{bert_folder}", "view": view, "text": TEXT}
        at = opening.opened("attention", **(defaults | settings))
        assert not at.error
        return at

    return open_


def parameters(at: AppTest) -> dict:
    """The data of the view in the page's frame."""
    (iframe,) = at.get("iframe")
    return opening.bertviz_data(iframe.proto.srcdoc)


def first_block(at: AppTest) -> dict:
    """All sentences together."""
    return parameters(at)["attention"][0]


def slider(at: AppTest, name: str):
    return next((s for s in at.slider if s.key == f"attention/{name}"), None)


def test_the_control_chooses_the_view_and_the_link_keeps_it(open_at):
    at = open_at("head")
    assert not at.get("iframe") and "view" not in at.query_params
    at.button(key="attention/more/view/bertviz").click().run()
    for view in FRAMES:
        at.button_group[1].set_value(view).run()
        assert not at.exception and len(at.get("iframe")) == 1
        assert at.query_params["view"] == "bertviz"
        assert at.query_params.get("bertviz", "heads") == view
        assert bertviz.VIEW.text.readings[view].sentence in opening.told(at)
        assert "Web page · HTML" in [b.label for b in at.get("download_button")]
    at.button_group[0].set_value("head").run()
    assert not at.get("iframe") and "view" not in at.query_params
    assert not open_at("nonsense").get("iframe")


@pytest.mark.parametrize(("pair", "hide"), [("", False), (PAIR, False), (PAIR, True)])
def test_the_neuron_view_gets_the_models_queries_keys_and_weights(open_at, tiny_bert, pair, hide):
    at = open_at("neurons", pair=pair, layer=1, head=3, hide=hide)
    trace = tiny_bert.trace(TEXT, pair or None)
    positions = [i for i, special in enumerate(trace.encoding.special) if not (hide and special)]
    block = first_block(at)
    queries, keys = torch.tensor(block["queries"][0][0]), torch.tensor(block["keys"][0][0])
    torch.testing.assert_close(queries, trace.attention.queries[1, 3, positions], atol=5.1e-5, rtol=0)
    torch.testing.assert_close(keys, trace.attention.keys[1, 3, positions], atol=5.1e-5, rtol=0)
    # What the browser computes from its data is what the model computed: a softmax over the tokens shown.
    scores = queries @ keys.T / math.sqrt(queries.shape[-1])
    torch.testing.assert_close(torch.tensor(block["attn"][0][0]), scores.softmax(-1), atol=2e-3, rtol=0)
    assert block["left_text"] == [label(trace.encoding, i) for i in positions]
    assert len(parameters(at)["attention"]) == (5 if pair else 1) and parameters(at)["bidirectional"]


def test_gpt_reads_back_only_and_the_neuron_view_knows(open_at, gpt_folder):
    at = open_at("neurons", model=f"folder:{gpt_folder}", pair=PAIR)
    assert parameters(at)["bidirectional"] is False and len(parameters(at)["attention"]) == 1
    assert torch.tensor(first_block(at)["attn"]).triu(1).sum() == 0
    weights = torch.tensor(first_block(open_at("model", model=f"folder:{gpt_folder}"))["attn"])
    assert weights.shape[:2] == (3, 3) and weights.triu(1).sum() == 0


@pytest.mark.parametrize("hide", [False, True])
def test_the_model_view_gets_every_head_or_those_chosen(open_at, tiny_bert, hide):
    trace = tiny_bert.trace(TEXT, PAIR)
    pattern = trace.attention.pattern
    pattern = without_special(pattern, trace.encoding.special) if hide else pattern
    at = open_at("model", pair=PAIR, hide=hide)
    torch.testing.assert_close(torch.tensor(first_block(at)["attn"]), pattern, atol=5.1e-5, rtol=0)
    assert "most" not in opening.told(at) and ("Rows are rescaled" in opening.told(at)) is hide
    at = open_at("model", pair=PAIR, hide=hide, layers=[1, 2], heads=[3, 3], tokens=[2, 6])
    weights = torch.tensor(first_block(at)["attn"])
    torch.testing.assert_close(weights, pattern[1:3, 3:4, 2:7, 2:7], atol=5.1e-5, rtol=0)
    assert (parameters(at)["include_layers"], parameters(at)["include_heads"]) == ([2, 3], [4])
    assert f"You see tokens 3 to 7 of {pattern.shape[-1]}. Weights on the others" in opening.told(at)


def test_sliders_choose_what_the_model_view_draws(open_at):
    at = open_at("model")
    assert slider(at, "layers").value == (1, 3) and slider(at, "heads").value == (1, 5)
    slider(at, "heads").set_range(2, 3).run()
    assert parameters(at)["include_heads"] == [2, 3] and at.query_params["heads"] == "[1, 2]"
    slider(at, "tokens").set_range(1, 4).run()
    assert len(first_block(at)["left_text"]) == 4
    slider(at, "heads").set_range(1, 5).run()
    assert "heads" not in at.query_params and at.query_params["tokens"] == "[0, 3]"
    assert not open_at("heads").select_slider and not open_at("head").select_slider


def test_a_model_view_too_large_is_cut_and_the_page_says_how(open_at):
    at = open_at("model", model="bert", text="river " * 150)
    assert len(first_block(at)["left_text"]) == 23
    text = opening.told(at)
    assert "Cut at 128 tokens. 24 more are not shown." in text
    assert "All of it would be 1,179,648 lines; BertViz is given 40,000 at most." in text
    assert "Choose fewer layers or heads for more tokens. You see tokens 1 to 23 of 128." in text
    assert slider(at, "tokens").value == (1, 23)
    slider(at, "layers").set_range(3, 3).run()
    assert len(first_block(at)["left_text"]) == 57 and "1,179,648" not in opening.told(at)
    slider(at, "tokens").set_range(101, 128).run()
    assert len(first_block(at)["left_text"]) == 28
    assert "tokens 101 to 128 of 128" in opening.told(at) and "at most" not in opening.told(at)


@pytest.mark.parametrize("view", ["heads", "neurons"])
def test_the_other_views_take_forty_eight_tokens_from_where_one_likes(open_at, view):
    at = open_at(view, model="bert", text="river " * 60)
    assert len(first_block(at)["left_text"]) == 48
    assert "You see tokens 1 to 48 of 62. Weights on the others are not drawn." in opening.told(at)
    slider(at, "tokens").set_range(21, 62).run()
    assert first_block(at)["left_text"][-1] == "[SEP]" and "tokens 21 to 62 of 62" in opening.told(at)


@EVERY
def test_what_does_not_matter_to_a_view_does_not_reload_it(open_at, view):
    def frame(**settings) -> str:
        return open_at(view, pair=PAIR, **settings).get("iframe")[0].proto.srcdoc

    before = frame(layer=1, head=1)
    assert (frame(layer=1, head=2) == before) is (view != "neurons")
    assert (frame(layer=2, head=1) == before) is (view == "model")
    assert (frame(layer=1, head=1, heads=[0, 1]) == before) is (view != "model")


def test_the_neuron_view_opens_on_the_held_token_else_on_the_last_word(open_at):
    at = open_at("neurons")
    assert first_block(at)["left_text"][parameters(at)["chosen"]] == "old"
    at = open_at("neurons", token=["from", 3, "the"])
    assert parameters(at)["chosen"] == 3
    assert parameters(open_at("neurons", token=["from", 3, "the"], hide=True))["chosen"] == 2


@EVERY
def test_nothing_typed_says_what_to_do(open_at, view):
    for settings in ({"text": " "}, {"text": "", "hide": True}):
        at = open_at(view, **settings)
        assert not at.get("iframe") and "Type a sentence above." in opening.told(at)
    at = open_at(view, text="river", hide=True)
    assert first_block(at)["left_text"] == ["river"] and not at.slider[2:]


@pytest.mark.parametrize("view", ["head", *FRAMES])
def test_a_model_without_attention_says_so(open_at, tiny_bert, monkeypatch, view):
    monkeypatch.setitem(memory._models, "folder:/no/heads", replace(tiny_bert, abilities=Ability.CONTEXT))
    at = open_at(view, model="folder:/no/heads")
    components = {element.proto.component_name for element in at.get("bidi_component")}
    assert not at.get("iframe") and not components & {"riverbank_head", "riverbank_wall"}
    text = " ".join(text.value for text in at.text)
    assert "has no attention to look at" in text and "BERT or GPT" in text
