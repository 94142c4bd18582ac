"""Four models on one word: who has read what."""

from explorer.server import memory
from explorer.views.senses.four_maps import ByModel, coordinates, panels, reads
from explorer.views.senses.map_data import GRAIN
from explorer.views.senses.word_occurrences import find_word
from tests.views import opening
from tests.views.opening import defaults, preset
from tests.views.senses.test_page import run, sent, told

DEFAULTS = defaults("senses")

ROUNDING = 0.01  # of the picture: what equal vectors may differ by after a batch of other lengths
ALIKE = preset("senses", "“The bank of the river …”").values["text"]
NAMES = ["word2vec", "elmo", "bert", "gpt"]


def by_name(text: str, word: str = "bank", depth: str = "best") -> dict[str, dict]:
    """Each model's panel."""
    models = {name: memory.get(name) for name in NAMES}
    by = [ByModel(name, find_word(model, text, word), reads(model)) for name, model in models.items()]
    made = panels(by, depth, 300)
    return {panel["name"]: panel for panel in made}


def test_the_page_sends_four_maps_of_the_same_sentences():
    map = sent(run(view="four"), "four_maps")
    assert [panel["name"] for panel in map["panels"]] == NAMES
    assert [panel["reads"] for panel in map["panels"]] == ["nothing", "both", "both", "left"]
    assert all(
        [dot["id"] for dot in p["dots"]] == [dot["id"] for dot in map["panels"][0]["dots"]]
        for p in map["panels"]
    )
    assert [mark["text"] for mark in map["marks"]] == ["money", "river", "blood"]


def test_word2vec_is_one_dot_and_the_readers_are_clouds():
    made = by_name(DEFAULTS["text"])
    assert [len(made[name]["alike"]["context"]) for name in NAMES][:3] == [1, 13, 13]
    assert max(map(abs, made["word2vec"]["places"]["context"])) < ROUNDING * GRAIN
    assert made["word2vec"]["right"] == made["word2vec"]["chance"] == 4
    assert made["bert"]["right"] > made["word2vec"]["right"]


def test_before_any_sentence_each_model_has_one_vector():
    for panel in by_name(DEFAULTS["text"]).values():
        assert panel["alike"]["static"] == [list(range(13))]
        assert max(map(abs, panel["places"]["static"])) < ROUNDING * GRAIN


def test_the_four_maps_as_a_table():
    rows = opening.rows(coordinates(list(by_name(ALIKE).values())))
    assert len(rows) == 32 and {row["model"] for row in rows} == set(NAMES)
    dots = [(float(row["x"]), float(row["y"])) for row in rows if row["model"] == "gpt"]
    assert len(dots) == 8 and max(max(map(abs, dot)) for dot in dots) < ROUNDING
    assert max(abs(float(row["x"])) for row in rows) <= 1 and rows[0]["sentence"].startswith("The bank of")


def test_a_word_that_one_model_lacks_leaves_the_others_their_maps():
    at = run(
        view="four",
        word="spork",
        text="A spork is here. #a\nNo spork there. #a\nThe spork sat. #b\nA spork ran. #b",
    )
    first, *others = sent(at, "four_maps")["panels"]
    assert "spork" in first["problem"] and "dots" not in first
    assert [len(panel["dots"]) for panel in others] == [4, 4, 4]


def test_without_senses_nothing_is_judged():
    at = run(view="four", text="A bank.\nThe bank.\nThat bank is old.")
    map = sent(at, "four_maps")
    assert map["marks"] == [] and all(panel["right"] is None for panel in map["panels"])
    assert "leave-one-out" not in told(at)


def test_switches():
    at = run(view="four", static="true")
    assert sent(at, "four_maps")["static"] is True and "one vector" in told(at)
    at.segmented_control(key="senses.static").set_value(False).run()
    at.segmented_control(key="senses.depth").set_value("last").run()
    assert not at.exception
    assert [panel["stop"] for panel in sent(at, "four_maps")["panels"]] == [0, 2, 6, 6]
