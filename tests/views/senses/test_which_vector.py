"""Which vector: the faders, the choices and their figures, and what the presets promise."""

from functools import partial

import pytest
import torch
from streamlit.testing.v1 import AppTest

from explorer.analysis.senses import pooling
from explorer.views.frame import memory
from explorer.views.frame.settings import Settings
from explorer.views.senses import by_model
from explorer.views.senses.curves import curve
from explorer.views.senses.vector_choice import GAMMA_RANGE, f1, map_of, with_vector
from explorer.views.senses.which_vector import VIEW
from tests.views import opening
from tests.views.opening import defaults, page_settings
from tests.views.senses.test_page import sent

DEFAULTS = defaults("senses")

run = partial(opening.opened, "senses", view="which")


def rows(at: AppTest) -> dict[str, dict]:
    return {row["name"]: row for row in sent(at, "choices")["rows"]}


def test_six_choices_each_with_its_figure():
    at = run()
    assert list(rows(at)) == ["embedding", "second", "last", "sum4", "concat4", "sum"]
    assert [name for name, row in rows(at).items() if row["chosen"]] == ["last"]
    occurrences = by_model.read(
        page_settings("senses", **DEFAULTS | {"own": False, "corpus": ""}), memory.get("bert")
    )
    assert rows(at)["last"]["number"] == f"{occurrences.separation.macro_f1[6]:.2f}"
    assert rows(at)["embedding"]["number"] == f"{occurrences.separation.macro_f1[0]:.2f}"
    mixer = sent(at, "mixer")
    assert [layer["in_use"] for layer in mixer["layers"]] == [False] * 6 + [True]
    assert not mixer["adjustable"] and mixer["gamma"] is None
    assert f"Macro-F1 {rows(at)['last']['number']}" in sent(at, "sense_map")["lines"][0]
    assert "Coordinates of this vector · CSV" in [button.label for button in at.get("download_button")]


@pytest.mark.parametrize(("vector", "taken"), [("sum", 6), ("sum4", 4)])
def test_a_sum_is_mixed_by_faders(vector, taken):
    even = run(vector=vector)
    mixer = sent(even, "mixer")
    assert (
        mixer["adjustable"]
        and [layer["weight"] for layer in mixer["layers"] if layer["in_use"]] == [50] * taken
    )
    alone = run(vector=vector, weights={vector: [0] * (taken - 1) + [80]})
    assert sent(alone, "sense_map")["frames"] != sent(even, "sense_map")["frames"]
    assert sent(alone, "sense_map")["frames"] == sent(run(vector="last"), "sense_map")["frames"]
    assert rows(alone)[vector]["number"] == rows(alone)["last"]["number"]
    none = run(vector=vector, weights={vector: [0] * taken})
    assert "there is no vector" in sent(none, "sense_map")["lines"][0]


def test_word2vec_has_nothing_to_choose():
    at = run(model="word2vec")
    assert len({row["number"] for row in rows(at).values()}) == 1 and not sent(at, "mixer")["adjustable"]
    assert any("all six choices give the same vector" in part.proto.body for part in at.get("html"))


def test_elmo_has_faders_of_its_own():
    at = run(model="elmo", vector="concat4", gamma=0.5)
    mixer = sent(at, "mixer")
    assert [layer["name"] for layer in mixer["layers"]] == ["s₀", "s₁", "s₂"] and mixer["adjustable"]
    assert mixer["gamma"]["value"] == 0.5
    assert [row["text"] for row in rows(at).values()][-1] == "All alike" and len(rows(at)) == 4
    moved = run(model="elmo", weights={"mix": [10, 80, 30]})
    assert [row["text"] for row in rows(moved).values() if row["chosen"]] == ["Your mix"]
    small, full = sent(at, "sense_map"), sent(run(model="elmo"), "sense_map")
    half, whole = (torch.tensor(map["frames"][0]).float() for map in (small, full))
    torch.testing.assert_close(half, whole / 2, atol=1.0, rtol=0)
    assert small["extent"] == full["extent"], "the scale stays: what shrinks looks smaller"
    said = [map["lines"] for map in (small, full)]
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
    mixer = sent(at, "mixer")
    assert all(0 <= layer["weight"] <= 100 for layer in mixer["layers"])
    assert mixer["gamma"] is None or GAMMA_RANGE[0] <= mixer["gamma"]["value"] <= GAMMA_RANGE[1]


def opened(number: int) -> tuple:
    """What a preset shows: its settings, and the occurrences."""
    values = DEFAULTS | {"own": False, "corpus": ""} | VIEW.presets[number].values
    settings = page_settings("senses", **values)
    return settings, by_model.read(settings, memory.get(values["model"]))


def reached(settings: Settings, occurrences, name: str) -> float:
    one = with_vector(settings, occurrences, name)
    assert f1(one.key, one) == float(curve(one.key, one).macro_f1[0])
    return f1(one.key, one)


def test_the_embedding_has_no_sense_yet():
    settings, occurrences = opened(0)
    assert reached(settings, occurrences, "embedding") < 0.5 < reached(settings, occurrences, "last") - 0.2


def test_four_vectors_are_one():
    settings, occurrences = opened(1)
    one = with_vector(settings, occurrences, "concat4")
    assert one.matches.vectors.shape[2] == 4 * occurrences.matches.vectors.shape[2]
    assert reached(settings, occurrences, "concat4") > reached(settings, occurrences, "embedding")


def test_elmos_lowest_layer_draws_the_dots_together():
    settings, occurrences = opened(2)
    assert pooling.normalise(settings["weights"]["mix"])[0] > 0.8
    even = page_settings("senses", **DEFAULTS | {"own": False, "corpus": "", "model": "elmo"})
    spread = [
        map_of(occurrences, with_vector(s, occurrences, "mix"), 1.0)[0].norm(dim=1).mean()
        for s in (settings, even)
    ]
    assert float(spread[0]) < 0.75 * float(spread[1])
