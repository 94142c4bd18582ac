"""What is in the pictures of a notebook's cells; Chromium draws them in tests/browser/test_notebook.py."""

import json
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import torch
from IPython.core.interactiveshell import InteractiveShell

from explorer.analysis.attention.comparison import compare, compare_traces
from explorer.analysis.attention.rollout import at_token
from explorer.analysis.attention.rollout import rollout as rollout_of_all
from explorer.analysis.generation import Sampling, generate
from explorer.analysis.generation.tree import continuation_tree
from explorer.analysis.probing import LabelProbabilities, split
from explorer.analysis.vectors import Vectors, nearest
from explorer.notebook import RESULTS, html, load_ipython_extension
from explorer.notebook.cell import Cell, cell_of, page
from explorer.short_text import short
from explorer.trace import Capture
from explorer.views.frame.saving.web_page import Component, data_text

ROOT = Path(__file__).parents[2]
TOUR = ROOT / "docs" / "notebook.ipynb"
HOSTILE = "</script><script>window.top.run = 1</script><img src=x onerror='window.top.run = 2'>"


def source(cell: str) -> str:
    """The page inside a cell's frame."""
    return unescape(cell.partition("srcdoc='")[2].rpartition("'></iframe>")[0])


def data(result: Any, part: int = 0) -> Any:
    """The data of a component of a result's picture."""
    text = source(html(result) or "").partition('id="data">')[2].partition("</script>")[0]
    return json.loads(text)[part]


def test_data_cannot_leave_their_element():
    text = data_text([HOSTILE, "\u2028", "a & b"])
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == [HOSTILE, "\u2028", "a & b"]


def test_what_a_visitor_typed_is_no_html(tiny_bert):
    inside = source(html(tiny_bert.trace(HOSTILE)))
    assert "<img" not in inside and "<script>window.top" not in inside
    named = page(Cell([Component("widgets/bars", {}, heading=HOSTILE)], HOSTILE, HOSTILE))
    assert "<img" not in named and "<script>window.top" not in named


def test_a_cell_asks_for_nothing_from_a_network(tiny_bert):
    inside = source(html(tiny_bert.trace("the river bank")))
    addresses = inside.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xhtml", "")
    addresses = addresses.replace("https://lit.dev", "")  # the licence of a library, in a comment
    assert not [part for part in ("http:", "https:", "url(", "@import") if part in addresses]
    assert len(html(tiny_bert.trace("the river bank"))) < 200_000


def test_what_has_no_picture_stays_text(tiny_bert):
    assert html(3) is None
    assert html(tiny_bert.trace("the bank", capture=Capture.HIDDEN)) is None
    assert html([]) is None
    brief = short(tiny_bert.trace("the bank"))
    assert brief.startswith("Trace(") and len(brief) < 300 and "tensor" not in brief


def test_a_slur_that_a_model_predicts_is_dots(monkeypatch):
    from explorer.views.look import blocklist

    monkeypatch.setattr(blocklist, "listed", lambda: frozenset({"queen"}))
    words = Vectors(["king", "queen", "pawn"], torch.tensor([[1.0, 0], [0.9, 0.1], [0, 1]]))
    cell = source(html(nearest(words, "king")) or "")
    assert '"queen"' not in cell and blocklist.DOTS in cell and '"pawn"' in cell


def test_labels_of_a_known_sentence_are_drawn_and_others_stay_text():
    probabilities = torch.tensor([[[0.75, 0.25], [0.5, 0.5]], [[0.75, 0.25], [0.25, 0.75]]])
    predictions = LabelProbabilities(("NOUN", "VERB"), (0, 1), probabilities, "tag", split("Boats rock"))
    light, dark = (data(predictions)[key] for key in ("light", "dark"))
    assert [column["text"] for column in light["columns"]] == ["Boats", "rock"]
    assert [cell["fresh"] for cell in light["rows"][1]["cells"]] == [False, True]
    assert light["rows"][0]["cells"][0]["chips"] != dark["rows"][0]["cells"][0]["chips"]
    assert html(replace(predictions, sentence=None)) is None


def test_compared_traces_are_named_by_what_differs(tiny_bert):
    first, second = tiny_bert.trace("the river bank"), tiny_bert.trace("the bank")
    picture = data(compare_traces(first, second, 1, 0))["light"]
    assert picture["titles"]["second"] == "the second sentence"
    assert [word["text"] for word in picture["words"]] == ["the", "river / –", "bank"]
    assert picture["second"][1] == [None] * 3 and picture["notes"] == ["head L2H1"] * 2
    other = replace(second, checkpoint="bert")
    assert data(compare_traces(first, other, 1))["light"]["titles"]["second"] == "BERT"
    assert html(compare(torch.eye(1), torch.eye(1), [(0, 0)])) is None


def test_a_rollout_can_go_on_to_every_token_unless_there_are_too_many(tiny_bert, monkeypatch):
    from explorer.views.attention import across_layers

    rollout = at_token(tiny_bert.trace("the river bank"), 2)
    picture = data(rollout)["light"]
    assert picture["choice"] == 1 and [each["chosen"] for each in picture["choices"]] == [0, 1, 2]
    shares = [each["columns"][1]["values"] for each in picture["choices"]]
    every = rollout_of_all(rollout.steps)[-1]
    torch.testing.assert_close(torch.tensor(shares), every, atol=1e-5, rtol=0)
    monkeypatch.setattr(across_layers, "MOST_SHARES", 20)
    assert html(rollout) is None


def test_a_tree_has_the_text_of_every_branch(tiny_gpt):
    story = generate(tiny_gpt, "the river", Sampling(seed=0, max_new_tokens=5))
    story.take([11, 12, 13, 14])
    fork = story.branch(2, 15)
    fork.take([16])
    picture = data(continuation_tree([story, fork]), 1)["light"]
    assert [(row["number"], row["parent"], row["at"]) for row in picture["branches"]] == [
        (0, -1, 0),
        (1, 0, 2),
    ]
    assert picture["lengths"] == [4, 4] and [len(row["widths"]) for row in picture["branches"]] == [4, 2]
    strips = data(continuation_tree([story, fork]))["light"]["choices"]
    assert strips[0]["tokens"][:3] == strips[1]["tokens"][:3] and strips[0] != strips[1]


def test_import_explorer_stays_light_and_a_picture_says_nothing_on_the_side():
    script = (
        "import sys, explorer\n"
        "assert not {'torch', 'streamlit', 'explorer.notebook'} & set(sys.modules)\n"
        "import torch\n"
        "from explorer.analysis.vectors import Vectors, nearest\n"
        "near = nearest(Vectors(['a', 'b'], torch.eye(2)), 'a')\n"
        "assert 'streamlit' not in sys.modules\n"
        "print(len(explorer.notebook.html(near)))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0 and run.stderr == "" and int(run.stdout) > 1000


def test_a_shell_draws_every_result_that_has_a_picture_and_imports_none_before():
    shell = InteractiveShell()
    load_ipython_extension(shell)
    words = Vectors(["king", "queen"], torch.eye(2))
    shown, _ = shell.display_formatter.format(nearest(words, "king"))
    assert "<iframe" in shown["text/html"]
    assert "text/html" not in shell.display_formatter.format([1])[0]
    html(1)  # which registers all of them
    drawn = {(each.__module__, each.__qualname__) for each in cell_of.registry if each is not object}
    assert drawn == {(module, name) for module, names in RESULTS.items() for name in names}


def test_the_tour_is_kept_without_its_outputs():
    cells = json.loads(TOUR.read_text(encoding="utf-8"))["cells"]
    assert not [
        cell for cell in cells if cell["cell_type"] == "code" and (cell["outputs"] or cell["execution_count"])
    ]
