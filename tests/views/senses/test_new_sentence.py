"""A new sentence: it lands in a map that stays, and its sense is named."""

import pytest
import torch

from explorer.analysis.senses.classify import classify
from explorer.server import memory
from explorer.views.senses.grouping import grouping
from explorer.views.senses.new_occurrence import map_warning, new_occurrence
from explorer.views.senses.new_sentence import _cosines, verdict
from explorer.views.senses.word_occurrences import find_word
from tests.views import opening
from tests.views.opening import defaults, preset
from tests.views.senses.test_page import run, sent, told

DEFAULTS = defaults("senses")
BETWEEN = preset("senses", "Between the two").values["new"]

HOSTILE = "The </script><b>bank</b> & so on"


def test_a_sense_that_is_not_on_the_map_is_an_outsider_of_the_nearest():
    settings = DEFAULTS | preset("senses", "With blood on the map").values
    text = "\n".join(line for line in settings["text"].splitlines() if not line.endswith("#blood"))
    occurrences = find_word(memory.get(settings["model"]), text, settings["word"])
    new = new_occurrence(memory.get(settings["model"]), settings["new"], occurrences.word)
    layer = settings["layer"]
    found = classify(new.at(layer), occurrences.at(layer), occurrences.senses)
    assert [near.sense for near in found.senses] == ["money", "river"]
    assert found.senses[0].farther == 0 < found.margin
    assert "perhaps this is another sense" in verdict(found)[1]


@pytest.mark.parametrize("axes", [2, 3])
def test_the_others_stay_where_they_are(axes):
    text = f"{DEFAULTS['text']}\n"  # as the map opens with other sentences
    map, plain = (sent(run(text=text, new=new, axes=axes), "sense_map") for new in (BETWEEN, ""))
    assert len(map["dots"]) == len(plain["dots"]) + 1 and map["dots"][-1]["id"] == "new"
    assert map["dots"][:-1] == plain["dots"]
    for with_new, without in zip(map["frames"], plain["frames"], strict=True):
        scale = map["unit"] / plain["unit"]
        assert [round(n * scale) for n in with_new[:-axes]] == pytest.approx(without, abs=2)
    assert map["locked"] == "new" and all(len(near) == 3 for near in map["near"])


def test_a_class_is_warned_where_the_new_dot_lies_beside_a_distant_one():
    others, new = torch.eye(4, 5), torch.tensor([1.0, 1.0, 1.0, 0.0, 3.0])
    places = torch.arange(4.0)[:, None]
    beside_close, beside_distant = (torch.cat([places, torch.tensor([[at]])]) for at in (0.1, 3.2))
    assert map_warning(new, others, beside_close) == ""
    assert "far from" in map_warning(new, others, beside_distant)


def test_the_verdict_and_the_three_closest_sentences():
    at = run(new=BETWEEN)
    assert "Nearest to <b>" in told(at) and "Cosines to the means" in told(at)
    rows = sent(at, "nearest")["rows"]
    assert len(rows) == 3
    assert [row["cosine"] for row in rows] == sorted((row["cosine"] for row in rows), reverse=True)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"new": "No such word."}, "does not have the word “bank”"),
        ({"new": HOSTILE}, "Nearest to"),
        ({"text": "A bank.", "new": "The bank."}, "no senses to compare it with"),
        ({"text": "A bank. #river\nThe bank. #<i>", "new": "The bank."}, "nobody can say which"),
        ({"layer": -1}, "As near to"),
        ({"model": "word2vec"}, "As near to"),
    ],
)
def test_whatever_is_typed_has_an_answer(settings, says):
    at = run(**{"new": BETWEEN} | settings)
    assert says in told(at) and "<i>" not in told(at)


def test_its_cosines_are_offered_beside_the_files_of_the_map():
    at = run(new=BETWEEN)
    labels = [button.proto.label for button in at.get("download_button")]
    assert labels[0] == "The new sentence’s cosines · CSV"
    assert labels[1:4] == ["Coordinates · CSV", "Cosines · CSV", "Vectors · NPZ"]
    settings = DEFAULTS
    occurrences = find_word(memory.get(settings["model"]), settings["text"], settings["word"])
    new = new_occurrence(memory.get(settings["model"]), BETWEEN, occurrences.word)
    rows = opening.rows(_cosines(occurrences, grouping(occurrences, True), new, settings["layer"]))
    assert len(rows) == 3 + 13 and [row["of"] for row in rows[:4]] == ["mean"] * 3 + ["occurrence"]
    assert float(rows[3]["cosine"]) == max(float(row["cosine"]) for row in rows[3:])


def test_without_a_sentence_there_is_no_ring_and_with_one_the_map_is_pca():
    plain = run(projection="tsne")
    assert all(dot["id"] != "new" for dot in sent(plain, "sense_map")["dots"])
    at = run(projection="tsne", new=BETWEEN)
    assert sent(at, "sense_map")["dots"][-1]["id"] == "new"
    assert at.session_state["senses.projection"] == "pca" and at.query_params["projection"] == "tsne"


def test_a_dot_that_is_selected_keeps_its_neighbours():
    at = run(new=BETWEEN)
    name = sent(at, "sense_map")["dots"][0]["id"]
    at = run(new=BETWEEN, locked=name)
    assert sent(at, "sense_map")["locked"] == name and "Nearest to <b>" not in told(at)
    assert sent(at, "nearest")["title"]["id"] == name
