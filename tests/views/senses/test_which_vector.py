"""Which vector: the desk, the ways and their figures, and what the presets promise."""

import contextlib
import io
import json
from functools import partial

import pytest
import torch
from streamlit.testing.v1 import AppTest

from explorer.analysis.senses import pooling
from explorer.views.frame.settings import Settings
from explorer.views.senses import by_model, which_vector
from explorer.views.senses.presets import DEFAULTS
from explorer.views.senses.vector_choice import GAMMA, curve, f1, made, plane, way
from explorer.views.senses.which_vector import PRESETS
from tests.views import opening

run = partial(opening.opened, "senses", view="which")


def sent(at: AppTest, name: str) -> dict:
    """What a component of the page has been given."""
    found = [c.proto.json for c in at.get("bidi_component") if c.proto.component_name == f"riverbank_{name}"]
    return json.loads(found[0])


def rows(at: AppTest) -> dict[str, dict]:
    return {row["name"]: row for row in sent(at, "choices")["rows"]}


def test_six_ways_each_with_its_figure():
    at = run()
    assert list(rows(at)) == ["embedding", "second", "last", "sum4", "concat4", "sum"]
    assert [name for name, row in rows(at).items() if row["chosen"]] == ["last"]
    occurrences = by_model.read(Settings("senses", **DEFAULTS, own=False), "bert")
    assert rows(at)["last"]["number"] == f"{occurrences.separation.macro_f1[6]:.2f}"
    assert rows(at)["embedding"]["number"] == f"{occurrences.separation.macro_f1[0]:.2f}"
    desk = sent(at, "mixer")
    assert [layer["taken"] for layer in desk["layers"]] == [False] * 6 + [True]
    assert not desk["adjustable"] and desk["gamma"] is None
    assert f"Macro-F1 {rows(at)['last']['number']}" in sent(at, "sense_map")["says"][0]
    assert "Coordinates of this vector · CSV" in [button.label for button in at.get("download_button")]


@pytest.mark.parametrize(("vector", "taken"), [("sum", 6), ("sum4", 4)])
def test_a_sum_is_mixed_at_the_desk(vector, taken):
    even = run(vector=vector)
    desk = sent(even, "mixer")
    assert (
        desk["adjustable"] and [layer["weight"] for layer in desk["layers"] if layer["taken"]] == [50] * taken
    )
    alone = run(vector=vector, weights={vector: [0] * (taken - 1) + [80]})
    assert sent(alone, "sense_map")["frames"] != sent(even, "sense_map")["frames"]
    assert sent(alone, "sense_map")["frames"] == sent(run(vector="last"), "sense_map")["frames"]
    assert rows(alone)[vector]["number"] == rows(alone)["last"]["number"]
    none = run(vector=vector, weights={vector: [0] * taken})
    assert "there is no vector" in sent(none, "sense_map")["says"][0]


def test_word2vec_has_nothing_to_choose():
    at = run(model="word2vec")
    assert len({row["number"] for row in rows(at).values()}) == 1 and not sent(at, "mixer")["adjustable"]
    assert any("each way leads to the same one" in part.proto.body for part in at.get("html"))


def test_elmo_has_a_desk_of_its_own():
    at = run(model="elmo", vector="concat4", gamma=0.5)
    desk = sent(at, "mixer")
    assert [layer["name"] for layer in desk["layers"]] == ["s₀", "s₁", "s₂"] and desk["adjustable"]
    assert desk["gamma"]["value"] == 0.5
    assert [row["text"] for row in rows(at).values()][-1] == "All alike" and len(rows(at)) == 4
    moved = run(model="elmo", weights={"mix": [10, 80, 30]})
    assert [row["text"] for row in rows(moved).values() if row["chosen"]] == ["As the faders stand"]
    small, full = sent(at, "sense_map"), sent(run(model="elmo"), "sense_map")
    half, whole = (torch.tensor(map["frames"][0]).float() for map in (small, full))
    torch.testing.assert_close(half, whole / 2, atol=1.0, rtol=0)
    assert small["extent"] == full["extent"], "the scale stays: what shrinks looks smaller"
    said = [map["says"] for map in (small, full)]
    assert said[0] == said[1], "no cosine changes"


@pytest.mark.parametrize(
    "settings",
    [
        {"vector": "nonsense"},
        {"vector": "sum", "weights": {"sum": [1, 2]}},
        {"vector": "sum", "weights": {"sum": ["x"] * 6, "sum4": 3}},
        {"vector": "sum", "weights": {"sum": [-5, 0, 0, 0, 0, 1000]}},
        {"model": "word2vec"},
        {"model": "gpt", "vector": "concat4"},
        {"model": "elmo", "gamma": 99.0},
        {"text": "A bank.\nThe bank was old."},
        {"locked": "4:The bank lent my sister the money for her first bakery."},
    ],
)
def test_whatever_a_link_brings_makes_a_picture(settings):
    at = run(**settings)
    map = sent(at, "sense_map")
    assert len(map["frames"][0]) == 2 * len(map["dots"]) and len(map["stops"]) == 1
    desk = sent(at, "mixer")
    assert all(0 <= layer["weight"] <= 100 for layer in desk["layers"])
    assert desk["gamma"] is None or GAMMA[0] <= desk["gamma"]["value"] <= GAMMA[1]


@pytest.mark.parametrize(
    "settings", [{"vector": "sum4"}, {"vector": "concat4"}, {"model": "elmo", "gamma": 0.7}]
)
def test_the_code_that_is_shown_runs(settings):
    text = "A bank lent money. #a\nThe bank lends. #a\nOld bank of mud. #b\nWet bank. #b"
    values = Settings(
        "senses", **{**DEFAULTS, **which_vector.DEFAULTS, "own": False, "text": text, **settings}
    )
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(which_vector.code(values), "shown", "exec"), {})
    occurrences = by_model.read(values, values["model"])
    one = made(values, occurrences, way(values))
    assert f"{float(curve(one.key, one).silhouette[0]):.4f}" in out.getvalue()


def opened(number: int) -> tuple:
    """What a preset shows: the look, and its settings."""
    values = DEFAULTS | which_vector.DEFAULTS | {"own": False} | PRESETS[number].values
    settings = Settings("senses", **values)
    return settings, by_model.read(settings, values["model"])


def reached(settings: Settings, occurrences, name: str) -> float:
    one = made(settings, occurrences, name)
    assert f1(one.key, one) == float(curve(one.key, one).macro_f1[0])
    return f1(one.key, one)


def test_the_embedding_has_no_sense_yet():
    settings, occurrences = opened(0)
    assert reached(settings, occurrences, "embedding") < 0.5 < reached(settings, occurrences, "last") - 0.2


def test_four_vectors_are_one():
    settings, occurrences = opened(1)
    one = made(settings, occurrences, "concat4")
    assert one.found.vectors.shape[2] == 4 * occurrences.found.vectors.shape[2]
    assert reached(settings, occurrences, "concat4") > reached(settings, occurrences, "embedding")


def test_elmos_lowest_layer_draws_the_dots_together():
    settings, occurrences = opened(2)
    assert pooling.shares(settings["weights"]["mix"])[0] > 0.8
    even = Settings("senses", **DEFAULTS | which_vector.DEFAULTS | {"own": False, "model": "elmo"})
    spread = [
        plane(occurrences, made(s, occurrences, "mix"), 1.0)[0].norm(dim=1).mean() for s in (settings, even)
    ]
    assert float(spread[0]) < 0.75 * float(spread[1])
