"""The word vectors page: every view runs, says what is wrong, and its parts do what they say."""

import math
from functools import partial

import pytest
import torch

import explorer
from explorer.analysis import vectors
from explorer.views.vectors import training_session
from tests.views import opening
from tests.views.opening import sent, told

HOSTILE = "</script><b>x</b>"


run = partial(opening.opened, "vectors")


def test_an_address_without_a_view_opens_one_hot(tiny):
    assert run(model=tiny).segmented_control[0].value == "one-hot"
    bare = run()
    assert bare.segmented_control[0].value == "one-hot" and not bare.query_params


def test_a_new_word_is_offered_to_the_methods_that_read_it(tiny):
    at = run(model=tiny, view="neighbours", word="lmao")
    at.button(key="vectors/to-fasttext").click().run()
    assert at.segmented_control[0].value == "fasttext" and at.query_params["spelt"] == "lmao"
    known = run(model=tiny, view="neighbours", word="rain")
    assert "vectors/to-fasttext" not in [button.key for button in known.button]


def test_a_change_of_an_analogy_says_where_the_arrow_ends(tiny):
    at = run(model=tiny, view="analogies", a="rain", b="prince", c="princess")
    assert "“rain”, the step from “prince” to “princess” ends near" in told(at)


def test_own_axes_open_with_words_that_lean_to_their_ends(tiny):
    at = run(model=tiny, view="map", projection="axes", left="king", right="queen", down="rain", up="sun")
    assert "words" not in at.query_params, "the typed words stay what they were"
    own = run(view="map", projection="axes")
    assert {"doctor", "joy"} <= {dot["id"] for dot in sent(own, "word_map")[0]["dots"]}


def test_a_neighbour_has_its_whole_number_in_its_tip_and_the_words_before_stand_above(tiny):
    at = run(model=tiny, view="neighbours", word="King", trail=["rain", 3])
    (nearest,) = vectors.nearest(vectors.of(explorer.load(tiny)), "king", 1)
    assert sent(at, "bars")[0]["rows"][0]["tip"] == f"cosine {nearest.cosine:.6f}"
    assert [token["text"] for token in sent(at, "token_strip")[0]["tokens"]] == ["rain"]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"word": "quenn"}, "Did you mean “queen”?"),
        ({"word": HOSTILE}, f"“{HOSTILE}” is not among the"),
        ({"word": " "}, "There is no word"),
        ({"view": "analogies", "b": "spaceship"}, "“spaceship” is not among"),
        ({"view": "map", "words": "spaceship rocket"}, "None of these words has a vector"),
        ({"view": "map", "words": ""}, "None of these words has a vector"),
        ({"view": "map", "projection": "axes", "left": "rocket"}, "“rocket” is not among"),
        ({"view": "map", "projection": "axes", "left": "king", "right": "King"}, "begins and ends"),
        ({"view": "one-hot", "few": " , "}, "There are no words"),
        ({"view": "one-hot", "few": "king rocket"}, "“rocket” is not among"),
        ({"view": "train", "text": "too short"}, "different words"),
        ({"view": "train", "text": "word " * 5000}, "at most 20,000"),
    ],
)
def test_what_cannot_be_drawn_is_said_and_the_page_goes_on(tiny, settings, says):
    words = {"b": "prince", "c": "princess", "down": "snow", "up": "sun"}
    at = run(**({"model": tiny, "view": "neighbours"} | words | settings))
    assert any(says in line.value for line in at.text), [line.value for line in at.text]
    assert [b for b in at.button if "/preset/" in (b.key or "")], "the presets are still there"


def test_the_arrows_of_an_analogy_close(tiny):
    at = run(model=tiny, view="analogies", b="prince", c="princess")
    data = sent(at, "word_map")[0]
    flat = torch.tensor(data["points"]).view(-1, 2)
    at_ = {dot["id"]: flat[i] for i, dot in enumerate(data["dots"])}
    steps = [(a["from"], a["to"]) for a in data["arrows"] if a["kind"] == "step"]
    one, other = (at_[to] - at_[start] for start, to in steps)
    torch.testing.assert_close(one, other, atol=1e-4, rtol=0)
    assert steps[0] == ("prince", "king") and steps[1][0] == "princess"


def test_the_ranking_can_hold_the_question(tiny):
    words = {"king", "prince", "princess"}
    without, with_ = (
        sent(run(model=tiny, view="analogies", b="prince", c="princess", asked=asked), "bars")[0]["rows"]
        for asked in (False, True)
    )
    assert words.isdisjoint(row["token"] for row in without)
    known = vectors.of(explorer.load(tiny))
    found = vectors.analogy(known, "king", "prince", "princess").everything
    assert [row["token"] for row in with_] == [n.word for n in found]
    assert [row["state"] == "highlight" for row in with_] == [n.in_query for n in found]


def test_a_question_of_one_word_is_drawn(tiny):
    at = run(model=tiny, view="analogies", a="king", b="king", c="king")
    assert len(sent(at, "word_map")[0]["dots"]) == 3, "the word, the answer, the ring"


@pytest.mark.parametrize("projection", ["pca", "tsne", "axes"])
def test_the_map_of_chosen_words(tiny, projection):
    words = "a: king, queen rocket\nb: rain snow wind\nking"
    ends = {"left": "king", "right": "queen", "down": "rain", "up": "sun"}
    at = run(model=tiny, view="map", projection=projection, words=words, locked="rain", **ends)
    data = sent(at, "word_map")[0]
    marks = {"king": 0, "queen": 0, "rain": 1, "snow": 1, "wind": 1}
    assert [(dot["id"], dot["mark"]) for dot in data["dots"]] == [*marks.items()]
    assert data["legend"] == [[0, "a"], [1, "b"]] and "No vector for rocket." in told(at)
    assert len(data["near"]) == 6 and "Nearest to <b>rain</b>" in told(at)
    assert all(math.isfinite(p) for p in data["points"]) and data["dots"][0]["tip"].startswith("a\nnearest: ")
    if projection == "axes":
        assert data["axes"] == [["king", "queen"], ["rain", "sun"]]
        assert data["points"][0] == pytest.approx(-1, abs=1e-4) == -data["points"][2]


def test_the_map_of_the_most_frequent(tiny):
    data = sent(run(model=tiny, view="map", of="frequent"), "word_map")[0]
    assert data["small"] and {dot["mark"] for dot in data["dots"]} == {-1} and data["legend"] == []
    known = vectors.of(explorer.load(tiny))
    assert {dot["id"] for dot in data["dots"]} == {w for w in known.words if len(w) > 1}


def test_umap_is_not_waited_for(tiny, monkeypatch):
    monkeypatch.setattr("explorer.analysis.projection.umap_ready", lambda: False)
    assert "Until then you see PCA" in told(run(model=tiny, view="map", projection="umap"))


def test_one_hot_columns_are_strangers(tiny):
    data = sent(run(model=tiny, view="one-hot", few="rain king, King soup"), "one_hot")[0]
    known = vectors.of(explorer.load(tiny))
    assert data["words"] == sorted(["rain", "king", "soup"], key=known.id)
    ones = [row["cells"] for row in data["sparse"]["rows"] if "cells" in row]
    assert ones == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    between = [int(r["text"].split()[1].replace(",", "")) for r in data["sparse"]["rows"] if "text" in r]
    assert sum(between) + 3 == len(known)
    assert data["sparse"]["cosines"] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_training_waits_for_its_button_and_can_be_changed():
    at = run(view="train", dimensions=999, window=-3, method="nonsense", seed=-1)
    data = sent(at, "train_row")[0]
    assert (data["at"], data["going"], data["button"]) == (0, False, "Train")
    (loss,) = data["curves"]
    assert loss["level"] == pytest.approx(6 * math.log(2)) and loss["points"] == []
    asked = at.session_state[training_session.RUN].training.settings
    assert (asked.dimensions, asked.window, asked.method, asked.seed) == (100, 1, "skip-gram", 0)
    at.slider[2].set_value(2).run()
    assert sent(at, "train_row")[0]["curves"][0]["level"] == pytest.approx(3 * math.log(2))


def test_a_text_is_trained_on_and_drawn_as_text():
    lines = f"The cat saw the {HOSTILE} dog today.\nA bird sang to the old tree."
    at = run(view="train", text=lines, words="birds: bird, owl")
    data = sent(at, "word_map")[0]
    assert {"cat": -1, "bird": 0}.items() <= {dot["id"]: dot["mark"] for dot in data["dots"]}.items()
    run_ = at.session_state[training_session.RUN]
    run_.going = True
    run_.extend()
    at.run()
    assert not at.exception and sent(at, "train_row")[0]["at"] >= 1


def test_a_word_of_somebodys_file_is_shown_as_text(tmp_path):
    word = "<i>![x](//y)*b*"
    (tmp_path / "v.txt").write_text(f"king 1 0 0\nman 1 1 0\n{word} 1 1 1\nqueen 1 0 1\n")
    at = run(view="analogies", model=f"folder:{tmp_path / 'v.txt'}", a="king", b="man", c=word)
    lines = [element.proto.body for element in at.get("html") if "![x]" in element.proto.body]
    assert lines and not any("<i>" in line for line in lines)
    assert not any("![x]" in text.value for text in at.markdown)
