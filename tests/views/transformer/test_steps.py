"""Step by step: what the page sends to its picture, what a click does, and odd input."""

import json
import struct

import pytest
import torch

import explorer
from explorer.analysis import prediction
from explorer.analysis.transformer import walk, walk_decoder
from explorer.views.transformer import steps
from explorer.views.transformer.step_data import Names, most_active, program, table_of, tokens_of, why
from tests import encoders
from tests.views.opening import defaults, opened, printed_result, read_data, said, sending, told

DEFAULTS = defaults("transformer")

TEXT = "the bank by the old river"


@pytest.fixture
def open_at(bert_folder):
    def open_(**link):
        return opened(
            "transformer", view="steps", **({"model": f"folder:{bert_folder}", "text": TEXT} | link)
        )

    return open_


def sent(at) -> dict:
    """What the picture was given: the header, and each tensor's numbers in it."""
    (proto,) = (e.proto for e in at.get("bidi_component") if e.proto.component_name == "riverbank_steps")
    (length,) = struct.unpack("<I", proto.bytes[:4])
    header = json.loads(proto.bytes[4 : 4 + length])
    numbers = torch.frombuffer(bytearray(proto.bytes[4 + length :]), dtype=torch.float32)
    for array in header["arrays"].values():
        size = array["rows"] * array["columns"]
        array["numbers"] = numbers[array["at"] : array["at"] + size].view(array["rows"], array["columns"])
    return header


def test_the_picture_gets_the_walks_own_numbers(open_at, tiny_bert):
    header = sent(open_at(layer=1, head=3))
    found = walk(tiny_bert, TEXT, layer=1, head=3)
    assert [step["code"] for step in header["steps"]] == [step.code for step in found.steps]
    for name in ("token_rows", "q", "k", "v", "scores", "weights", "out", "z", "x1", "hidden", "x2"):
        torch.testing.assert_close(header["arrays"][name]["numbers"], found.value(name))
    assert header["units"] == most_active(found).tolist()
    assert header["arrays"]["W_Q"]["shape"] == "35 × 7" and header["arrays"]["W_1"]["shape"] == "35 × 53"


def test_every_figure_is_drawn_of_tensors_that_were_sent(open_at, gpt_folder, tmp_path):
    encoders.write("albert", tmp_path)  # its vectors are narrower than its layers
    others = ({"model": f"folder:{folder}", "layer": 2} for folder in (gpt_folder, tmp_path))
    for link in ({}, {"layer": 1}, {"padding": True}, *others):
        header = sent(open_at(**link))
        known = {*header["arrays"], "k^T", "top", "+", "=", "@", "→", "/ √d", "softmax"}
        for step in header["steps"]:
            for line in (*step["all"], *step["one"]):
                assert known.issuperset(line), step["name"]
            assert set(step["gives"]) & set(header["arrays"])


def test_residual_connections_lead_round_the_norm_or_into_it(open_at, gpt_folder):
    for link, titles in (
        ({"layer": 1}, [("From layer 1", "Add and normalise"), ("Add and normalise", "Add and normalise")]),
        (
            {"layer": 0},
            [("Normalise (LayerNorm)", "Add and normalise"), ("Add and normalise", "Add and normalise")],
        ),
        ({"model": f"folder:{gpt_folder}", "layer": 0}, [("Look up vectors", "Add"), ("Add", "Add")]),
    ):
        header = sent(open_at(**link))
        assert [tuple(header["steps"][at]["title"] for at in ends) for ends in header["residual"]] == titles


def test_padding_is_drawn_when_asked_and_not_offered_to_gpt(open_at, gpt_folder):
    at = open_at(padding=True)
    header = sent(at)
    assert [token["text"] for token in header["tokens"]][-4:] == ["[PAD]"] * 4 and len(header["tokens"]) == 12
    assert any(step["name"] == "mask" for step in header["steps"])
    assert [box.label for box in at.main.toggle] == ["Padding"]
    gpt = open_at(model=f"folder:{gpt_folder}", padding=True)
    assert len(gpt.main.toggle) == 0 and "[PAD]" not in str(sent(gpt)["tokens"])


class Chosen(dict):
    """Settings outside of a page."""

    def set(self, *changes):
        self.update(changes)


def test_a_number_of_a_link_says_what_made_it(open_at):
    (why,) = sent(open_at(layer=1, head=0, step="softmax", cells=[["weights", 2, 0, 1, 0]]))["why"]
    assert why["cell"] == ["weights", 2, 0] and why["title"].startswith("A: ")
    assert len(why["parts"]) == 5 and why["rest"].startswith("3 other scores: 0.")


def test_clicks_follow_a_number_back_to_the_tables_and_return(tiny_bert, monkeypatch):
    chosen = Chosen(DEFAULTS | {"text": TEXT, "layer": 1, "head": 0})
    click = {"ask": ["x2", 2, 4]}
    monkeypatch.setattr(steps.kit, "component_value", sending(click))
    steps._ask(chosen, steps.chosen_walk(chosen, tiny_bert))
    assert chosen["cells"] == [["x2", 2, 4, 1, 0]] and chosen["step"] == "whole" and chosen["word"] == 2
    passed = []
    for _ in range(30):
        found = steps.chosen_walk(chosen, tiny_bert)
        made = why(found, Names(list("abcdefgh")), chosen["cells"][-1])
        passed.append((made["title"], chosen["layer"], chosen["step"]))
        if not made["parts"]:
            break
        click["follow"] = made["parts"][0]["cell"]
        steps._follow(chosen, found)
    assert "A learnt number: row" in made["how"] and chosen["step"] == "input" and chosen["layer"] == 0
    assert ("x of c, number 5", 1, "enter") in passed
    click["back"] = True
    steps._back(chosen, steps.chosen_walk(chosen, tiny_bert))
    found = steps.chosen_walk(chosen, tiny_bert)
    assert why(found, Names(list("abcdefgh")), chosen["cells"][-1])["title"] == passed[-2][0]


def test_a_decoder_is_walked_through_and_leads_across_to_the_encoder(open_at, marian_folder, monkeypatch):
    link = {"model": f"folder:{marian_folder}", "side": "decoder", "layer": 1, "head": 3}
    at = open_at(**link)
    header, model = sent(at), explorer.load(link["model"])
    found = walk_decoder(model, TEXT, None, 1, 3, 12)
    assert header["where"] == "Decoder, layer 2, head 4" and [box.label for box in at.main.toggle] == []
    assert [token["text"] for token in header["source"]][-1] == "</s>"
    for name in ("cross_q", "cross_k", "m", "cross_weights", "x3"):
        torch.testing.assert_close(header["arrays"][name]["numbers"], found.value(name))
    known = {*header["arrays"], "top", "+", "=", "@", "→", "/ √d", "softmax"}
    for step in header["steps"]:
        drawn = {name.removesuffix("^T") for line in (*step["all"], *step["one"]) for name in line}
        assert known.issuperset(drawn), step["name"]
    assert len(header["residual"]) == 3
    chosen = Chosen(DEFAULTS | {"text": TEXT, **link})
    click = {"ask": ["cross_weights", 0, 1]}
    monkeypatch.setattr(steps.kit, "component_value", sending(click))
    steps._ask(chosen, steps.chosen_walk(chosen, model))
    names = Names(*([token["name"] for token in some] for some in tokens_of(found)))
    told = []
    while chosen["side"] == "decoder":
        shown = steps.chosen_walk(chosen, model)
        assert steps._fit(chosen, shown)["cells"], "a link to this number shows it"
        made = why(shown, names, chosen["cells"][-1][:5])
        told.append(made["title"])
        part = made["parts"][0]
        click["follow"] = part["other"] if "Cross S" in made["title"] else part["cell"]
        steps._follow(chosen, shown)
    assert told[0].startswith("Cross A: start reads ") and told[-1].startswith("M of ")
    assert (chosen["layer"], chosen["step"], chosen["cells"][-1][0]) == (2, "add-2", "x2")
    assert steps._fit(chosen, steps.chosen_walk(chosen, model))["cells"]
    click["back"] = True
    steps._back(chosen, steps.chosen_walk(chosen, model))
    assert (chosen["side"], chosen["layer"], chosen["step"]) == ("decoder", 1, "cross-project")
    assert steps._fit(chosen, steps.chosen_walk(chosen, model))["cells"][-1][0] == "m"


def test_the_numbers_of_a_decoders_step_are_saved_with_their_own_tokens(marian_folder):
    found = walk_decoder(explorer.load(f"folder:{marian_folder}"), TEXT)
    saved = table_of(found, next(step for step in found.steps if step.name == "cross-project"))
    lines = [line.split(",")[:2] for line in saved.splitlines()[1:]]
    assert len(lines) == 3 * len(found.source) + len(found.encoding)
    assert next(token for name, token in lines if name == "cross_q") == "start"
    assert [token for name, token in lines if name == "cross_k"][-1] == "</s>"


def test_the_printed_code_of_a_decoder_gives_each_step(open_at, marian_folder):
    result = printed_result(open_at(model=f"folder:{marian_folder}", side="decoder", layer=1))
    assert len(result) == 20 and "cross_scores" in dict(result)[result[11][0]]


def test_a_saved_picture_says_nothing_of_the_numbers_that_were_followed(open_at):
    at = open_at(layer=1, head=0, step="softmax", cells=[["weights", 2, 0, 1, 0]])
    mounts = (read_data(mount) for mount in at.get("bidi_component") if mount.proto.json)
    lines = next(data["caption"] for data in mounts if data.get("caption"))
    assert "Layer: 2" in lines[-1]
    assert not any(sign in line for line in lines for sign in ("cells", "[", "weights"))


@pytest.mark.parametrize(
    "link",
    [
        {"cells": [["weights", 99, 0, 0, 0]]}, {"cells": [["W_Q", 0, 0, 0, 0]]},
        {"cells": [["weights", 0, 0, 2, 0]]}, {"cells": ["x"]},
        {"cells": [["weights", 0, 0, 2, 9, "decoder"]]}, {"side": "decoder"}, {"step": "nowhere"},
        {"step": "mask"}, {"way": "up"}, {"word": 99}, {"layer": 99, "head": 99},
    ],
)  # fmt: skip
def test_a_link_may_say_anything(open_at, link):
    header = sent(open_at(**link))
    assert header["why"] == [] and header["way"] in ("one", "all")
    assert header["word"] < len(header["tokens"])
    assert header["step"] == "whole"


def test_old_names_of_steps_in_a_link_open_the_same_steps(open_at):
    for old, name in (("widen", "up-projection"), ("narrow", "down-projection"), ("mix", "weighted-sum")):
        header = sent(open_at(step=old))
        assert header["step"] == name and any(step["name"] == name for step in header["steps"])


@pytest.mark.parametrize("model", ["bert", "gpt"])
@pytest.mark.parametrize("text", ["river", "🙂🙂", "的", "<script>"])
def test_odd_texts_are_walked_through(model, text):
    at = opened("transformer", view="steps", model=model, text=text, step="scores")
    assert not at.error and len(sent(at)["tokens"]) >= 1


@pytest.mark.parametrize("model", ["bert", "gpt"])
def test_an_empty_text_invites_and_a_long_one_is_cut(model):
    assert "Type a sentence above." in said(opened("transformer", view="steps", model=model, text=" "))
    at = opened("transformer", view="steps", model=model, text="river " * 500)
    assert len(sent(at)["tokens"]) == 12
    beyond = explorer.load(model).encode("river " * 500, limit=12).truncated
    assert beyond > 480 and f"Cut at 12 tokens. {beyond} more are not shown." in told(at)


def test_the_printed_code_gives_each_step_and_its_shapes(open_at):
    result = printed_result(open_at(layer=1, head=2))
    assert len(result) == 13 and dict(result[5][1]) == {"weights": [8, 8]}


def test_the_saved_program_names_what_it_is_given_and_runs(tiny_gpt):
    found = walk(tiny_gpt, TEXT, layer=1, head=2)
    code = program(found)
    (line,) = [line for line in code.splitlines() if line.startswith("# Given: ")]
    names = {name: found.values[name] for name in line.removeprefix("# Given: ").split(", ")}
    exec(code, names)
    torch.testing.assert_close(names["x2"], found.result)


@pytest.mark.weights
def test_the_flow_ends_in_the_models_own_guesses():
    header = sent(opened("transformer", view="steps"))
    model, text = explorer.load("bert"), DEFAULTS["text"]
    best = prediction.top(model, prediction.blanks(model, text), 0, 3)
    shown = header["guesses"]["rows"][DEFAULTS["word"]]
    assert [row["text"] for row in shown] == [c.token for c in best]
    assert [row["probability"] for row in shown] == pytest.approx([c.probability for c in best], abs=1e-5)
    assert header["above"] == "Layers 5 and 6" and header["where"] == "Layer 4, head 11"
    assert [step["stage"] for step in header["steps"]] == [
        *["vectors"] * 3,
        *["attention"] * 7,
        *["forward"] * 3,
    ]


def test_gpt_reads_up_to_the_blank_and_guesses_the_next_word():
    at = opened("transformer", view="steps", model="gpt")
    header = sent(at)
    assert [token["text"] for token in header["tokens"]] == ["The", "train", "stopped", "at", "the"]
    (first, *_) = prediction.next_tokens(explorer.load("gpt"), "The train stopped at the", top=1)
    assert header["guesses"]["rows"][-1][0]["text"] == first[0].strip()
    assert "text" not in at.query_params, "the text of the other views stays"


def test_a_link_may_follow_any_number(open_at):
    assert sent(open_at(number=999))["number"] == 34
