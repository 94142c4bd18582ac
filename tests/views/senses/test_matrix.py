"""The matrix: what is sent to the picture, the baseline, the orders."""

from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from explorer.analysis import senses
from explorer.analysis.senses import seriation
from explorer.server import memory
from explorer.views.frame.presets import presets
from explorer.views.senses import by_model
from explorer.views.senses.matrix import MOST
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.settings.settings import Settings
from tests.views import opening
from tests.views.opening import defaults, page_settings

DEFAULTS, ALL = defaults("senses"), presets("senses")

run = partial(opening.opened, "senses", view="map", shown="matrix")


def sent(at: AppTest) -> dict:
    return opening.sent(at, "cosine_matrix")[0]


def opened() -> tuple[Settings, WordOccurrences]:
    """What a preset shows: its settings, and the occurrences."""
    settings = page_settings(
        "senses",
        **DEFAULTS | {"own": False} | next(one.values for one in ALL if one.values.get("shown") == "matrix"),
    )
    return settings, by_model.read(settings, memory.get(settings["model"]))


def test_every_pair_is_sent_once_and_groups_stand_apart():
    at = run(layer=3)
    data = sent(at)
    _settings, occurrences = opened()
    expected = senses.cosine_matrix(occurrences.matches, 3)
    n = len(data["rows"])
    assert n == 13 and len(data["cosines"]) == len(data["shades"]) == n * (n - 1) // 2
    k = 0
    for i in range(n):
        for j in range(i):
            assert data["cosines"][k] == pytest.approx(1000 * float(expected[i, j]), abs=0.6)
            k += 1
    assert [(g["name"], g["size"]) for g in data["groups"]] == [
        ("money", 4),
        ("river", 4),
        ("blood", 4),
        ("?", 1),
    ]
    assert sorted(data["order"]) == list(range(n)) and data["itself"] == pytest.approx(1)
    assert min(data["shades"]) >= 0, "the palest is the lowest of any layer"


def test_the_baseline_is_that_of_random_words():
    plain, less = sent(run(layer=2, model="gpt")), sent(run(layer=2, model="gpt", baseline=True))
    drawn = float(by_model.random_words(memory.get("gpt")).similarity[2])
    assert plain["baseline"] is None and less["baseline"] == pytest.approx(drawn)
    assert plain["cosines"] == less["cosines"] and plain["shades"] != less["shades"]
    assert f"subtracted: {drawn:.2f}" in less["summary"] and "subtracted" not in plain["summary"]


def test_an_order_by_likeness_has_no_groups():
    at = run()
    at.segmented_control(key="senses.order").set_value("likeness").run()
    data = sent(at)
    _, occurrences = opened()
    assert data["groups"] == [] and data["order"] == seriation.order_by_similarity(
        senses.cosine_matrix(occurrences.matches, 6)
    )
    assert "Cosines · CSV" in [button.label for button in at.get("download_button")]


@pytest.mark.parametrize(
    "settings",
    [
        {"layer": -1},
        {"layer": 99, "order": "nonsense"},
        {"text": "A bank."},
        {"text": "A bank.\nThe bank.", "order": "likeness"},
        {"model": "word2vec", "baseline": True, "order": "likeness"},
        {"text": "A bank </script><b>x</b> 🛶. #river\n東京 bank. #money"},
    ],
)
def test_whatever_a_link_brings_makes_a_picture(settings):
    data = sent(run(**settings))
    assert sorted(data["order"]) == list(range(len(data["rows"]))) and 0 <= data["layer"] <= data["last"]


@pytest.mark.slow
def test_of_many_some_of_each_sense_are_shown():
    text = "\n".join(f"The bank stood {i} miles away. #{'money' if i % 4 else 'river'}" for i in range(200))
    data = sent(run(text=text))
    assert len(data["rows"]) == MOST and f"{MOST} of 200 occurrences" in data["summary"]
    assert {g["name"]: g["size"] for g in data["groups"]} == {"money": MOST * 3 // 4, "river": MOST // 4}
