"""The attention page: what it sends to its picture, and what it does with odd input."""

import json
from pathlib import Path

import pytest
import torch
from streamlit.testing.v1 import AppTest

import explorer
from explorer.analysis.attention.weights import head_view
from explorer.views.attention import buffer
from explorer.views.attention.sentence import SelectedToken, words
from explorer.views.widgets.token_text import label
from tests.views import opening
from tests.views.opening import defaults, said, unopened

DEFAULTS = defaults("attention")

ROOT = Path(__file__).parents[3]
TEXT = "We saw the river. The bank was old."


@pytest.fixture
def open_at(bert_folder):
    """open_at(text=..., layer=...) -> the page opened by that link, on the tiny BERT by default."""

    def open_(**settings) -> AppTest:
        at = opening.opened("attention", **({"model": f"folder:{bert_folder}"} | settings))
        assert not at.error
        return at

    return open_


def picture_data(at: AppTest) -> dict:
    """What the page sent to the picture: the header, and the `weights` of every head of the layer."""
    header, numbers = buffer.unpack(sent(at, "riverbank_head"))
    tokens = len(header["tokens"])
    weights = torch.frombuffer(bytearray(numbers), dtype=torch.float16).float() if numbers else torch.empty(0)
    return header | {"weights": weights.reshape(header["heads"], tokens, tokens)}


def sent(at: AppTest, component: str) -> bytes:
    return next(e.proto for e in at.get("bidi_component") if e.proto.component_name == component).bytes


def click(at: AppTest, key: str) -> AppTest:
    return next(b for b in at.button if b.key == key).click().run()


def test_the_picture_gets_the_models_own_pattern():
    at = unopened().run()
    at.switch_page("pages/attention.py").run()
    assert not at.exception
    model = explorer.load(DEFAULTS["model"])
    pattern = model.trace(DEFAULTS["text"]).attention.pattern[DEFAULTS["layer"]]
    data = picture_data(at)
    torch.testing.assert_close(data["weights"], pattern, atol=2.5e-4, rtol=0)
    assert data["state"]["on"] == [DEFAULTS["head"]]
    assert [token["text"] for token in data["tokens"]][:4] == ["[CLS]", "The", "animal", "didn"]
    assert data["state"]["locked"] == {"side": "from", "at": 10} and data["message"] == ""


def test_hidden_special_tokens_leave_rows_that_sum_to_one_and_the_page_says_so(open_at, tiny_bert):
    at = open_at(text=TEXT, hide=True, layer=1, head=3)
    data = picture_data(at)
    view = head_view(tiny_bert.trace(TEXT), 1, 3, hide_special=True)
    assert len(data["tokens"]) == len(view.tokens) and not any(token["quiet"] for token in data["tokens"])
    torch.testing.assert_close(data["weights"][3], view.pattern, atol=2.5e-4, rtol=0)
    torch.testing.assert_close(data["weights"].sum(-1), torch.ones(5, len(view.tokens)), atol=2e-3, rtol=0)
    assert f"{view.dropped_mass.mean():.0%} of the weight lay on special tokens" in said(at)
    assert "rescaled" not in said(open_at(text=TEXT))


def test_nothing_typed_says_what_to_do(open_at):
    at = open_at(text=" ")
    assert "Type a sentence" in picture_data(at)["message"]
    assert picture_data(open_at(text="", hide=True))["message"]


def test_one_token_stands(open_at):
    data = picture_data(open_at(text="river", hide=True))
    assert [token["text"] for token in data["tokens"]] == ["river"]
    assert (data["weights"] == 1).all()
    assert picture_data(open_at(text="river"))["message"] == ""


def test_a_long_text_is_cut_and_the_page_says_how_much(open_at):
    at = open_at(model="bert", text="river " * 150)
    assert len(picture_data(at)["tokens"]) == 128
    assert "Cut at 128 tokens. 24 more are not shown." in said(at)


def test_a_pair_is_read_by_bert_and_not_offered_for_gpt(open_at, bert_folder, gpt_folder):
    at = open_at(text="the river", pair="the bank")
    assert [token["text"] for token in picture_data(at)["tokens"]] == [
        "[CLS]", "the", "river", "[SEP]", "the", "bank", "[SEP]",
    ]  # fmt: skip
    assert "pair='the bank'" in at.code[0].value
    click(at, "attention/remove")
    assert len(picture_data(at)["tokens"]) == 4 and "pair" not in at.query_params
    click(at, "attention/add")
    assert any(b.key == "attention/remove" for b in at.button)
    alone = open_at(model=f"folder:{gpt_folder}", text="the river", pair="the bank")
    assert not any(b.key in ("attention/add", "attention/remove") for b in alone.button)
    assert "pair=None" in alone.code[0].value and not alone.exception
    assert "is left out: this model reads one text" in said(alone)


def test_layers_and_heads_that_the_model_lacks_become_its_last(open_at, gpt_folder):
    data = picture_data(open_at(model=f"folder:{gpt_folder}", layer=11, head=-4, text="the bank"))
    assert (data["state"]["layer"], data["state"]["head"], data["layers"], data["heads"]) == (2, 0, 3, 3)
    assert data["weights"].triu(1).sum() == 0, "the future is not read"


def test_a_held_token_follows_its_word_and_ends_with_it(open_at):
    at = open_at(text=TEXT, token=["from", 3, "the"])
    assert picture_data(at)["state"]["locked"] == {"side": "from", "at": 3}
    at.session_state["attention.layer"] = 1
    at.run()
    assert picture_data(at)["state"]["locked"] == {"side": "from", "at": 3} and at.query_params["token"]
    at.session_state["attention.text"] = "And by the river."
    at.run()
    assert picture_data(at)["state"]["locked"] == {"side": "from", "at": 3}
    at.session_state["attention.text"] = "Deep water."
    at.run()
    assert picture_data(at)["state"]["locked"] is None and at.query_params["token"] == "null"


def test_a_hold_on_a_hidden_token_waits(open_at):
    assert picture_data(open_at(text=TEXT, token=["to", 0, "[cls]"]))["state"]["locked"] == {
        "side": "to",
        "at": 0,
    }
    at = open_at(text=TEXT, token=["to", 0, "[cls]"], hide=True)
    assert picture_data(at)["state"]["locked"] is None and "token" in at.query_params


@pytest.mark.parametrize("nonsense", [7, "bank", ["from"], ["up", 1, "the"], ["from", "1", "the"], {}, True])
def test_a_link_that_holds_nonsense_opens_free(open_at, nonsense):
    assert picture_data(open_at(text=TEXT, token=json.dumps(nonsense)))["state"]["locked"] is None


def test_the_nearest_of_the_same_words_is_held():
    locked = SelectedToken("from", 5, "bank")
    assert locked.follow(["the", "bank", "and", "the", "bank"]).position == 4
    assert locked.follow(["river"]) is None
    assert SelectedToken.read(locked.setting) == locked


def test_byte_pieces_are_readable_and_mean_the_same_word_as_word_pieces(tiny_bert, tiny_gpt):
    text = "the bank\n é </script>"
    bert, gpt = tiny_bert.encode(text), tiny_gpt.encode(text)
    labels = [label(gpt, i) for i in range(len(gpt))]
    assert labels[:3] == ["the", "bank", "↵"]
    assert all(name.strip() and "Ġ" not in name for name in labels)
    assert {"the", "bank"} <= set(words(bert)) & set(words(gpt))


def test_a_typed_separator_is_special_and_the_page_points_to_the_second_box(open_at):
    text = "we saw light [SEP] it was old"
    at = open_at(text=text)
    assert [token["text"] for token in picture_data(at)["tokens"] if token["quiet"]] == [
        "[CLS]",
        "[SEP]",
        "[SEP]",
    ]
    assert "A second sentence has a box of its own" in said(at)
    hidden = picture_data(open_at(text=text, hide=True))
    assert [token["text"] for token in hidden["tokens"]] == ["we", "saw", "light", "it", "was", "old"]
    assert "has a box of its own" not in said(open_at(text="we saw [MASK] light"))
