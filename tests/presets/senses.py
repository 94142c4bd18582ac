"""What the presets of Word senses promise."""

from functools import cache
from statistics import median

import torch

from explorer.analysis import senses
from explorer.analysis.senses import seriation, topic
from explorer.analysis.senses.classify import Classification, classify
from explorer.analysis.senses.separation import separation
from explorer.server import memory
from explorer.views.senses.by_model import random_words
from explorer.views.senses.example_sentences import A_SENSE, ALL, sentences
from explorer.views.senses.layer_maps import layer_maps
from explorer.views.senses.new_occurrence import new_occurrence
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences, find_word
from tests.shared_models import model
from tests.views.opening import defaults
from tests.views.senses.test_four_models import by_name

DEFAULTS = defaults("senses")


def plain(word: str) -> list[str]:
    """Our sentences for a word, but for the minimal pairs."""
    return [line for line in sentences(word, ALL).splitlines() if "~" not in line]


def drawn(text: str | int) -> str:
    """A text; for a number, other sentences for bank drawn with that seed, as many a sense as on the page."""
    if isinstance(text, str):
        return text
    kept = plain("bank")
    order = torch.randperm(len(kept), generator=torch.Generator().manual_seed(text)).tolist()
    lines = [kept[i] for i in order]
    kinds = [line.rpartition("#")[2] for line in lines]
    return "\n".join(line for i, line in enumerate(lines) if kinds[:i].count(kinds[i]) < A_SENSE)


def seen(text: str, word: str = "bank", name: str = DEFAULTS["model"]) -> WordOccurrences:
    return find_word(memory.get(name), text, word)


def lie_in_three_places(text: str) -> bool:
    """On the map, two dots of one sense are closer to each other than to any dot of another sense."""
    found = seen(text)
    plane = layer_maps(found, "pca", 2, DEFAULTS["layer"]).planes[DEFAULTS["layer"] - ALONE]
    apart = torch.cdist(plane, plane)
    money, river = (float(apart[i, i + 1]) for i in (0, 2))
    others = [float(apart[i, j]) for i in range(5) for j in range(i) if found.senses[i] != found.senses[j]]
    return max(money, river) < min(others)


def lie_in_two_places(word: str, text: str, name: str) -> bool:
    """On the map at the last layer, the nearest dot of each is one of its own sense."""
    found = seen(text, word, name)
    plane = layer_maps(found, "pca", 2, found.layers).planes[found.layers - ALONE]
    nearest = torch.cdist(plane, plane).fill_diagonal_(torch.inf).argmin(1).tolist()
    return [found.senses[i] for i in nearest] == found.senses and len(set(found.senses)) == 2


def most_are_nearest_to_their_sense(word: str, text: str, others: str, name: str) -> bool:
    """At the last layer, of ten other sentences seven are nearest to the sense written beside them."""
    known, ten = seen(text, word, name), senses.read_sentences(others)
    at = [new_occurrence(memory.get(name), one.text, word).at(known.layers) for one in ten]
    nearest = [classify(one, known.at(known.layers), known.senses).senses[0].sense for one in at]
    return len(ten) == 10 and sum(one.sense == sense for one, sense in zip(ten, nearest)) >= 7


def are_mixed_before_the_first_layer(text: str) -> bool:
    """Nearly the same vector before the first layer, and not after the last."""
    found = seen(text)
    mean = [float(senses.cosine_matrix(found.matches, layer).mean()) for layer in (0, DEFAULTS["layer"])]
    return mean[0] > 0.9 > mean[1]


def has_neighbours_of_both(puzzle: str) -> bool:
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


def is_one_of_them(new: str) -> bool:
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


def is_hardly_decided(new: str) -> bool:
    return classified(new, "money", "river").margin < usual_margin()


def is_with_glue(new: str) -> bool:
    """To stick to something is nearer to glue that sticks than to a stick of wood."""
    return classified(new, "wood", "glue", word="stick").senses[0].sense == "glue"


four = cache(by_name)


def context_tells(word: str) -> bool:
    """Static, all occurrences are one dot; in context BERT tells more of them apart than word2vec."""
    made = four(sentences(word), word)
    return len(made["bert"]["alike"]["static"]) <= 2 and made["bert"]["right"] > made["word2vec"]["right"]


def all_tell_money_from_river(text: str) -> bool:
    """The four dots that have another of their sense are right in every model that reads sentences."""
    made = four(text)
    return all(made[name]["right"] == made[name]["judged"] == 4 for name in ("elmo", "bert", "gpt"))


def bert_is_ahead_of_elmo(text: str | int) -> bool:
    made = four(drawn(text))
    return made["bert"]["right"] > made["elmo"]["right"]


def gpt_has_read_too_little(word: str, text: str) -> bool:
    """One vector for all to GPT, one each to BERT, which tells the senses better."""
    made = four(text, word)
    apart = [len(made[name]["alike"]["context"]) for name in ("gpt", "bert")]
    return apart == [1, len(made["bert"]["dots"])] and made["bert"]["right"] > made["gpt"]["right"]


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


def senses_part_layer_by_layer(text: str | int) -> bool:
    found = by_model("bert", drawn(text))
    return found[-1] > found[0]


def much_is_topic(word: str) -> bool:
    """More than half of BERT's way from word2vec, which has one vector for all and so gives chance."""
    text = sentences(word, ALL)
    (chance,) = by_model("word2vec", text, word)
    return by_topic(word, text)["mean"] - chance > (max(by_model("bert", text, word)) - chance) / 2


def cosines(text: str, word: str = "bank", name: str = DEFAULTS["model"], layer: int = DEFAULTS["layer"]):
    found = find_word(memory.get(name), text, word)
    return senses.cosine_matrix(found.matches, layer), found.senses


def are_in_blocks(text: str | int) -> bool:
    within, across = seriation.within_and_across(*cosines(drawn(text)))
    return within > across + 0.04


def are_all_alike(word: str, layer: int) -> bool:
    """All cosines are high; over those of any two words little is left."""
    within, across = seriation.within_and_across(*cosines(sentences(word), word, "gpt", layer))
    return (
        min(within, across) > 0.85 and within - float(random_words(memory.get("gpt")).similarity[layer]) < 0.3
    )


def moves_to(text: str, old: str, new: str, sense: str) -> bool:
    """With other words around it, the occurrence in the last sentence is nearest to another sense."""
    assert old in text
    found = seen(text.replace(old, new))
    at, tags = found.at(DEFAULTS["layer"]), found.senses
    others = [i for i, tag in enumerate(tags) if tag]
    judged = classify(at[tags.index(None)], at[others], [tags[i] for i in others])
    return judged.senses[0].sense == sense


def only_word2vec_has_one_dot(text: str) -> bool:
    return len(four(text)["word2vec"]["alike"]["context"]) == 1 and all_tell_money_from_river(text)
