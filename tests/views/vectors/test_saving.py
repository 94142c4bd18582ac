"""What each view of the page Word vectors saves: a picture, and the numbers that stand on the screen."""

import pytest
import torch

import explorer
from explorer.analysis import vectors
from explorer.views.frame import order
from explorer.views.frame.saving.saved_view import LABEL
from explorer.views.frame.saving.saving import Export, Picture
from explorer.views.look import blocklist
from explorer.views.look.blocklist import DOTS
from explorer.views.vectors import training_session
from explorer.views.vectors.page import VIEWS
from tests.views.opening import opened, rows, sent


@pytest.fixture
def offered(monkeypatch) -> list:
    """What the page offered to save."""
    kept: list = []

    def offer(settings, *what) -> None:
        kept.extend(what)

    monkeypatch.setattr(order, "offer", offer)
    return kept


def saved_rows(offered: list, label: str) -> list[dict]:
    export = next(one for one in offered if isinstance(one, Export) and one.label == label)
    return rows(export.make())


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_offers_a_picture_and_numbers(tiny, offered, view):
    opened("vectors", model=tiny, view=view, b="prince", c="princess")
    assert isinstance(offered[0], Picture) and any(isinstance(one, Export) for one in offered)


def test_the_neighbours(tiny, offered):
    opened("vectors", view="neighbours", model=tiny)
    found = vectors.nearest(vectors.of(explorer.load(tiny)), "king", 12)
    saved = saved_rows(offered, "Nearest words")
    assert [row["word"] for row in saved] == [n.word for n in found]
    assert [float(row["cosine"]) for row in saved] == pytest.approx([n.cosine for n in found], rel=1e-5)


def test_a_blocked_word_is_saved_as_it_is_shown(offered, monkeypatch):
    found = vectors.nearest(vectors.of(explorer.load("word2vec")), "king", 12)
    monkeypatch.setattr(blocklist, "listed", lambda: frozenset([found[2].word]))
    opened("vectors", view="neighbours")
    assert [row["word"] for row in saved_rows(offered, "Nearest words")][2] == DOTS


def test_the_analogy_and_its_plane(tiny, offered):
    at = opened("vectors", model=tiny, view="analogies", b="prince", c="princess", asked=True)
    saved, drawn = saved_rows(offered, "Nearest words"), sent(at, "bars")[0]["rows"]
    assert [row["word"] for row in saved] == [row["token"] for row in drawn]
    places = saved_rows(offered, "Places on the plane")
    assert places[-1]["word"] == "king − prince + princess" and len(places) == 5
    point = {row["word"]: torch.tensor([float(row["x"]), float(row["y"])]) for row in places}
    torch.testing.assert_close(
        point["king"] - point["prince"], point[places[-1]["word"]] - point["princess"], atol=1e-4, rtol=0
    )


def test_the_map(tiny, offered):
    at = opened("vectors", model=tiny, view="map", words="a: king rain\nb: snow")
    data, saved = sent(at, "word_map")[0], saved_rows(offered, "Coordinates")
    assert [(row["word"], row["group"]) for row in saved] == [("king", "a"), ("rain", "a"), ("snow", "b")]
    flat = [float(row[axis]) for row in saved for axis in ("x", "y")]
    assert flat == pytest.approx(data["points"], abs=1e-5)


def test_one_hot_and_dense(tiny, offered):
    at = opened("vectors", model=tiny, view="one-hot", few="king rain")
    data, saved = sent(at, "one_hot")[0], saved_rows(offered, "Vectors")
    places = {row["word"]: row["place"] for row in data["sparse"]["rows"] if "word" in row}
    assert {row["word"]: f"{int(row['place of the 1']):,}" for row in saved} == places
    numbers = [float(saved[0][str(n)]) for n in range(1, 14)]
    assert numbers == pytest.approx(data["dense"]["columns"][0], abs=1e-4)
    (pair,) = saved_rows(offered, "Cosines")
    assert (pair["word"], pair["other word"], float(pair["cosine, one-hot"])) == ("king", "rain", 0)
    assert float(pair["cosine, dense"]) == pytest.approx(data["dense"]["cosines"][0][1], abs=1e-4)


def test_a_training_is_saved_as_far_as_it_is_when_it_is_asked_for(offered):
    at = opened("vectors", view="train", dimensions=7)
    assert saved_rows(offered, "Loss of each step") == []
    session = at.session_state[training_session.RUN]
    session.going = True
    session.extend()
    losses = saved_rows(offered, "Loss of each step")
    assert [(int(row["step"]), float(row["loss in nats"])) for row in losses] == [
        (step, pytest.approx(loss, rel=1e-5)) for step, loss in session.done
    ]
    saved = saved_rows(offered, "Vectors so far")
    assert [row["word"] for row in saved] == list(session.vectors.words)
    last = [float(saved[-1][str(n)]) for n in range(1, 8)]
    assert last == pytest.approx(session.vectors.matrix[-1].tolist(), rel=1e-5)


def test_what_cannot_be_drawn_offers_what_it_says_alone(tiny, offered):
    opened("vectors", model=tiny, view="train", text="too short")
    assert [one.label for one in offered] == [LABEL]
