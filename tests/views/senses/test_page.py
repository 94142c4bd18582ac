"""The word senses page: it runs, says what is wrong, and its parts do what they say."""

from functools import partial
from pathlib import Path

import pytest
import torch
from streamlit.testing.v1 import AppTest

import explorer
from explorer.errors import TextError
from explorer.server import memory
from explorer.views.senses import word_occurrences as finding
from explorer.views.senses.example_sentences import ALL, PAIRS, library, sentences
from explorer.views.senses.word_occurrences import ALONE, find_word
from tests.views import opening
from tests.views.opening import defaults

DEFAULTS = defaults("senses")

ROOT = Path(__file__).parents[3]


run = partial(opening.opened, "senses")


def sent(at: AppTest, name: str) -> dict:
    """What a component of the page has been given."""
    return opening.sent(at, name)[0]


def told(at: AppTest) -> str:
    """All that the page says: plain text, its own lines, and the map's line at the present layer."""
    said = [opening.told(at)]
    if any("sense_map" in c.proto.component_name for c in at.get("bidi_component")):
        map = sent(at, "sense_map")
        said.append(map["lines"][map["layer"] - map["first"]])
    return " ".join(said)


def test_the_page_opens_at_the_layer_that_tells_the_senses_apart():
    at = run()
    assert sent(at, "sense_map")["layer"] == DEFAULTS["layer"]
    assert "4 of 4 are closest to the right group; best" in told(at)


def test_a_view_opens_with_its_own_sentences_and_an_old_link_to_a_dot_keeps_its(tiny):
    at = run(model=tiny)
    assert len(sent(at, "sense_map")["dots"]) == 5 and "text" not in at.query_params
    at = run(model=tiny, locked="4:The bank lent my sister the money for her first bakery.")
    assert len(sent(at, "sense_map")["dots"]) == 13
    assert len(sent(run(model=tiny, shown="matrix"), "cosine_matrix")["order"]) == 13
    own = run(model=tiny, text="A bank. #a\nThe bank. #b")
    assert len(sent(own, "sense_map")["dots"]) == 2


def test_another_layer_projection_and_room(tiny):
    at = run(model=tiny, layer=1)
    for projection, says in (
        ("tsne", "keeps neighbours"),
        ("lda", "with shuffled senses"),
        ("pca", "variance"),
    ):
        at.segmented_control(key="senses.projection").set_value(projection).run()
        assert not at.exception and says in told(at)
    at.segmented_control(key="senses.axes").set_value(3).run()
    assert not at.exception
    map = sent(at, "sense_map")
    assert map["axes"] == 3 and len(map["frames"][0]) == 3 * len(map["dots"]) and map["contours"] is None


def test_the_senses_can_be_kept_back(tiny):
    at = run(model=tiny, senses="false", contours="true")
    map = sent(at, "sense_map")
    assert {dot["sense"] for dot in map["dots"]}.isdisjoint({"money", "river"})
    assert len(map["contours"]) == len(map["stops"])
    at.toggle(key="senses.senses").set_value(True).run()
    assert [name["text"] for name in sent(at, "sense_map")["names"]] == ["money", "river", "blood"]
    switches = [one.label for one in run(model=tiny, text="A bank.\nThe bank.").toggle]
    assert "Contours" in switches and "Senses" not in switches, "no senses, no switch for them"


def test_settings_that_the_model_cannot_have_are_brought_back(tiny):
    at = run(model=tiny, layer=11, projection="nonsense", axes=7)
    assert sent(at, "sense_map")["layer"] == 3 and sent(at, "sense_map")["axes"] == 2
    assert at.segmented_control(key="senses.projection").value == "pca"
    at = run(model=tiny, layer=-5)
    assert sent(at, "sense_map")["layer"] == ALONE and "one dot" in told(at)


def test_the_word_alone_has_one_vector_and_cosines_of_one(tiny):
    locked = "4:The bank lent my sister the money for her first bakery."
    at = run(model=tiny, layer=-1, locked=locked)
    rows = sent(at, "nearest")["rows"]
    assert [row["cosine"] for row in rows] == ["1.00"] * 4
    map = sent(at, "sense_map")
    assert len(map["near"]) == len(map["stops"]) and all(len(near) == 4 for near in map["near"])


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"word": "ferry"}, "None of the sentences has the word “ferry”"),
        ({"word": "ferry"}, "bank, "),
        ({"word": "x", "text": "İSTANBUL\nistanbul Straße"}, "Words that occur: istanbul, straße"),
        ({"word": "नद", "text": "कल नदी में जल था।"}, "Words that occur: कल, नदी, में, जल, था"),
        ({"word": "Spring"}, "“spring” is under Examples"),
        ({"word": "银行", "text": "我去银行取钱。\n银行在河边。"}, "Choose bert-zh as the model"),
        ({"word": " "}, "There is no word"),
        ({"text": " "}, "There are no sentences yet"),
        ({"text": "no such thing"}, "such"),
    ],
)
def test_a_word_that_is_nowhere_says_what_to_do(tiny, settings, says):
    at = run(model=tiny, **settings)
    assert says in told(at)
    assert len(at.button) > 3, "the presets are still there"


@pytest.mark.parametrize(
    "text",
    [
        "bank",
        "The bank.\nThe bank.",
        "A bank </script><b>x</b> 🛶. #river\n東京 bank. #money",
        "bank #x\nbank #y",
    ],
)
def test_any_sentences_make_a_picture(tiny, text):
    for projection in ("pca", "tsne"):
        at = run(model=tiny, text=text, projection=projection)
        assert any(
            line in told(at) for line in ("nearest centroid", "Tag sentences", "No groups stand apart")
        )


def test_the_word_of_a_hashtag_is_one_of_its_sentence(tiny_bert):
    words = find_word(tiny_bert, "We saw the bank #old\nSo deep, my new #Bank", "bank")
    assert [words.text(i) for i in range(len(words.matches))] == ["We saw the bank", "So deep, my new #Bank"]
    assert words.senses == ["old", None]


def test_too_few_points_for_a_method_are_said(tiny):
    assert "t-SNE needs 4 points" in told(run(model=tiny, text="The bank.\nOld bank.", projection="tsne"))


def test_umap_is_not_waited_for(tiny, monkeypatch):
    monkeypatch.setattr("explorer.analysis.projection.umap_ready", lambda: False)
    assert "Until then you see PCA" in told(run(model=tiny, projection="umap"))


def test_a_model_that_reads_leftwards_says_so(gpt_folder, tiny):
    assert "only the words before it" in told(run(model=f"folder:{gpt_folder}"))
    assert "only the words before it" not in told(run(model=tiny))


def test_what_is_left_out_is_said(tiny):
    assert "2 sentences do not have the word" in told(run(model=tiny, text="A bank.\nA river.\nA walk."))
    assert "1 sentence does not" in told(run(model=tiny, text="A bank.\nA river."))
    many = find_word(memory.fetch(tiny), "\n".join(f"bank {i}" for i in range(250)), "bank")
    assert len(many.matches) == finding.MOST_SENTENCES and "first 200 of 250" in many.notes[0]
    long = find_word(memory.get("bert"), "The bank " + "and the river " * 200, "bank")
    assert "476 tokens were cut" in long.notes[0] and len(long.matches) == 1


def test_a_locked_occurrence_is_found_again_by_its_sentence(tiny):
    occurrences = find_word(memory.fetch(tiny), "The bank.\nOld bank by the bank.", "bank")
    name = occurrences.name(2)
    assert name == "16:Old bank by the bank."
    edited = find_word(memory.fetch(tiny), "Water.\nA new bank.\nOld bank by the bank.", "bank")
    assert edited.text(edited.index(name)) == "Old bank by the bank." and edited.index(name) == 2
    assert find_word(memory.fetch(tiny), "The bank.", "bank").index(name) is None


def test_one_sentence_at_a_time_gives_what_all_at_once_give(tiny):
    from explorer.analysis import senses as analysis

    text = "The bank.\nWe saw water.\nA bank on the bank of the river."
    together = analysis.occurrences(explorer.load(tiny), text.splitlines(), "bank")
    occurrences = find_word(memory.fetch(tiny), text, "bank").matches
    torch.testing.assert_close(occurrences.vectors, together.vectors, atol=1e-5, rtol=1e-5)
    for name in ("sentence_index", "span", "tokens", "missing"):
        assert getattr(occurrences, name) == getattr(together, name)


def test_a_sentence_without_words_raises(tiny):
    with pytest.raises(TextError):
        find_word(memory.fetch(tiny), "", "bank")


def test_our_own_words_have_sentences_of_two_senses():
    assert library()["bank"] == ["money", "river", "blood"] and list(library()) == sorted(library())
    for word, known in library().items():
        few, all_, pairs = (sentences(word, kind).splitlines() for kind in ("few", ALL, PAIRS))
        assert len(few) == 4 * len(known) >= 8 and not any("~" in line for line in few)
        assert len(all_) > len(few) and set(pairs) < set(all_) and all(" ~" in line for line in pairs)


def test_an_example_is_chosen_and_its_minimal_pairs(tiny):
    at = run(model=tiny, kind="nonsense")
    assert at.segmented_control(key="senses.kind").value == "few"
    listed = at.selectbox(key="senses/example").options
    assert len(listed) >= 60 and "bank: money · river · blood" in listed
    at.selectbox(key="senses/example").set_value("spring").run()
    assert at.session_state["senses.word"] == "spring"
    assert at.session_state["senses.text"] == sentences("spring")
    at.segmented_control(key="senses.kind").set_value(PAIRS).run()
    assert at.session_state["senses.text"] == sentences("spring", PAIRS)
    at.session_state["senses.text"] = "My own spring."
    at.segmented_control(key="senses.kind").set_value(ALL).run()
    assert at.session_state["senses.text"] == "My own spring.", "what one has written stays"
