"""The map's data: dots and names, groups that are known or found, all layers on one scale."""

import json

import pytest
import torch
import torch.nn.functional as F

from explorer.server import memory
from explorer.views.senses import map_data as charts
from explorer.views.senses.example_sentences import PAIRS, sentences
from explorer.views.senses.grouping import Grouping, grouping
from explorer.views.senses.layer_maps import layer_maps
from explorer.views.senses.map_player import nearest
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences, find_word
from tests.views.opening import defaults
from tests.views.senses.without_model import HOSTILE, without_model

DEFAULTS = defaults("senses")


@pytest.fixture(scope="module")
def bank(bert_folder) -> WordOccurrences:
    return find_word(memory.fetch(f"folder:{bert_folder}"), DEFAULTS["text"], "bank")


def test_dots_carry_the_text_as_it_was_typed():
    occurrences = without_model(f"{HOSTILE}\nA bank beside a bank.")
    dots = charts.dots(occurrences, grouping(occurrences, True))
    assert dots[0]["parts"] == ("The <b>", "bank", "</b> & </script> stood")
    assert len({dot["id"] for dot in dots}) == 3
    assert [dot["sense"] for dot in dots] == ["river", "", ""]
    assert [dot["mark"] for dot in dots] == [0, -1, -1]


def test_a_lone_dot_without_a_sense_is_a_question():
    def named(text):
        return [(n["text"], n["members"]) for n in charts.names(grouping(without_model(text), True))]

    assert named("A bank. #river\nThe bank. #money\nThat bank.") == [
        ("river", [0]),
        ("money", [1]),
        ("?", [2]),
    ]
    assert named("A bank. #a\nThe bank.\nThat bank.") == [("a", [0])]
    assert named("A bank.\nThe bank.") == [], "two dots make no groups"


def test_known_senses_are_told_words_that_two_of_their_sentences_have():
    money = "A bank loan. #money\nThe loan of a bank, on paper. #money\nPaper and a bank. #money"
    text = f"{money}\nMuddy bank. #river"
    groups = grouping(without_model(text), True)
    assert groups.names == ["money", "river"] and groups.words == [["loan", "paper"], []]
    assert charts.names(groups)[0]["words"] == "loan · paper"


def test_groups_are_found_where_no_sense_is_given_or_asked_for(bank):
    text = "\n".join([f"The muddy bank {i}." for i in range(5)] + [f"A bank loan {i}." for i in range(5)])
    occurrences = without_model(text)
    apart = torch.cat([torch.eye(10)[:5] * 0.1 + 1, torch.eye(10)[5:] * 0.1 - 1])
    occurrences.matches.vectors.data = apart[:, None].repeat(1, 2, 1)
    groups = grouping(occurrences, True)
    assert groups.from_clusters and groups.names == ["muddy", "loan"] and groups.member == [0] * 5 + [1] * 5
    assert "2 groups" in groups.note
    hidden = grouping(bank, False)
    assert hidden.from_clusters and not set(hidden.names) & {"money", "river"}


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("method", ["pca", "tsne", "lda"])
def test_every_stop_has_a_picture_on_one_scale(bank, method, axes):
    made = layer_maps(bank, method, axes, 0)
    assert len(made.planes) == len(made.lines) == len(bank.stops) == bank.layers + 2
    reach = torch.tensor(made.reach)
    for plane in made.planes:
        assert plane.shape == (len(bank.matches), axes) and (plane.abs() <= reach + 1e-5).all()
    assert made.planes[0].abs().max() < 1e-4, "the word alone is one dot"
    assert layer_maps(bank, method, axes, 0) is made


def test_pca_pictures_are_only_turned(bank):
    for stop, plane in zip(bank.stops, layer_maps(bank, "pca", 2, 0).planes):
        unit = F.normalize(bank.at(stop), dim=-1)
        expected = torch.linalg.svdvals(unit - unit.mean(0))[:2]
        torch.testing.assert_close(torch.linalg.svdvals(plane), expected, atol=1e-4, rtol=1e-3)


def test_from_its_front_the_room_is_the_plane(bank):
    plane, room = (layer_maps(bank, "pca", axes, 0).planes for axes in (2, 3))
    for flat, deep in zip(plane, room):
        torch.testing.assert_close(deep[:, :2], flat)


def test_a_line_says_what_each_picture_keeps(bank):
    assert layer_maps(bank, "pca", 2, 0).lines[0] == "All occurrences have the same vector: one dot."
    assert "% of the variance" in layer_maps(bank, "pca", 2, 0).lines[-1]
    assert "distances and gaps mean little" in layer_maps(bank, "tsne", 2, 0).lines[-1]
    lda = layer_maps(bank, "lda", 2, 0).lines[-1]
    assert "of 12 land nearest their own sense, with shuffled senses" in lda
    untagged = without_model("A bank.\nThe bank. #a")
    assert (
        layer_maps(untagged, "lda", 2, 0).lines
        == ["LDA needs two senses of two sentences each: this is PCA."] * 3
    )


def test_many_dots_get_a_curved_picture_of_one_layer_alone(monkeypatch):
    monkeypatch.setattr("explorer.views.senses.layer_maps.MOST_PLAYED", 5)
    occurrences = without_model("\n".join(f"The bank {i}." for i in range(7)))
    made = layer_maps(occurrences, "tsne", 2, 1)
    assert [plane is not None for plane in made.planes] == [False, False, True]
    assert "a layer at a time" in made.lines[2]
    assert all(plane is not None for plane in layer_maps(occurrences, "pca", 2, 1).planes)
    assert charts.frames(made.planes, 1.0)[:2] == [None, None]


def test_places_are_whole_numbers_and_small(bank):
    made = layer_maps(bank, "pca", 3, 0)
    unit = max(made.reach)
    frames = charts.frames(made.planes, unit)
    back = torch.tensor(frames[-1]).reshape(-1, 3) * unit / charts.GRAIN
    torch.testing.assert_close(back, made.planes[-1], atol=unit / charts.GRAIN, rtol=0)
    assert max(abs(value) for frame in frames for value in frame) <= charts.GRAIN
    assert len(json.dumps(frames)) < 20 * sum(map(len, frames))


def test_contours_are_drawn_around_each_group_or_around_all():
    plane = torch.tensor([[-0.8, 0.0], [-0.7, 0.1], [0.8, 0.0], [0.7, -0.1]])
    groups = Grouping(["a", "b"], [0, 0, 1, 1], [[], []])
    found = charts.contours(plane, groups, (1.0, 0.5), 1.0)
    assert [(c["mark"], c["share"]) for c in found] == [(0, 0.9), (0, 0.5), (1, 0.9), (1, 0.5)]
    assert all(x < 0 for x in found[0]["lines"][0][::2]) and all(x > 0 for x in found[2]["lines"][0][::2])
    assert {c["mark"] for c in charts.contours(plane, Grouping([], [None] * 4, []), (1.0, 0.5), 1.0)} == {-1}


def test_neighbours_are_those_of_the_layer_in_the_original_space(bank):
    for stop in (ALONE, 0, bank.layers):
        unit = F.normalize(bank.at(stop), dim=-1)
        found = nearest(bank, stop, 3)
        assert len(found) == 4 and 3 not in [i for i, _ in found]
        cosines = [c for _, c in found]
        assert cosines == pytest.approx(sorted(cosines, reverse=True))
        for i, cosine in found:
            assert cosine == pytest.approx(float(unit[3] @ unit[i]), abs=1e-5)


def test_minimal_pairs_know_one_another(bert_folder):
    occurrences = find_word(memory.fetch(f"folder:{bert_folder}"), sentences("bank", PAIRS), "bank")
    dots = charts.dots(occurrences, grouping(occurrences, True))
    groups: dict[str, list[str]] = {}
    for dot in dots:
        groups.setdefault(dot["pair"], []).append(dot["sense"])
    assert "" not in groups and all(len(set(of)) > 1 for of in groups.values())


def test_only_a_new_sentence_is_run(bert_folder, monkeypatch):
    from explorer.analysis import senses

    model = memory.fetch(f"folder:{bert_folder}")
    ran = []
    real = senses.occurrences

    def counted(model, texts, word):
        ran.append(list(texts))
        return real(model, ran[-1], word)

    monkeypatch.setattr(senses, "occurrences", counted)
    find_word(model, "An old bank here.\nThe deep bank there.", "bank")
    find_word(model, "An old bank here.\nThe deep water and bank.\nNobody else ran this bank.", "bank")
    assert ran == [
        ["An old bank here.", "The deep bank there."],
        ["The deep water and bank.", "Nobody else ran this bank."],
    ]
