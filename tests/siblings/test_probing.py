"""What layers know: with nine siblings of a preset's sentence, its point holds for seven of ten."""

from itertools import pairwise

from explorer.analysis.probing import (
    centre_of_gravity,
    expected_layer,
    figures,
    labels_by_layer,
    split,
    states_of,
)
from explorer.views.probing.presets import FLORENCE, WATER
from explorer.views.probing.words import best_layer
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings

SENTENCES = siblings("probing")
THREE_ON = 3


def said(text, task):
    bert, sentence = model("bert"), split(text)
    return sentence.words, labels_by_layer(bert, states_of(bert, sentence), task)


def test_a_noun_that_is_a_verb_here():
    def holds(text, word):
        words, tags = said(text, "tag")
        at = words.index(word)
        return tags.best(0, at)[0] == "NOUN" and tags.best(THREE_ON, at)[0] == "VERB"

    seven_of_ten(holds, [[WATER, "water"], *SENTENCES["noun or verb"]])


def test_one_name_two_types():
    def holds(text, word):
        words, names = said(text, "entity")
        first, second = (at for at, one in enumerate(words) if one == word)
        same = names.best(0, first)[0] == names.best(0, second)[0]
        layer = best_layer("bert", "entity")
        return same and names.best(layer, first)[0] == "PER" and names.best(layer, second)[0] == "LOC"

    seven_of_ten(holds, [[FLORENCE, "Florence"], *SENTENCES["person and place"]])


def test_what_presets_say_of_the_figures():
    of, neighbours = figures()["models"], figures()["baselines"]["arcs"]["neighbours"]
    tags, arcs = of["bert"]["tag"], of["bert"]["arcs"]["32"]
    assert max(tags["linear"][2:5]) > max(tags["linear"][0], tags["linear"][-1]), "the middle is ahead"
    control = tags["linear-control"]
    assert control[0] == max(control), "by heart, most can be had in the embedding"
    assert max(arcs[1:-1]) > max(arcs[0], arcs[-1]), "up, and down again"
    by_both = [
        (centre_of_gravity(of["bert"][task]["shares"]), expected_layer(of["bert"][task]["mix"]))
        for task in ("tag", "relation", "entity")
    ]
    assert all(low < high for one, other in pairwise(by_both) for low, high in zip(one, other, strict=True))
    assert all(
        max(a - b for a, b in zip(one["entity"]["linear"], one["entity"]["linear-control"], strict=True)) < 0
        for one in of.values()
    ), "what the page says of the control task of names"
    assert max(arcs) > neighbours > max(of["word2vec"]["arcs"]["32"])
    assert all(
        max(of[name]["tag"]["linear"]) > figures()["baselines"]["tag"]["by_word"]
        for name in ("bert", "bert-mini", "gpt", "elmo")
    )
