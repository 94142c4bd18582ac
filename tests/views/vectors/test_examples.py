"""What “Show the code” prints runs as it stands, and gives what the page has drawn."""

from html import escape

import pytest

from explorer.views.frame.presets import presets
from explorer.views.vectors import training_session
from explorer.views.vectors.page import VIEWS
from tests.views.opening import links, opened, printed_result, said, sent

ALL = presets("vectors")
DOTS = [preset for preset in ALL if preset.values.get("projection") != "ratio"]  # that is of counts


def of_view(view: str, *more: dict, choices=ALL):
    """The links of a view as it opens, of its presets, and some more."""
    own = [preset for preset in choices if preset.values["view"] == view]
    return pytest.mark.parametrize("link", links(own, *more), ids=str)


def test_every_view_has_a_preset():
    assert {preset.values["view"] for preset in ALL} == set(VIEWS)


def numbers(rows: list[dict]) -> list[tuple[str, float]]:
    """The words and cosines of bars, as they are drawn."""
    return [(row["token"], float(row["number"].replace("−", "-"))) for row in rows]


def rounded(result: list[tuple[str, float]]) -> list[tuple[str, float]]:
    return [(word, float(f"{cosine:.2f}")) for word, cosine in result]


@of_view("neighbours", {"word": " Rain "})
def test_neighbours_gives_the_bars(link):
    at = opened("vectors", **{"view": "neighbours"} | link)
    assert rounded(printed_result(at)) == numbers(sent(at, "bars")[0]["rows"])


@of_view("analogies")
def test_analogies_gives_the_bars(link):
    at = opened("vectors", **{"view": "analogies"} | link)
    assert rounded(printed_result(at)) == numbers(sent(at, "bars")[0]["rows"])


@of_view(
    *("map", {"of": "frequent"}, {"of": "frequent", "projection": "axes"}, {"words": "King queen\nrain"}),
    choices=DOTS,
)
def test_map_gives_the_places_of_the_dots(link):
    at = opened("vectors", **{"view": "map"} | link)
    data, result = sent(at, "word_map")[0], printed_result(at)
    places = dict(zip((dot["id"] for dot in data["dots"]), zip(data["points"][::2], data["points"][1::2])))
    assert set(result) == set(places)
    for word, place in result.items():
        assert tuple(place) == pytest.approx(places[word], abs=1e-4)


@of_view("one-hot", {"few": "King, rain one two three four"})
def test_one_hot_gives_the_places_and_the_cosines(link):
    at = opened("vectors", **{"view": "one-hot"} | link)
    data, result = sent(at, "one_hot")[0], printed_result(at)
    places = {row["word"]: row["place"] for row in data["sparse"]["rows"] if "word" in row}
    shown = {word.lower(): f"{place:,}" for word, place in result["place of the 1"].items()}
    assert shown == places
    for row, drawn in zip(result["cosines"], data["dense"]["cosines"], strict=True):
        assert row == pytest.approx(drawn, abs=1e-4)


@pytest.mark.slow
@of_view("train", {"method": "cbow", "text": "one two three four five six. " * 20, "seed": 4})
def test_train_gives_the_losses_of_the_training(link):
    at = opened("vectors", **{"view": "train"} | link)
    result = printed_result(at)
    session = at.session_state[training_session.RUN]
    session.going = True
    while session.going:
        session.extend()
    losses = dict(session.done)
    assert result["losses"] and all(losses.get(step) == loss for step, loss in result["losses"])
    assert result["losses"][-1][0] > session.training.steps - 100


@of_view("map", {"projection": "ratio", "pair": "bread rain"})
def test_counts_give_what_is_drawn(link):
    at = opened("vectors", **{"view": "map", "projection": "ratio"} | link)
    result, drawn = printed_result(at), said(at)
    if link.get("projection") == "ratio":
        assert all(f"<b>{word}</b>" in drawn for word, *_ in result)


@of_view("fasttext", {"spelt": "blorping"})
def test_fasttext_gives_what_is_drawn(link):
    at = opened("vectors", **{"view": "fasttext"} | link)
    result, drawn = printed_result(at), said(at)
    assert all(escape(piece) in drawn for piece in result["pieces"])
    (bars,) = sent(at, "bars")
    assert [row["token"] for row in bars["rows"]] == [word for word, _, _ in result["words"]]
