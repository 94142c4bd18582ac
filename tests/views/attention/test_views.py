"""The attention page's views beside its heads: what each sends to its picture, and odd input."""

import json
import struct

import pytest
import torch
from streamlit.testing.v1 import AppTest

from explorer.analysis.attention import comparison, rollout
from explorer.analysis.attention.flow import flow
from explorer.analysis.attention.inside_head import inside
from tests import tiny
from tests.views import opening
from tests.views.opening import said

TEXT = "We saw the river. The bank was old."
PARTS = {"inside": "inside_head", "layers": "rollout", "compare": "compare"}


@pytest.fixture
def open_at(bert_folder, gpt_folder):
    """open_at("layers", text=...) -> the page opened by that link, on the tiny BERT."""

    def open_(view: str, **settings) -> AppTest:
        defaults = {"model": f"folder:{bert_folder}", "view": view, "compare_model": f"folder:{gpt_folder}"}
        at = opening.opened("attention", **(defaults | settings))
        assert not at.error
        return at

    return open_


def proto(at: AppTest, name: str):
    return next(e.proto for e in at.get("bidi_component") if e.proto.component_name == f"riverbank_{name}")


def sent(at: AppTest, view: str) -> dict:
    """What a view gave its picture."""
    return json.loads(proto(at, PARTS[view]).json)[0]


def unpacked(at: AppTest) -> tuple[dict, torch.Tensor, bytes]:
    """The header, [q k v] and the shades that the inside of a head was given."""
    data = bytes(proto(at, "inside_head").bytes)
    (length,) = struct.unpack("<I", data[:4])
    header = json.loads(data[4 : 4 + length])
    count, size = len(header["tokens"]), header["size"]
    end = 4 + length + 12 * count * size
    numbers = torch.frombuffer(bytearray(data[4 + length : end]), dtype=torch.float32)
    return header, numbers.reshape(3, count, size), data[end:]


@pytest.mark.parametrize("view", ["inside", "layers", "compare"])
def test_nothing_typed_says_what_to_do(open_at, view):
    at = open_at(view, text=" ")
    assert "Type" in said(at)
    assert not any(e.proto.component_name == f"riverbank_{PARTS[view]}" for e in at.get("bidi_component"))


def test_inside_gets_the_heads_own_numbers(open_at, tiny_bert):
    at = open_at("inside", text=TEXT, layer=1, head=3, token=["from", 4, "river"], inside_to=[2, "saw"])
    header, numbers, shades = unpacked(at)
    head = inside(tiny_bert.trace(TEXT), 1, 3)
    assert (header["query"], header["key"], header["causal"]) == (4, 2, False)
    torch.testing.assert_close(numbers, torch.stack([head.queries, head.keys, head.values]))
    assert header["scale"] == head.scale and header["name"] == "Head L2H4"
    assert len(shades) == len(header["tokens"]) * header["width"] == head.inputs.numel()


def test_without_a_choice_the_strongest_pair_of_ordinary_tokens_is_shown(open_at, tiny_bert):
    header, _, _ = unpacked(open_at("inside", text=TEXT, layer=0, head=2))
    weights = inside(tiny_bert.trace(TEXT), 0, 2).weights[1:-1, 1:-1].clone().fill_diagonal_(0)
    assert weights[header["query"] - 1, header["key"] - 1] == weights.max()
    assert not header["locked"]
    header, _, _ = unpacked(open_at("inside", text="river", layer=0, head=2))
    assert len(header["tokens"]) == 3


def test_a_held_token_of_the_heads_view_is_the_reading_one_and_finds_its_strongest(open_at, tiny_bert):
    weights = inside(tiny_bert.trace(TEXT), 0, 0).weights
    header, _, _ = unpacked(open_at("inside", text=TEXT, layer=0, head=0, token=["from", 4, "river"]))
    assert (header["query"], header["key"]) == (4, int(weights[4].argmax()))
    header, _, _ = unpacked(open_at("inside", text=TEXT, layer=0, head=0, token=["to", 4, "river"]))
    assert (header["query"], header["key"]) == (int(weights[:, 4].argmax()), 4)


def test_the_longest_text_stays_under_a_hundred_kilobytes(open_at):
    at = open_at("inside", model="bert", text="river " * 150)
    assert len(unpacked(at)[0]["tokens"]) == 128
    assert len(proto(at, "inside_head").bytes) < 110_000
    assert "Cut at 128 tokens" in said(at)


def test_gpt_is_told_that_it_may_not_look_ahead(open_at, gpt_folder):
    header, _, _ = unpacked(open_at("inside", model=f"folder:{gpt_folder}", text=TEXT))
    assert header["causal"]


def test_strands_carry_rollout_and_flow_only_when_asked(open_at, tiny_bert):
    trace = tiny_bert.trace(TEXT)
    at = open_at("layers", text=TEXT, across_layer=2, across_special=True, token=["from", 4, "river"])
    data = sent(at, "layers")
    layers = rollout.steps(trace)
    raw, rolled, flowing = data["columns"]
    assert (data["layer"], data["chosen"], data["flowing"]) == (2, 4, False)
    torch.testing.assert_close(
        torch.tensor(rolled["values"]), rollout.rollout(layers)[2, 4], atol=1e-5, rtol=0
    )
    torch.testing.assert_close(
        torch.tensor(raw["values"]), trace.attention.pattern[1].mean(0)[4], atol=1e-5, rtol=0
    )
    assert flowing["values"] is None
    assert "heads averaged" in said(at) and "residual" in said(at) and "values" in said(at)
    at = open_at(
        "layers", text=TEXT, across_layer=2, across_special=True, token=["from", 4, "river"], across_flow=True
    )
    flowing = sent(at, "layers")["columns"][2]
    torch.testing.assert_close(torch.tensor(flowing["values"]), flow(layers, 2, 4), atol=1e-5, rtol=0)
    assert "problems of maximum flow in" in said(at)


def test_special_tokens_leave_the_rollout_and_the_page_says_so(open_at, tiny_bert):
    trace = tiny_bert.trace(TEXT)
    at = open_at("layers", text=TEXT)
    data = sent(at, "layers")
    layers = rollout.steps(trace, trace.encoding.special)
    assert len(data["tokens"]) == layers.shape[-1] and data["layer"] == 3
    rolled = torch.tensor(data["columns"][1]["values"])
    torch.testing.assert_close(rolled, rollout.rollout(layers)[3, data["chosen"]], atol=1e-5, rtol=0)
    assert data["tokens"][data["chosen"]]["text"] == "old", "the last word, not the full stop"
    assert "taken out of every layer" in said(at)


def test_a_flow_that_is_the_same_for_every_word_is_said_to_say_nothing():
    at = opening.opened("attention", view="layers", across_flow=True, across_special=True)
    flows = sent(at, "layers")["columns"][2]["values"]
    assert min(flows) > 0.5 and "flow no longer tells the words apart" in said(at)
    at = opening.opened("attention", view="layers", across_flow=True, across_layer=1, across_special=True)
    assert min(sent(at, "layers")["columns"][2]["values"]) < 0.5 and "no longer" not in said(at)


def test_flow_is_refused_in_words_where_there_are_too_many_tokens(open_at):
    at = open_at("layers", model="bert", text="river " * 60, across_flow=True, across_special=True)
    data = sent(at, "layers")
    assert not data["flowing"] and not data["fits"] and data["columns"][2]["values"] is None
    assert "40 tokens at most, and these are 62" in said(at)


def test_two_sentences_side_by_side(open_at, tiny_bert):
    other = "We saw the river. The bank was deep."
    data = sent(open_at("compare", text=TEXT, compare_text=other, layer=2, head=4), "compare")
    first, second = (comparison.by_word(tiny_bert.trace(text)) for text in (TEXT, other))
    pairs = comparison.align(first.words, second.words)
    compared = comparison.compare(first.pattern[2, 4], second.pattern[2, 4], pairs)
    assert [w["text"] for w in data["words"]].count("old / deep") == 1
    for name, pattern in (("first", compared.first), ("second", compared.second)):
        torch.testing.assert_close(torch.tensor(data[name]), pattern, atol=6e-5, rtol=0)
    moved = comparison.changes(first.pattern, second.pattern, pairs)
    best = data["heads"][0]
    assert moved[best["layer"], best["head"]] == moved.max()
    assert best["moved"] == pytest.approx(float(moved.max()), abs=1e-6)


def test_special_tokens_are_hidden_from_a_comparison_and_rows_rescaled(open_at):
    for compare in ("texts", "models"):
        at = open_at("compare", text=TEXT, compare_text="We saw the bank.", compare=compare, hide=True)
        data = sent(at, "compare")
        assert not any("[" in word["text"] for word in data["words"])
        for name in ("first", "second"):
            rows = [[v for v in row if v is not None] for row in data[name]]
            assert all(abs(sum(row) - 1) < 1e-2 for row in rows if row)
        assert "rows rescaled" in said(at)


def test_two_models_share_their_words_alone(open_at):
    data = sent(open_at("compare", text="the bank", compare="models", compare_layer=9), "compare")
    assert [w["text"] for w in data["words"]] == ["[CLS] / –", "the", "bank", "[SEP] / –"]
    assert data["second"][0] == [None] * 4 and data["first"][0][0] is not None
    assert data["second"][1][2] == 0, "GPT does not read ahead"
    assert data["notes"] == ["all heads of layer 3", "all heads of layer 3"] and data["heads"] == []


@pytest.mark.parametrize(
    ("seed", "says"), [(0, "the same in both models"), (7, "only their number in common")]
)
def test_heads_of_a_model_and_of_its_fine_tuned_version_are_the_same(open_at, tmp_path, seed, says):
    model = tiny.write_bert(tmp_path, head="BertForSequenceClassification")
    tiny.shake(model, seed).save_pretrained(tmp_path)
    for head in (-1, 1):
        link = {"compare": "models", "compare_model": f"folder:{tmp_path}", "compare_head": head}
        assert says in said(open_at("compare", text="the bank", **link))


def test_the_other_sentence_begins_as_a_copy_of_ones_own(open_at):
    data = sent(open_at("compare", text="we saw the bank"), "compare")
    assert all(word["alike"] for word in data["words"])


@pytest.mark.parametrize("cell", [[1, 2], [99, 0], "x", [1], [True, "a"]])
def test_a_link_holds_a_cell_of_the_map_or_none(open_at, cell):
    locked = sent(open_at("compare", text=TEXT, compare_text=TEXT, compare_cell=cell), "compare")["locked"]
    assert locked == (cell if cell == [1, 2] else None)


@pytest.mark.parametrize(
    ("view", "settings"),
    [
        ("layers", {"across_layer": 99}),
        ("compare", {"compare": "nonsense"}),
        ("compare", {"compare": "models", "compare_model": "elmo", "compare_head": 80}),
        ("inside", {"inside_to": [400, "river"], "layer": 9}),
    ],
)
def test_what_a_link_cannot_mean_becomes_something_that_can(open_at, view, settings):
    assert proto(open_at(view, text=TEXT, **settings), PARTS[view])


def test_every_view_offers_its_numbers(open_at):
    names = {
        "inside": "This pair, number by number",
        "layers": "What the token has read",
        "compare": "Both patterns and the difference",
        "bertviz": "Weights · CSV",
    }
    for view, name in names.items():
        at = open_at(view, text=TEXT)
        assert any(name in button.proto.label for button in at.get("download_button")), view
