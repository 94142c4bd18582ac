"""What the presets of “What layers know” promise."""

from itertools import pairwise

from explorer.analysis import probing
from explorer.views.probing.words import best_layer
from tests.shared_models import model

THREE_ON = 3


def labels(text: str, task: str):
    bert, sentence = model("bert"), probing.split(text)
    return sentence.words, probing.labels_by_layer(bert, probing.states_of(bert, sentence), task)


def becomes_a_verb(text: str, word: str) -> bool:
    words, tags = labels(text, "tag")
    at = words.index(word)
    return tags.best(0, at)[0] == "NOUN" and tags.best(THREE_ON, at)[0] == "VERB"


def is_a_person_and_a_place(text: str, word: str) -> bool:
    words, names = labels(text, "entity")
    first, second = (at for at, one in enumerate(words) if one == word)
    same = names.best(0, first)[0] == names.best(0, second)[0]
    layer = best_layer("bert", "entity")
    return same and names.best(layer, first)[0] == "PER" and names.best(layer, second)[0] == "LOC"


def arcs(name: str) -> list[float]:
    return probing.figures()["models"][name]["arcs"]["32"]


def finds_more_arcs_than_neighbours(name: str) -> bool:
    return max(arcs(name)) > probing.figures()["baselines"]["arcs"]["neighbours"]


def finds_fewer_arcs_than_neighbours(name: str) -> bool:
    return max(arcs(name)) < probing.figures()["baselines"]["arcs"]["neighbours"]


def middle_is_ahead(name: str, task: str) -> bool:
    scores = arcs(name) if task == "arcs" else probing.figures()["models"][name][task]["linear"]
    return max(scores[1:-1]) > max(scores[0], scores[-1])


def is_by_heart_in_the_embedding(name: str) -> bool:
    control = probing.figures()["models"][name]["tag"]["linear-control"]
    return control[0] == max(control)


def is_in_the_order_of_a_pipeline(name: str) -> bool:
    of = probing.figures()["models"][name]
    by_both = [
        (probing.centre_of_gravity(of[task]["shares"]), probing.expected_layer(of[task]["mix"]))
        for task in ("tag", "relation", "entity")
    ]
    return all(low < high for one, other in pairwise(by_both) for low, high in zip(one, other, strict=True))
