"""Layer by layer, run without a browser: what it draws is what the lens says."""

import json
from functools import partial
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis import patching
from explorer.analysis.prediction import text_lens
from explorer.views.frame.moved import resolve
from explorer.views.look import blocklist
from explorer.views.look.blocklist import DOTS
from explorer.views.why import lens, lens_map, lens_run
from tests.shared_models import model
from tests.views import opening
from tests.views.opening import printed_result, sent, told

run = partial(opening.opened, "why", view="lens")
GAP = "She drank a cup of hot [MASK] before work."


@pytest.mark.parametrize(("name", "text"), [("gpt", "The queen lost her"), ("bert", GAP)])
def test_every_cell_is_the_first_word_of_its_state(name, text):
    at = run(model=name, first=text)
    (data,) = sent(at, "lens")
    expected = text_lens.over_text(model(name), text)
    columns = [i for i, frame in enumerate(expected.encoding.frame.tolist()) if not frame]
    assert data["columns"] == columns and [row["layer"] for row in data["rows"]] == [*range(6, -1, -1)]
    right = [*expected.encoding.ids[1:].tolist(), -1] if name == "gpt" else [-1] * len(expected.encoding)
    for row in data["rows"]:
        for i, cell in zip(columns, row["cells"], strict=True):
            id = int(expected.ids[row["layer"], i, 0])
            tokenizer = model(name).tokenizer
            assert cell["text"] == tokenizer.whole_or_bytes(id, tokenizer.readable(id).strip())
            assert ("right" in cell["look"]) == (id == right[i])
            assert ("settled" in cell["look"]) == (row["layer"] >= expected.settled()[i])
            assert (cell["share"] == 1) == (int(expected.rank[row["layer"], i]) == 1)
    assert printed_result(at)[-1] == [
        model(name).tokenizer.readable(id) for id in expected.ids[-1, :, 0].tolist()
    ]


def test_a_followed_word_is_outlined_and_its_probability_is_the_colour():
    at = run(model="bert", first=GAP, followed="coffee", lens_colour="probability", state=[5, 7])
    (data,) = sent(at, "lens")
    coffee = model("bert").tokenizer.id("coffee")
    expected = text_lens.over_text(model("bert"), GAP, word=coffee)
    for row in data["rows"]:
        for i, cell in zip(data["columns"], row["cells"], strict=True):
            assert cell["share"] == pytest.approx(float(expected.chance[row["layer"], i]), abs=1e-4)
            assert ("right" in cell["look"]) == (int(expected.ids[row["layer"], i, 0]) == coffee)
    assert [
        row["layer"] for row in data["rows"] if any("chosen" in cell["look"] for cell in row["cells"])
    ] == [5]
    assert "cannot spell" in told(run(model="bert", first=GAP, followed="🙂"))


def test_the_last_layers_are_there_first_and_the_others_follow(monkeypatch):
    monkeypatch.setattr(text_lens, "ROWS", 1)
    monkeypatch.setattr(lens_run, "SLICE_S", 0.0)
    at = run(model="gpt", first="A boat drifted down the wide river", state=[0, 0])
    (data,) = sent(at, "lens")
    assert [row["layer"] for row in data["rows"]] == [6] and data["run"] > 0
    assert "is first from" not in told(at) and "first for good" not in told(at)
    at.session_state[lens_run.RUN].extend(60.0)
    at.run()
    (data,) = sent(at, "lens")
    assert len(data["rows"]) == 7 and data["run"] == 0 and "At the embedding, at “A”" in told(at)


def test_listed_words_are_dots(monkeypatch):
    monkeypatch.setattr(blocklist, "listed", lambda: frozenset({"station", "hospital"}))
    at = run(model="bert", first="The patient was taken to the [MASK] by helicopter.", state=[5, 7])
    (data,) = sent(at, "lens")
    assert [row["cells"][6]["text"] for row in data["rows"][:3]] == [DOTS, DOTS, "house"]
    assert sent(at, "bars")[0]["rows"][0]["token"] == DOTS
    assert not any(
        word in json.dumps(data) + told(at).split("Presets")[0] for word in ("station", "hospital")
    )


@pytest.mark.parametrize(
    "text",
    ["", "🙂", "مرحبا بالعالم", "the bank " * 500, "\u200b"],
    ids=["none", "emoji", "rtl", "long", "unread"],
)
@pytest.mark.parametrize("name", ["gpt", "bert"])
def test_any_text_is_taken(name, text):
    at = run(model=name, first=text)
    assert "not read" in told(at) or len(text) < 100
    assert len(sent(at, "lens")) == (text != "" and (name, text) != ("bert", "\u200b"))


@given(st.integers(0, 5000))
@settings(max_examples=30, deadline=None)
def test_a_pressed_word_is_the_one_that_is_followed(id):
    for name in ("gpt", "bert"):
        word = lens.spelled(model(name), id)
        assert not word or lens.followed_id(model(name), word) == id


@pytest.mark.parametrize("state", [[9, 0], [0, 99], [0, 0], "x"])
def test_a_state_that_is_not_there_leaves_the_last_of_the_gap_or_of_the_text(state):
    (data,) = sent(run(model="bert", first=GAP, state=state), "lens")
    assert "chosen" in data["rows"][0]["cells"][6]["look"]
    (data,) = sent(run(model="gpt", first="The queen lost", state=[9, 0]), "lens")
    assert "chosen" in data["rows"][0]["cells"][-1]["look"]


@pytest.mark.parametrize(
    ("name", "texts"),
    [("gpt", ("The queen lost", "Her old king lost")), ("bert", (GAP, "He read [MASK]."))],
)
def test_a_state_of_one_text_is_put_into_the_other_and_its_cone_is_shaded(name, texts):
    first, second = (lens.read(model(name), text) for text in texts)
    put = [2, 1, 3]
    at = run(model=name, first=texts[0], second=texts[1], beside=True, put=put)
    (data,) = sent(at, "lens")
    before, after = data["beside"]
    states = patching.states_with(model(name), second, first, *put)
    expected = text_lens.joined(list(text_lens.slices(model(name), second, states=states)))
    plain, reached = text_lens.over_text(model(name), texts[1]), set()
    for row, old in zip(after["rows"], before["rows"], strict=True):
        for i, cell, was in zip(after["columns"], row["cells"], old["cells"], strict=True):
            id, old_id = (int(one.ids[row["layer"], i, 0]) for one in (expected, plain))
            assert (cell["text"], was["text"]) == tuple(map(shown(name, i, second), (id, old_id)))
            assert (cell["share"] == 1) == (cell["text"] != was["text"])
            reached |= {(row["layer"], i)} if cell["look"] != "outside" else set()
    above = {(layer, i) for layer in range(3, 7) for i in after["columns"] if i >= 3 or name == "bert"}
    assert reached == above | {(2, 3)}
    answers = [int(one.ids[-1, 3 if name == "bert" else -1, 0]) for one in (plain, expected)]
    assert ("the answer stays" if answers[0] == answers[1] else "%) becomes") in told(at)
    at.button(key="lens/out").click().run()
    assert len(sent(at, "lens")[0]["beside"]) == 1
    at.button(key="lens/put").click().run()
    assert len(sent(at, "lens")[0]["beside"]) == 2


def shown(name, at, encoding):
    return lambda id: lens_map.shown_word(
        model(name), SimpleNamespace(encoding=encoding), at, id, blocklist.over(name)
    )


@pytest.mark.parametrize("put", [[9, 0, 0], [2, 9, 0], [2, 0, 9], [2, 0], "x", None])
def test_a_state_that_neither_text_has_is_not_put_in(put):
    (data,) = sent(
        run(model="gpt", first="The queen lost", second="The king lost", beside=True, put=put), "lens"
    )
    assert len(data["beside"]) == 1 and data["chosen"] == [2, 1]


@pytest.mark.parametrize(
    ("link", "settings"),
    [
        ({}, {"model": "bert", "first": "The patient was taken to the [MASK] by helicopter."}),
        ({"text": GAP}, {"model": "bert", "first": GAP}),
        ({"text": GAP, "model": "electra"}, {"model": "electra", "first": GAP}),
    ],
)
def test_old_links_to_masked_words_lead_here(link, settings):
    assert resolve("masked", {"view": "layers", **link}) == ("why", {"view": "lens", **settings})
