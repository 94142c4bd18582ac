"""The page of causes: the map fills in, a state is chosen, and what cannot be compared says why."""

import json
import re
from functools import partial
from html import unescape

import pytest
import torch

from explorer.analysis import patching
from explorer.analysis.generation import Sampling, generate
from explorer.analysis.prediction import fill
from explorer.views.frame.presets import presets_in_row
from explorer.views.look import theme
from explorer.views.why import fixes, page, patch_run, steer, writes
from tests.shared_models import model
from tests.views import opening
from tests.views.opening import printed_result, said, sent, told

KEYS = {
    "model": "bert",
    "first": "The keys to the old cabinet [MASK] lost.",
    "second": "The key to the old cabinet [MASK] lost.",
}
run = partial(opening.opened, "why")


def finished(**link):
    """The page when all layers are exact: on the server nobody asks for more."""
    at = run(**link)
    at.session_state[patch_run.RUN].extend(600.0)
    at.run()
    assert not at.exception
    return at


@pytest.fixture(autouse=True)
def nothing_kept():
    patch_run._finished.clear()


def test_the_map_is_estimated_first_and_then_exact():
    at = run(**KEYS)
    (first,) = sent(at, "patch_map")
    assert first["exact"] == [] and first["run"] > 0
    (data,) = sent(finished(**KEYS), "patch_map")
    network = model("bert")
    pair = patching.contrast(network, KEYS["first"], KEYS["second"])
    share = patching.patch_states(network, pair).share
    torch.testing.assert_close(torch.tensor(data["share"]), share, atol=1e-3, rtol=0)
    assert data["exact"] == [*range(6)] and data["run"] == 0
    assert [token["first"] for token in data["tokens"] if token["differs"]] == ["keys"]


# SmolLM2 takes minutes for all of its own.
PRESETS = [
    pytest.param(values, marks=pytest.mark.slow if "model" in values else pytest.mark.long)
    for values in (preset.values for preset in presets_in_row("why", "where"))
]


@pytest.mark.parametrize("values", PRESETS, ids=str)
def test_every_preset_draws_its_map_and_prints_its_numbers(values):
    opening.skip_without_weights(page.PAGE.views["where"])
    at = finished(**{name: value for name, value in values.items() if name != "view"})
    (data,) = sent(at, "patch_map")
    assert torch.tensor(printed_result(at)).allclose(torch.tensor(data["share"]), atol=2e-3)


def test_a_chosen_state_says_what_it_changes():
    at = run(**KEYS, cell=[0, 2])
    assert "With the state of layer 1 at “keys” from the first prompt" in told(at)
    before, after = sent(at, "bars")
    assert before["rows"] != after["rows"]


@pytest.mark.parametrize("cell", [[9, 0], [0, 99], "x", [1]])
def test_a_state_that_is_not_there_is_not_chosen(cell):
    assert "With the state of layer" not in told(run(**KEYS, cell=cell))


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"second": KEYS["first"]}, "same"),
        ({"second": ""}, "A prompt is empty."),
        ({"second": "The very old key to the old cabinet [MASK] lost."}, "The prompts have"),
        ({"second": "The boats to the old cabinet [MASK] lost."}, "Both prompts are answered by"),
        ({"second": "The key to the old cabinet is lost."}, "[MASK]"),
        ({"second": "key " * 40 + "[MASK]"}, "tokens"),
    ],
)
def test_prompts_that_cannot_be_compared_say_why(values, problem):
    at = run(**KEYS | values)
    assert problem in told(at)
    assert not sent(at, "patch_map")


def test_noise_takes_the_place_of_the_second_prompt():
    at = run(**KEYS, noise=True, subject="keys")
    (data,) = sent(at, "patch_map")
    assert data["noise"] and [token["first"] for token in data["tokens"] if token["differs"]] == ["keys"]
    assert "does not" in told(run(**KEYS, noise=True, subject="zebra"))


def test_an_answer_that_is_named_is_compared():
    (data,) = sent(run(**KEYS, answer="are", instead="is"), "patch_map")
    assert [answer["word"] for answer in data["answers"]] == ["are", "is"]


def test_prompts_of_unequal_length_offer_the_nearest_that_fit():
    first = "The nurse with the old hat [MASK] late."
    at = run(**KEYS | {"first": first, "second": "The hairdresser with the old hat [MASK] late."})
    offers = [button for button in at.button if button.label.startswith("Try “")]
    network = model("bert")
    for offer in offers:
        text = offer.label.removeprefix("Try “").removesuffix("”").replace("\\", "")
        assert len(network.encode(text)) == len(network.encode(first))
        assert text.split()[1] in fixes.kind_of("nurse") and text.split()[1] != "nurse"
    assert len(offers) == fixes.MOST
    offers[0].click().run()
    assert "The prompts have" not in told(at)


@pytest.mark.parametrize("noise", [False, True])
def test_the_opening_prompts_end_with_a_blank_for_bert(noise):
    at = run(model="bert", noise=noise)
    assert "There is no" not in told(at) and len(sent(at, "patch_map")) == 1
    assert "Write [MASK]" in told(run(model="bert", first="The key was"))


def test_every_part_of_a_layer_is_in_the_wall_and_one_leads_to_other_pages():
    at = finished(**KEYS, view="parts")
    (data,) = sent(at, "patch_map")
    network = model("bert")
    patched = patching.patch_heads(network, patching.contrast(network, KEYS["first"], KEYS["second"]))
    wall = torch.tensor(data["share"])
    torch.testing.assert_close(wall[:, :-1], patched.share, atol=1e-3, rtol=0)
    torch.testing.assert_close(wall[:, -1], patched.mlp, atol=1e-3, rtol=0)
    (list_,) = sent(at, "ranking")
    values = [row["value"] for row in list_["rows"]]
    assert sorted(map(abs, values), reverse=True) == list(map(abs, values)) and list_["rows"][0]["chosen"]


def test_the_wall_is_empty_before_its_layers_are_computed():
    (data,) = sent(run(**KEYS, view="parts"), "patch_map")
    assert {value for row in data["share"] for value in row} == {None} and data["run"] > 0


def test_the_fewest_heads_that_suffice_are_named_beside_random_ones():
    says = told(finished(**KEYS, view="parts", together=True))
    assert "at random" in says


def test_the_parts_of_the_answer_add_up_to_its_logit():
    at = run(**KEYS, view="writes")
    network = model("bert")
    pair = patching.contrast(network, KEYS["first"], KEYS["second"])
    result = patching.direct_logits_of(network, pair)
    says = told(at)
    assert f"is {pair.high:.3f}" in says.replace("−", "-")
    shown = printed_result(at)
    assert shown["logit"] == pytest.approx(sum(shown.values()) - shown["logit"], abs=0.02)
    assert shown["rest"] == pytest.approx(result.rest, abs=1e-3)


def test_a_class_reads_both_prompts_and_sees_which_layer_adds_most():
    at = run(**KEYS, view="writes", present="1")
    pair = patching.contrast(model("bert"), KEYS["first"], KEYS["second"])
    assert f"{pair.first.text} → {pair.words[0]} · {pair.second.text} → {pair.words[1]}" in told(at)
    result = patching.direct_logits_of(model("bert"), pair)
    (outline,) = writes.figure(result, theme.LIGHT, "lead").layout.shapes
    layer = int(result.by_layer().abs().argmax())
    assert outline.x0 < layer + 1 < outline.x1
    assert outline.y1 - outline.y0 == pytest.approx(float(result.by_layer()[layer]), abs=1e-4)
    (list_,) = sent(at, "ranking")
    values = [row["value"] for row in list_["rows"]]
    assert values == sorted(values, reverse=True) and not any("MLP" in row["name"] for row in list_["rows"])


def test_a_measure_of_probability_keeps_0_and_1():
    (data,) = sent(finished(**KEYS, probability=True, answer="are", instead="is"), "patch_map")
    assert data["share"][-1][KEYS["first"].split().index("[MASK]") + 1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "other", "offer"),
    [
        ("Big Ben is in", "The Colosseum is in", "The Louvre is in"),  # the article comes with the name
        ("I saw the Louvre, twice", "I saw the Statue of Liberty, twice", "I saw the Colosseum, twice"),
        ("Shakira lives in", "Taylor Swift lives in", "Adele lives in"),
    ],
)
def test_a_name_is_offered_of_the_kind_that_was_typed(text, other, offer):
    assert offer in list(fixes.alike(text, other))


def test_no_name_is_offered_of_an_unknown_kind():
    assert list(fixes.alike("The xylophone lost", "The keys lost")) == ["The xylophone lost"]


STEERED = {"model": "gpt", "view": "steer", "toward": "A sunny day.\n\nWe danced.", "away": "A sad day."}


def test_five_strengths_continue_one_beginning():
    """That of 0 is the text that the model writes by itself; all are those of the printed lines."""
    at = run(**STEERED, dial=2)
    if (rows := at.session_state[steer.RUN]) is not None:
        rows.extend(600.0)
        at.run()
        assert not at.exception
    texts = printed_result(at)
    assert list(texts) == [-2, -1, 0, 1, 2] and len({*texts.values()}) > 2
    plain = generate(model("gpt"), steer.BEGINNING.default, Sampling(**steer.SAMPLING, seed=1))
    assert texts[0] == "".join(step.text for step in plain)
    says = unescape(re.sub("<[^>]*>", "", said(at))).replace(" ↵ ", "\n")
    assert not [text for text in texts.values() if text not in says]
    at.session_state[steer.CURVES] = True
    (chart,) = at.run().get("plotly_chart")
    gains = json.loads(chart.proto.spec)["data"][:2]
    assert [line["x"][5] for line in gains] == [0.0, 0.0] and gains[0]["y"][1] > gains[0]["y"][-2]
    assert gains[1]["y"][1] < gains[1]["y"][-2], "either list's words are likelier on its own side"


def test_a_layer_that_a_smaller_model_lacks_gives_way_to_a_third_of_its_own():
    at = run(**STEERED, depth=10)
    for _ in range(2):
        assert at.slider(key="why.depth").value == 2
        at.run()


def test_an_empty_list_says_what_is_missing():
    assert "A list is empty." in told(run(**STEERED | {"away": " \n"}))


def test_bert_guesses_a_gap_at_five_strengths():
    """That of 0 is what it guesses by itself; all are those of the printed lines."""
    at = run(**STEERED | {"model": "bert"}, beginning="It was")
    lists, text = printed_result(at), said(at)
    plain = fill.top(model("bert"), fill.blanks(model("bert"), "It was [MASK]."), k=7)
    assert lists[0] == {one.token: round(one.probability, 4) for one in plain}
    assert list(lists) == [-3, -1.5, 0, 1.5, 3] and lists[3] != lists[0] != lists[-3]
    assert not [word for words in lists.values() for word in words if f">{word.strip()}<" not in text]


def test_a_text_can_begin_with_nothing():
    assert not run(view="steer", model="gpt", beginning="").error
