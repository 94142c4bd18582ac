"""The heads' picture and the wall: what they are sent, what a change in them sets, what is saved."""

import json

import pytest
import torch

import explorer
from explorer.analysis.attention.by_values import by_values
from explorer.analysis.attention.weights import patterns
from explorer.trace import Capture
from explorer.views.attention import buffer as head_buffer
from explorer.views.attention import files, one_layer, pronoun, wall
from explorer.views.attention.sentence import SelectedToken
from tests.views.attention.test_page import TEXT, open_at, picture_data, sent
from tests.views.opening import said

__all__ = ["open_at"]  # a fixture
PIECES = "we saw the riverbank"  # the tiny vocabulary spells riverbank in letters


def test_sixty_tokens_of_twelve_heads_travel_in_under_100_kb():
    trace = explorer.load("bert").trace("river " * 58, capture=Capture.ATTENTION)
    layer_patterns = patterns(trace, 0)
    assert layer_patterns.pattern.shape == (12, 60, 60)
    sent = head_buffer.layer(layer_patterns, {"tokens": head_buffer.tokens(layer_patterns, trace)})
    assert len(sent) < 100_000
    header, numbers = head_buffer.unpack(sent)
    weights = torch.frombuffer(bytearray(numbers), dtype=torch.float16).reshape(12, 60, 60)
    torch.testing.assert_close(weights.float(), layer_patterns.pattern, atol=2.5e-4, rtol=0)
    assert len(header["tokens"]) == 60


@pytest.mark.parametrize("text", ["", "é", "你", "</script>"])
def test_numbers_start_on_an_even_address_whatever_the_header_says(text):
    buffer = head_buffer.pack({"text": text}, b"\x00\x3c")
    assert len(buffer) % 2 == 0 and head_buffer.unpack(buffer) == ({"text": text}, b"\x00\x3c")


def test_several_heads_are_on_where_the_chosen_one_is_among_them(open_at):
    assert picture_data(open_at(text=TEXT, head=1, on=[3, 1]))["state"]["on"] == [1, 3]
    at = open_at(text=TEXT, head=2, on=[3, 1])
    assert picture_data(at)["state"]["on"] == [2] and json.loads(at.query_params["on"]) == [3, 1], (
        "it stays stored"
    )
    assert picture_data(open_at(text=TEXT, head=1, on=[1, 99, "x", True, -1]))["state"]["on"] == [1]
    assert picture_data(open_at(text=TEXT, on=json.dumps({"a": 1})))["state"]["on"] == [1]


def test_times_the_values_draws_what_the_weights_bring(open_at, tiny_bert):
    at = open_at(text=PIECES, layer=1, by_values=True)
    expected = by_values(tiny_bert, tiny_bert.trace(PIECES)).attention.pattern[1]
    torch.testing.assert_close(picture_data(at)["weights"], expected, atol=2.5e-4, rtol=0)
    assert "|a f(x)|" in said(at) and "|a f(x)|" not in said(open_at(text=PIECES, layer=1))


def test_words_are_drawn_whole_and_the_page_says_how(open_at, tiny_bert):
    at = open_at(text=PIECES, layer=1, merge=True)
    data, trace = picture_data(at), tiny_bert.trace(PIECES)
    assert [token["text"] for token in data["tokens"]] == ["[CLS]", "we", "saw", "the", "riverbank", "[SEP]"]
    torch.testing.assert_close(
        data["weights"], patterns(trace, 1, merge_words=True).pattern, atol=2.5e-4, rtol=0
    )
    assert "attention to them is summed" in said(at)
    assert "attention to them is summed" not in said(open_at(text=TEXT))
    locked = picture_data(open_at(text=PIECES, merge=True, token=["from", 8, "a"]))["state"]["locked"]
    assert locked == {"side": "from", "at": 4}, "the word that a locked piece is part of"


@pytest.mark.parametrize("word", ["Привет", "🙂"])
def test_a_word_of_bytes_is_written_once(word):
    from explorer.views.attention.examples import strongest_links

    gpt = explorer.load("gpt")
    trace = gpt.trace(f"the {word}", capture=Capture.ATTENTION)
    drawn_tokens = head_buffer.tokens(patterns(trace, 0, merge_words=True), trace)
    links = strongest_links(gpt, f"the {word}", None, 0, [0], False, True, False, 60)
    assert drawn_tokens[-1]["text"] == links[-1][0] == word


def test_a_held_pair_follows_its_words(open_at):
    settings = {"token": ["from", 3, "the"], "across": [5, "the"]}
    locked = {"side": "from", "at": 3, "other": 6}  # the nearest “the”
    assert picture_data(open_at(text=TEXT, **settings))["state"]["locked"] == locked
    at = open_at(text="Deep old river, the bank.", **settings)
    assert picture_data(at)["state"]["locked"] == {"side": "from", "at": 5, "other": 5}
    gone = open_at(text="river the", token=["from", 1, "river"], across=[9, "bank"])
    assert picture_data(gone)["state"]["locked"] == {"side": "from", "at": 1}
    for nonsense in (7, "x", [1], [1, 2], {"a": 1}):
        assert (
            "other"
            not in picture_data(open_at(text=TEXT, **settings | {"across": json.dumps(nonsense)}))["state"][
                "locked"
            ]
        )


def test_the_choice_of_sentences_is_there_for_a_pair_alone(open_at):
    at = open_at(text="the river", pair="the bank", sides="01")
    assert [token["side"] for token in picture_data(at)["tokens"]] == [0, 0, 0, 0, 1, 1, 1]
    assert picture_data(at)["state"]["sides"] == "01" and "Only from A to B" in said(at)
    for settings in ({"sides": "01"}, {"sides": "</p>", "pair": "the bank"}):
        at = open_at(text="the river", **settings)
        assert picture_data(at)["state"]["sides"] == "" and "Only" not in said(at)


def test_a_least_weight_is_said(open_at):
    at = open_at(text=TEXT, least=0.25)
    assert picture_data(at)["state"]["least"] == 0.25 and "Weights under 0.25 are not drawn." in said(at)


def test_a_change_in_the_picture_becomes_settings(tiny_bert):
    trace = tiny_bert.trace(PIECES)
    layer_patterns = patterns(trace, 0, merge_words=True)

    def read(**event):
        return one_layer.read_change({"request": 1} | event, layer_patterns, trace)

    assert read(layer=2, head=1, on=[1]) == {"layer": 2, "head": 1, "on": None}
    assert read(on=[1, 4], least=0.1, sides="10", merge=False, hide=True) == {
        "on": [1, 4], "least": 0.1, "sides": "10", "merge": False, "hide": True,
    }  # fmt: skip
    assert read(locked={"side": "to", "at": 2}) == {
        "token": SelectedToken("to", 2, "saw").setting,
        "across": None,
    }
    assert read(locked={"side": "from", "at": 2, "other": 4}) == {
        "token": SelectedToken("from", 2, "saw").setting,
        "across": [4, "river"],
    }
    assert read(locked=None) == {"token": None, "across": None}
    for crossed in ({"side": "to", "at": 99}, {"side": "to", "at": 0, "other": 99}):
        assert read(locked=crossed) == {}, "a click that crossed a change of text"


def test_the_wall_has_every_head_with_what_it_is_known_for():
    trace = explorer.load("bert").trace(TEXT)
    header, numbers = head_buffer.unpack(wall.buffer("bert", trace, True, False, {}))
    expected = patterns(trace, hide_special=True).pattern
    cells = torch.frombuffer(bytearray(numbers), dtype=torch.uint8).reshape(expected.shape)
    torch.testing.assert_close(cells / 255, expected, atol=0.51 / 255, rtol=0)
    assert len(header["names"]) == 6 * 12
    word, sentence = header["names"][2]
    assert word == "previous" and sentence.endswith("to the token before (on our 200 sentences)")


def test_a_thumbnail_of_a_long_text_keeps_the_strongest_of_joined_cells():
    pattern = torch.zeros(2, 3, 96, 96)
    pattern[1, 2, 95, 40] = 1
    header, numbers = head_buffer.unpack(head_buffer.thumbnails(pattern, {}))
    cells = torch.frombuffer(bytearray(numbers), dtype=torch.uint8).reshape(2, 3, 48, 48)
    assert header["side"] == 48 and cells.sum() == 255 and cells[1, 2, 47, 20] == 255


def test_the_wall_is_not_sent_again_for_another_head(open_at):
    before = sent(open_at(text=TEXT, layer=0, head=1), "riverbank_wall")
    assert sent(open_at(text=TEXT, layer=2, head=3, on=[3, 4]), "riverbank_wall") == before
    assert sent(open_at(text=TEXT, hide=True), "riverbank_wall") != before
    empty = open_at(text=" ").get("bidi_component")
    assert not any(e.proto.component_name == "riverbank_wall" for e in empty)


def test_another_models_heads_are_known_from_this_text_alone(open_at):
    header, _ = head_buffer.unpack(sent(open_at(text=TEXT), "riverbank_wall"))
    assert len(header["names"]) == 15 and all("(on this text)" in sentence for _, sentence in header["names"])


def test_saved_weights_are_the_drawn_heads_weights(tiny_bert):
    trace = tiny_bert.trace(TEXT)
    layer_patterns = patterns(trace, 2)
    names = [token["text"] for token in head_buffer.tokens(layer_patterns, trace)]
    lines = files.weights(names, layer_patterns, 2, [1, 4]).splitlines()
    assert lines[0] == "head,from_position,from,to_position,to,weight"
    assert len(lines) == 1 + 2 * len(names) ** 2
    assert lines[-1].startswith(f"L3H5,{len(names) - 1},[SEP],{len(names) - 1},[SEP],")
    assert float(lines[-1].rpartition(",")[2]) == pytest.approx(
        layer_patterns.pattern[4, -1, -1].item(), rel=1e-6
    )
    saved = json.loads(files.layer(names, layer_patterns, 2, trace))
    assert saved["tokens"] == names and saved["text"] == TEXT
    torch.testing.assert_close(torch.tensor(saved["pattern"]), layer_patterns.pattern, atol=5.1e-5, rtol=0)


def test_a_page_without_a_server_has_every_layer(tiny_bert):
    trace = tiny_bert.trace("the river")
    every = [patterns(trace, layer) for layer in range(3)]
    header = {"heads": 5, "tokens": head_buffer.tokens(every[1], trace), "state": {"layer": 1}}
    words = {(layer, head): ("a word", f"{layer} {head}") for layer in range(3) for head in range(5)}
    data = files.every_layer(header, every, words)
    assert data["layer"] == 1
    for layer, one in enumerate(data["layers"]):
        header, numbers = head_buffer.unpack(one)
        assert header["state"]["layer"] == layer and header["kinds"][4] == f"{layer} 4"
        weights = torch.frombuffer(bytearray(numbers), dtype=torch.float16).float()
        torch.testing.assert_close(weights, every[layer].pattern.flatten(), atol=2.5e-4, rtol=0)


def test_the_wall_says_what_its_words_rest_on(open_at):
    bundled = said(open_at(model="bert", text="A river."))
    assert "measured on 200 sentences of our own" in bundled and "10 points over the best fixed" in bundled
    other = said(open_at(text=TEXT))
    assert "on this text alone" in other and "fixed offset" not in other


TROPHY = {"text": "The trophy didn't fit in the suitcase because it was too big.", "token": ["from", 9, "it"]}


def test_another_head_is_one_whose_pronoun_attends_to_the_noun_most(open_at):
    at = open_at(model="bert", **TROPHY, across=[2, "trophy"])
    assert "chooses the right noun in 35, the best of all 72 heads in 36; guessing gives 30." in said(at)
    (button,) = [one for one in at.button if one.label == "Another head that finds it"]
    button.click().run()
    trace = explorer.load("bert").trace(TROPHY["text"], capture=Capture.ATTENTION)
    layer, head = (int(at.query_params[name]) for name in ("layer", "head"))
    row = trace.attention.pattern[layer, head, trace.tokens.index("it")].masked_fill(
        trace.encoding.special, 0
    )
    assert trace.tokens[int(row.argmax())] == "trophy"


def test_without_a_noun_the_line_says_what_to_click_and_without_a_pronoun_there_is_none(open_at):
    at = open_at(model="bert", **TROPHY)
    assert "to look for another head that finds it." in said(at)
    assert "Another head" not in [one.label for one in at.button]
    assert "guessing gives" not in said(
        open_at(model="bert", text=TROPHY["text"], token=["from", 2, "trophy"])
    )


def test_heads_come_in_turn():
    heads = [(3, 1), (0, 2)]
    assert [pronoun.next_of(heads, here) for here in [(3, 1), (0, 2), (5, 5)]] == [(0, 2), (3, 1), (3, 1)]
    assert pronoun.next_of([], (3, 1)) is None and pronoun.next_of([(3, 1)], (3, 1)) is None
