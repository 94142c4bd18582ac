"""“Show the code”: every view's program runs as it is printed, and gives what the view has drawn."""

import contextlib
import dataclasses
import io
import json
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

from explorer.corpus.index import build
from explorer.corpus.inspection import inspect
from explorer.corpus.rows import Report, read
from explorer.server import kept
from explorer.views.frame.presets import presets_in_row
from explorer.views.senses import own_text, page
from explorer.views.senses.own_text import OwnText
from tests.views.opening import links, opened, preset, said, sent
from tests.views.senses.test_own_text import TABLE, TEXT

HOSTILE = (
    'A bank "quoted\' </script>\\n. #a\nThe bank "quoted twice. #b\nbank "quoted #b\nthat bank "quoted #a'
)
LINKS = [link for name in page.VIEWS for link in links(presets_in_row("senses", name), view=name)]
OTHERS = [
    ("map", {"projection": "lda", "layer": 2}),
    ("map", {"projection": "tsne", "axes": 3}),
    ("map", {"layer": -1}),
    ("map", {"word": 'bank "quoted', "text": HOSTILE, "layer": 2}),
    ("map", {"layer": -1, "new": preset("senses", "Between the two").values["new"]}),
]


@pytest.fixture(autouse=True)
def nothing_read_before():
    """Sentences that an earlier test read in other batches differ in the last bit, and t-SNE turns on it."""
    kept.forget_results()


def ran(code: str) -> Any:
    """The result of a program as it is printed."""
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, "shown", "exec"), names)
    assert out.getvalue().strip(), "it prints what it gives"
    return names["result"]


@pytest.mark.parametrize(
    ("view", "link"), [*LINKS, *(pytest.param(*other, marks=pytest.mark.slow) for other in OTHERS)]
)
def test_the_code_that_is_shown_gives_what_is_drawn(view, link):
    at = opened("senses", **{"view": view, **link})
    check = (
        same_verdict
        if at.session_state["senses.new"]
        else CHECKS.get(at.session_state["senses.shown"], CHECKS[view])
    )
    check(at, ran(at.code[0].value))


def same_map(at: AppTest, result: Any) -> None:
    made, accuracy = result
    map = sent(at, "sense_map")[0]
    drawn = torch.tensor(map["frames"][map["layer"] - map["first"]]).view(-1, map["axes"]) * map["unit"]
    assert made.coordinates.shape == drawn.shape
    if at.session_state["senses.projection"] != "tsne":  # which turns on the last bit of a vector
        torch.testing.assert_close(made.coordinates.float(), drawn, atol=map["unit"], rtol=1e-3)
    last = len(map["stops"]) - 2
    assert len(accuracy) in (0, last + 1)
    told = map["lines"][map["layer"] - map["first"]]
    if "By the nearest group, " in told:
        right = round(accuracy[map["layer"]] * int(told.partition(" are given")[0].split()[-1]))
        assert f"group, {right} of " in told


def same_matrix(at: AppTest, result: Any) -> None:
    cosines, (within, across) = result
    data = sent(at, "cosine_matrix")[0]
    n, drawn = len(data["rows"]), {}
    pairs = iter(data["cosines"])
    for i in range(n):
        for j in range(i):
            drawn[i, j] = drawn[j, i] = next(pairs) / 1000 - (data["baseline"] or 0)
    for a, i in enumerate(data["order"]):
        for b, j in enumerate(data["order"]):
            if a != b:
                assert float(cosines[a, b]) == pytest.approx(drawn[i, j], abs=1.1e-3)
    assert f"{within:.2f}" in data["summary"] and f"{across:.2f}" in data["summary"]


def same_curves(at: AppTest, result: Any) -> None:
    figures = result
    (judged,) = [json.loads(chart.proto.spec)["data"] for chart in at.get("plotly_chart")]
    lines = {trace["name"]: trace["y"] for trace in judged if "name" in trace}
    (model,) = [name for name in figures if name in ("bert", "gpt", "elmo")]
    drawn = next(y for name, y in lines.items() if name.lower() == model)
    assert figures[model].tolist() == pytest.approx(drawn, abs=1e-5)
    for name in ("bag of words", "other words’ mean"):
        value = float(figures[name][0])
        assert any(t["y"] == pytest.approx([value] * 2, abs=1e-5) for t in judged if "name" not in t), name


def same_four(at: AppTest, result: Any) -> None:
    for panel in sent(at, "four_maps")[0]["panels"]:
        different, judged = result[panel["name"]]
        right = float(judged.accuracy[panel["stop"]]) * judged.judged
        assert right == pytest.approx(panel["right"], abs=0.06), panel["name"]
        if panel["stop"] == len(judged.accuracy) - 1:
            assert different == len(panel["alike"]["context"])


def same_verdict(at: AppTest, result: Any) -> None:
    classified, closest = result
    shown = said(at)
    for near in classified.senses:
        assert f"{near.sense} {near.cosine:.2f}" in shown
    assert f"<b>{classified.senses[0].sense}</b>" in shown
    rows = sent(at, "nearest")[0]["rows"]
    assert [row["whole"] for row in rows] == closest
    assert [row["cosine"] for row in rows] == [f"{cosine:.2f}" for _, cosine in classified.occurrences[:3]]


CHECKS = {"map": same_map, "matrix": same_matrix, "layers": same_curves, "four": same_four}


FILES = {"notes.txt": TEXT, "t.csv": TABLE, "latin.txt": TEXT + "Straße zur Bank."}


@pytest.mark.slow
@pytest.mark.parametrize("view", ["map", "four"])
@pytest.mark.parametrize("name", FILES)
def test_with_ones_own_text_the_code_reads_the_file(bert_folder, tmp_path, monkeypatch, name, view):
    data = FILES[name].encode("cp1252" if name == "latin.txt" else "utf-8")
    (tmp_path / name).write_bytes(data)
    file, report = io.BytesIO(data), Report()
    contents = inspect(name, file, "cp1252" if name == "latin.txt" else None)
    mine = OwnText(contents, build(name, read(contents, file, report)), [])
    monkeypatch.setattr(own_text, "current", lambda: mine)
    views = {view: page.VIEWS[view]}
    monkeypatch.setattr(page, "VIEWS", views)
    monkeypatch.setattr(page, "PAGE", dataclasses.replace(page.PAGE, views=views))
    link = {"own": True, "word": "bank", "drawn": 30, "seed": 2, "view": view, "layer": 1}
    at = opened("senses", model=f"folder:{bert_folder}", **link)
    code = at.code[0].value
    assert "day 7" not in code and any("none of your text" in part.proto.body for part in at.get("html"))
    monkeypatch.chdir(tmp_path)
    result = ran(code)
    if view == "map":
        same_map(at, result)
        assert len(result[0].coordinates) == 30 and bool(result[1]) == (name == "t.csv")
    else:
        assert list(result) == ["word2vec", "elmo", "bert", "gpt"]
        assert all(bool(judged) == (name == "t.csv") for _, judged in result.values())
