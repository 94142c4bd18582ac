"""Word senses, the views beside its maps: with nine siblings, a preset's point holds for seven of ten."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from explorer.analysis import senses
from explorer.analysis.senses import seriation, topic
from explorer.analysis.senses.separation import separation
from explorer.views.frame.server import memory
from explorer.views.senses import how_well, matrix
from explorer.views.senses.by_model import random_words
from explorer.views.senses.presets import ALL, PAIRS, sentences
from explorer.views.senses.word_occurrences import find_word
from explorer.views.settings.settings import Settings
from tests.shared_models import model
from tests.siblings import seven_of_ten
from tests.siblings.library import DRAWS, TOPIC_WORDS, WORDS
from tests.views.opening import defaults, page_settings

DEFAULTS = defaults("senses")

BY_LAYER, TOPIC, MINIMAL = how_well.VIEW.presets
BLOCKS, BESIDE, ALIKE = matrix.VIEW.presets


def settings(preset, text: str, **more) -> Settings:
    own = defaults("senses") | {"own": False, "corpus": ""}
    return page_settings("senses", **DEFAULTS | own | preset.values | {"text": text} | more)


def by_topic(word: str, text: str) -> dict[str, float]:
    """Macro-F1 of the two readers of the words around."""
    found = find_word(memory.get(DEFAULTS["model"]), text, word)
    texts = [one.text for one in found.sentences]
    vectors = {
        "mean": topic.other_words(model("word2vec"), texts, found.matches),
        "bag": topic.bag_of_words(texts, found.matches),
    }
    return {name: float(separation(of, found.senses).macro_f1[0]) for name, of in vectors.items()}


def by_model(name: str, text: str, word: str = "bank") -> list[float]:
    """Macro-F1 by layer."""
    return find_word(memory.get(name), text, word).separation.macro_f1.tolist()


def climbs(text: str) -> bool:
    found = by_model("bert", text)
    return found[-1] > found[0]


def much_is_topic(word: str, text: str) -> bool:
    """More than half of BERT's way from word2vec, which has one vector for all and so gives chance."""
    (chance,) = by_model("word2vec", text, word)
    return by_topic(word, text)["mean"] - chance > (max(by_model("bert", text, word)) - chance) / 2


def topic_misleads(word: str, text: str) -> bool:
    """The topic's readers are below chance."""
    return max(by_topic(word, text).values()) < by_model("word2vec", text, word)[0]


def cosines(text: str, word: str = "bank", name: str = DEFAULTS["model"], layer: int = DEFAULTS["layer"]):
    found = find_word(memory.get(name), text, word)
    return senses.cosine_matrix(found.matches, layer), found.senses


def blocks(text: str) -> bool:
    within, across = seriation.within_and_across(*cosines(text))
    return within > across + 0.04


def gathered(word: str, text: str) -> bool:
    """In a row by likeness one word stands among another sense at most: two neighbours fewer are alike."""
    found, known = cosines(text, word)
    order = [known[i] for i in seriation.order_by_similarity(found) if known[i]]
    return sum(a == b for a, b in pairwise(order)) >= len(order) - len(set(order)) - 2


def all_alike(word: str, text: str) -> bool:
    """All cosines are high; over those of any two words little is left."""
    layer = ALIKE.values["layer"]
    within, across = seriation.within_and_across(*cosines(text, word, "gpt", layer))
    return (
        min(within, across) > 0.85 and within - float(random_words(memory.get("gpt")).similarity[layer]) < 0.3
    )


def others(kind: str, words: list[str]) -> list[list[str]]:
    """Bank, the presets' own word, and nine of the library, each with its sentences of one kind."""
    return [[word, sentences(word, kind)] for word in ("bank", *words)]


FEW = "few"
POINTS: dict[str, tuple[Callable[..., bool], list]] = {
    BY_LAYER.label: (climbs, DRAWS),
    TOPIC.label: (much_is_topic, others(ALL, TOPIC_WORDS)),
    MINIMAL.label: (topic_misleads, others(PAIRS, TOPIC_WORDS)),
    BLOCKS.label: (blocks, DRAWS),
    BESIDE.label: (
        gathered,
        [
            ["cell", sentences("cell")],
            ["bank", sentences("bank")],
            *([w, sentences(w)] for w in WORDS if w != "cell"),
        ],
    ),
    ALIKE.label: (all_alike, others(FEW, WORDS)),
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    seven_of_ten(*POINTS[label])
