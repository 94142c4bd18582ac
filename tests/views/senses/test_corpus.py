"""A folder of vectors on the word senses page: asked for by hand, where folders are on; dots and density."""

from pathlib import Path

import pytest
import torch
from streamlit.testing.v1 import AppTest

import explorer
from explorer.corpus.vectors.computing import Request, create
from explorer.corpus.vectors.reader import Corpus
from explorer.views.frame import picker
from explorer.views.senses import corpus, corpus_map, map_player
from tests.views.senses.test_own_text import told

ROOT = Path(__file__).parents[3]
BANKS = 400
WAS_CHOSEN = picker.was_chosen  # a fixture of all pages' tests says yes to everything
# The dialog alone: a test's rerun is one of the whole page, which would close it.
DIALOG = """
from explorer.views.senses.own_text_dialog import choose
from tests.views.opening import defaults, page_settings

own = {"model": "gpt", "word": "river", "locked": "", "layer": 6}
choose(page_settings("senses", **defaults("senses") | own))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory, bert_folder) -> Path:
    """Vectors of two words at two layers, by the tiny BERT."""
    place = tmp_path_factory.mktemp("corpus")
    lines = [f"Boat {i} lay at the {'deep' if i % 2 else 'old'} bank of river {i}." for i in range(BANKS)]
    lines += [f"The tide turned in year {i}." for i in range(45)] + ["The tide turned in year 7."] * 5
    (place / "texts.txt").write_text("\n".join(lines))
    out = place / "vectors"
    request = Request(str(place / "texts.txt"), ["bank", "boat", "tide"], layers=[0, -1])
    create(explorer.load(f"folder:{bert_folder}"), request, out)
    return out


def page(folder, **settings) -> AppTest:
    at = AppTest.from_file(str(ROOT / "pages" / "senses.py"))
    at.query_params["corpus"] = str(folder)
    for name, value in settings.items():
        at.query_params[name] = str(value).lower() if isinstance(value, bool) else str(value)
    at.run(timeout=60)
    assert not at.exception
    return at


@pytest.fixture
def mounted(monkeypatch):
    """What the map was last given."""
    given = {}
    real = map_player.component

    def component(name):
        def mount(**arguments):
            given.update(arguments["data"])
            return real(name)(**arguments)

        return mount

    monkeypatch.setattr(map_player, "component", component)
    return given


@pytest.mark.slow
def test_a_draw_as_dots_and_all_as_a_density(folder, mounted):
    at = page(folder, drawn=60)
    assert "<b>60 of 400</b> occurrences, drawn at random, seed 0." in told(at)
    assert "60 dots, drawn at random from 400 occurrences" in mounted["lines"][1]
    drawn = Corpus.open(folder).draw("bank", 60)
    assert [int(dot["id"].partition(":")[0]) for dot in mounted["dots"]] == drawn
    assert mounted["stops"] == ["embedding", "layer 3"] and mounted["layer"] == 1
    assert mounted["frames"][0] is None and len(mounted["frames"][1]) == 120
    cells = mounted["cells"][1]
    assert 0.98 * 400 <= sum(cells["counts"]) <= 400 == cells["total"]
    shares = [ring["share"] for ring in mounted["contours"][1]]
    assert shares == sorted(shares, reverse=True) and all(ring["lines"] for ring in mounted["contours"][1])
    # Every dot lies where the printed code puts it.
    texts, places, everything, _ = corpus_map.map_of_folder(str(folder), "bank", 3, 60, 0)
    assert texts == ["".join(dot["parts"]) for dot in mounted["dots"]]
    sent = torch.tensor(mounted["frames"][1]).reshape(60, 2) * mounted["unit"]
    torch.testing.assert_close(sent, places[:, :2], atol=mounted["unit"], rtol=0)
    assert len(everything.coordinates) == 400 and "map_of_folder" in " ".join(c.value for c in at.code)


def test_another_draw_keeps_the_density_and_another_layer_changes_it(folder, mounted):
    at = page(folder, drawn=60)
    before, dots = mounted["contours"], mounted["dots"]
    at.button(key="own/again").click().run(timeout=60)
    assert mounted["contours"] == before and mounted["dots"] != dots
    at.session_state["senses.layer"] = 0
    at.run(timeout=60)
    assert mounted["layer"] == 0 and mounted["contours"][1] is None and mounted["contours"][0]


def test_all_of_them_with_repeats_left_out(folder, mounted):
    at = page(folder, drawn=300, word="tide")
    assert "<b>All 50</b> occurrences. 5 repeat a sentence and are left out." in told(at)
    assert len(mounted["dots"]) == 45 and mounted["lines"][0].startswith("All 50 occurrences by")


def test_tsne_has_dots_alone_and_says_so(folder, mounted):
    at = page(folder, drawn=60, projection="tsne")
    assert mounted["contours"] is None and "cells" not in mounted and "box" not in mounted
    assert "places these dots alone, so density is shown with PCA only" in mounted["lines"][0]
    assert "shading" not in told(at)
    page(folder, drawn=60, axes=3)
    assert mounted["contours"] is None and len(mounted["frames"][1]) == 180


def test_another_word_of_the_folder(folder):
    at = page(folder, drawn=60, word="river")
    assert "has no vectors of “river”" in told(at) and "It has: bank, boat, tide." in told(at)
    at.button_group(key="corpus/word").set_value("boat").run(timeout=60)
    assert not at.exception and "<b>60 of 400</b>" in told(at)


@pytest.mark.parametrize("view", ["matrix", "well"])
def test_the_other_views_run_some_anew(folder, bert_folder, view):
    at = page(folder, drawn=60, view=view, model=f"folder:{bert_folder}", word="bank")
    assert not at.exception and "<b>60 of 400</b>" in told(at)
    assert "read_folder(" in " ".join(code.value for code in at.code)


def test_a_link_alone_opens_nothing(folder, monkeypatch):
    monkeypatch.setattr(picker, "was_chosen", WAS_CHOSEN)
    with monkeypatch.context() as patch:
        patch.setattr(corpus, "_opened", lambda place, stamp: pytest.fail("it was read"))
        at = page(folder)
    assert f"The link asks for the vectors in {folder}" in told(at)
    at.button(key=f"load/vectors:{folder}").click().run(timeout=60)
    assert not at.exception and "of 400</b> occurrences" in told(at)


def test_folders_are_off_where_names_are(folder, monkeypatch):
    monkeypatch.setenv("RIVERBANK_OPEN_SOURCES", "0")
    monkeypatch.setattr(corpus, "_opened", lambda place, stamp: pytest.fail("it was read"))
    at = page(folder)
    assert "Folders are off on this server." in told(at)
    at.button(key="corpus/close").click().run(timeout=60)
    assert not at.exception and "Folders are off" not in told(at)
    at.button(key="own/open").click().run(timeout=60)
    assert not any(box.key == "corpus/folder" for box in at.text_input)


def test_the_way_in(folder):
    at = AppTest.from_string(DIALOG).run(timeout=60)
    at.text_input(key="corpus/folder").set_value("/nowhere").run(timeout=60)
    at.button(key="corpus/open").click().run(timeout=60)
    assert "/nowhere is no folder of vectors" in told(at) and "senses.corpus" not in at.session_state
    at.text_input(key="corpus/folder").set_value(f" {folder} ").run(timeout=60)
    at.button(key="corpus/open").click().run(timeout=60)
    assert not at.exception and at.session_state["senses.corpus"] == str(folder)
    assert at.session_state["senses.layer"] == 3 and at.session_state["senses.drawn"] == 300
    assert f"vectors:{folder}" in at.session_state["/picker/chosen"]


def test_back_to_the_sentences(folder):
    at = page(folder)
    at.button(key="corpus/close").click().run(timeout=60)
    assert not at.exception and at.session_state["senses.corpus"] == ""
    assert any(area.key == "own/open" for area in at.button)


def test_a_folder_that_is_gone_or_damaged(folder, tmp_path):
    assert "is no folder of vectors" in told(page(tmp_path))
    (tmp_path / "manifest.json").write_text("{")
    assert "is damaged, or no manifest of ours" in told(page(tmp_path))
