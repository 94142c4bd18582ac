"""Word senses, the maps: with nine siblings, a preset's point holds for seven of ten."""

from collections.abc import Callable
from functools import cache
from statistics import median

import pytest
import torch

from explorer.analysis import senses
from explorer.analysis.senses.classify import Classification, classify
from explorer.views.frame.server import memory
from explorer.views.senses import four_models_presets, presets
from explorer.views.senses.four_maps import ByModel, panels, reads
from explorer.views.senses.layer_maps import layer_maps
from explorer.views.senses.new_occurrence import new_occurrence
from explorer.views.senses.presets import FIVE, PRESETS, PUZZLE, sentences
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences, find_word
from tests.siblings import seven_of_ten, siblings
from tests.siblings.library import DRAWS, WORDS, plain
from tests.views.opening import defaults

DEFAULTS = defaults("senses")

SENTENCES = siblings("senses")
BANK, FIRST_LAYER, A_PUZZLE = PRESETS[:3]  # the others point at WordNet’s list
THIRD, WITH_BLOOD, BETWEEN, STICK = (p for p in PRESETS if "new" in p.values and p.language == "en")
FOUR, ALIKE, DEPOSIT, HARDER, SPRINGS = four_models_presets.PRESETS
NAMES = ["word2vec", "elmo", "bert", "gpt"]


def seen(text: str, word: str = "bank", name: str = DEFAULTS["model"]) -> WordOccurrences:
    return find_word(memory.get(name), text, word)


def three_places(text: str) -> bool:
    """On the map, two dots of one sense are closer to each other than to any dot of another sense."""
    found = seen(text)
    plane = layer_maps(found, "pca", 2, DEFAULTS["layer"]).planes[DEFAULTS["layer"] - ALONE]
    apart = torch.cdist(plane, plane)
    money, river = (float(apart[i, i + 1]) for i in (0, 2))
    others = [float(apart[i, j]) for i in range(5) for j in range(i) if found.senses[i] != found.senses[j]]
    return max(money, river) < min(others)


def first_layer_mixes(text: str) -> bool:
    """Nearly the same vector before the first layer, and not after the last."""
    found = seen(text)
    mean = [float(senses.cosine_matrix(found.matches, layer).mean()) for layer in (0, DEFAULTS["layer"])]
    return mean[0] > 0.9 > mean[1]


def money_and_river(puzzle: str) -> bool:
    """Among the puzzle's five nearest neighbours is money, and is river."""
    text = f"{sentences('bank')}\n{puzzle}"
    found = seen(text)
    puzzled = found.senses.index(None)
    nearest = senses.cosine_matrix(found.matches, DEFAULTS["layer"])[puzzled].argsort(descending=True)[1:6]
    return {found.senses[i] for i in nearest} >= {"money", "river"}


@cache
def classified(new: str, *kinds: str, word: str = "bank") -> Classification:
    """A new sentence among the library's of some senses, itself left out."""
    text = "\n".join(line for line in plain(word) if line.rpartition("#")[2] in kinds and new not in line)
    known, one = seen(text, word), new_occurrence(memory.get(DEFAULTS["model"]), new, word)
    return classify(one.at(DEFAULTS["layer"]), known.at(DEFAULTS["layer"]), known.senses)


def outsider(new: str) -> bool:
    """Farther from the nearest sense than any of its own sentences."""
    return classified(new, "money", "river").senses[0].farther == 0


def one_of_them(new: str) -> bool:
    nearest = classified(new, "money", "river", "blood").senses[0]
    return nearest.sense == "blood" and nearest.farther > 0


@cache
def usual_margin() -> float:
    """The median margin of the library's own sentences of money and river, each among the others."""
    found = seen("\n".join(line for line in plain("bank") if not line.endswith("#blood")))
    vectors, kinds = found.at(DEFAULTS["layer"]), found.senses
    margins = []
    for i, one in enumerate(vectors):
        others = [j for j in range(len(vectors)) if j != i]
        margins.append(classify(one, vectors[others], [kinds[j] for j in others]).margin)
    return median(margins)


def hardly_decided(new: str) -> bool:
    return classified(new, "money", "river").margin < usual_margin()


def with_glue(new: str) -> bool:
    """To stick to something is nearer to glue that sticks than to a stick of wood."""
    return classified(new, "wood", "glue", word="stick").senses[0].sense == "glue"


@cache
def four(word: str, text: str) -> dict[str, dict]:
    """Each model's panel."""
    models = {name: memory.get(name) for name in NAMES}
    by = [ByModel(name, find_word(model, text, word), reads(model)) for name, model in models.items()]
    made = panels(by, "best", 300)
    return {panel["name"]: panel for panel in made}


def context_tells(word: str, text: str) -> bool:
    """Static, all occurrences are one dot; in context BERT tells more of them apart than word2vec."""
    made = four(word, text)
    return len(made["bert"]["alike"]["static"]) <= 2 and made["bert"]["right"] > made["word2vec"]["right"]


def all_tell_money_from_river(text: str) -> bool:
    """The four dots that have another of their sense are right in every model that reads sentences."""
    made = four("bank", text)
    return all(made[name]["right"] == made[name]["judged"] == 4 for name in ("elmo", "bert", "gpt"))


def bert_ahead_of_elmo(text: str) -> bool:
    made = four("bank", text)
    return made["bert"]["right"] > made["elmo"]["right"]


def gpt_has_read_too_little(word: str, text: str) -> bool:
    """One vector for all to GPT, one each to BERT, which tells the senses better."""
    made = four(word, text)
    apart = [len(made[name]["alike"]["context"]) for name in ("gpt", "bert")]
    return apart == [1, len(made["bert"]["dots"])] and made["bert"]["right"] > made["gpt"]["right"]


BLOOD = [
    presets.BLOOD,
    *(
        text
        for text, _, sense in (line.rpartition(" #") for line in plain("bank"))
        if sense == "blood" and text != presets.BLOOD
    ),
][:10]
LIBRARY = [[word, sentences(word)] for word in WORDS]
FIVES = [FIVE, *("\n".join(five) for five in SENTENCES["five"])]
POINTS: dict[str, tuple[Callable[..., bool], list]] = {
    BANK.label: (three_places, FIVES),
    FIRST_LAYER.label: (first_layer_mixes, FIVES),
    A_PUZZLE.label: (money_and_river, [PUZZLE, *SENTENCES[A_PUZZLE.label]]),
    WITH_BLOOD.label: (one_of_them, BLOOD),
    BETWEEN.label: (hardly_decided, [BETWEEN.values["new"], *SENTENCES[BETWEEN.label]]),
    STICK.label: (with_glue, [STICK.values["new"], *SENTENCES[STICK.label]]),
    FOUR.label: (all_tell_money_from_river, FIVES),
    HARDER.label: (bert_ahead_of_elmo, [HARDER.values["text"], *DRAWS[1:]]),
    SPRINGS.label: (context_tells, [["spring", SPRINGS.values["text"]], *LIBRARY]),
    ALIKE.label: (gpt_has_read_too_little, [["bank", ALIKE.values["text"]], *SENTENCES["begin alike"]]),
    DEPOSIT.label: (
        gpt_has_read_too_little,
        [["bank", DEPOSIT.values["text"]], *SENTENCES[DEPOSIT.label]],
    ),
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    seven_of_ten(*POINTS[label])


def test_few_other_blood_banks_give_themselves_away():
    """What the third sense's preset says of its own sentence, and of the others."""
    own, *nine = BLOOD
    assert len(nine) == 9 and outsider(own)
    assert sum(map(outsider, nine)) <= 3
