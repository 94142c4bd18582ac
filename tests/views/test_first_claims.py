"""What the lines under the opening pictures say comes out, on the weights that ship.

Each check stands beside the words that it is about: who changes a line finds its check. Lines that say
what a preset says too are held by tests/presets, and those that only ask something need none.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from explorer.analysis import prediction, projection, vectors
from explorer.analysis.attention import rollout
from explorer.analysis.attribution.gradients import gradient_times_input
from explorer.analysis.attribution.prediction import word_prediction
from explorer.analysis.attribution.removal import deletion
from explorer.analysis.heads import stored
from explorer.analysis.prediction import corruption, logit_lens, surprisal
from explorer.analysis.senses.classify import classify
from explorer.analysis.transformer import walk
from explorer.analysis.vectors import pieces
from explorer.finetuning import library
from explorer.views.about import card, families, record, written
from explorer.views.attention import across_layers, which_words
from explorer.views.attention.settings import TIRED
from explorer.views.continuations import colour, decoders
from explorer.views.continuations import page as continuations
from explorer.views.continuations.texts import PASSAGE
from explorer.views.elmo import bilm, characters
from explorer.views.finetuning import (
    answer_in_text,
    other_ways,
    which_layers,
)
from explorer.views.finetuning.settings import TEXTS
from explorer.views.frame.view import View
from explorer.views.heads import kinds
from explorer.views.home import start
from explorer.views.masked import corruption as chosen
from explorer.views.masked import layers, next_sentence, own_words, predict, replaced, sets
from explorer.views.senses import four_models, sense_map
from explorer.views.senses.example_sentences import FIVE
from explorer.views.transformer import steps
from explorer.views.vectors import analogies, fasttext, neighbours, one_hot, word_map
from explorer.views.vectors import page as words_page
from explorer.views.vectors.word_table import group_words
from tests.presets.finetuning import ready
from tests.presets.lens import first, lens
from tests.presets.replaced import suspicion
from tests.presets.senses import (
    all_tell_money_from_river,
    four,
    seen,
)
from tests.presets.sets import bits_of_sets
from tests.presets.which_words import complete, parts
from tests.shared_models import model
from tests.views.opening import defaults, page_settings

SIDES = defaults("elmo")
HEADS = defaults("heads")
HOME = defaults("home")
MASKED = defaults("masked")
SENSES = defaults("senses")
TRANSFORMER = defaults("transformer")

pytestmark = pytest.mark.weights

CLAIMS: list[tuple[Sequence[str], str, Callable[[], bool]]] = []


def says(view: View, words: str):
    """The function below checks what these words of a line under a view's opening picture say."""

    def take(check: Callable[[], bool]) -> Callable[[], bool]:
        CLAIMS.append(([*view.text.first, *view.text.phrases.values()], words, check))
        return check

    return take


@cache
def known() -> vectors.Vectors:
    return vectors.of(model("word2vec"))


def near(word: str) -> set[str]:
    return {one.word for one in vectors.nearest(known(), word, 12)}


def likely(text: str) -> list[tuple[str, float]]:
    return prediction.fill_mask(model("bert"), text, top=10)[0]


@says(neighbours.VIEW, "nearest to “king” come from the same world")
def _() -> bool:
    return near("king") >= {"queen", "prince", "throne", "ruler"}


@says(neighbours.VIEW, "Which of the two meanings of “bank” wins?")
def _() -> bool:
    found = near("bank")
    return len(found & {"loans", "deposit", "cashier", "lenders"}) > 1 + len(found & {"river", "shore"})


@says(one_hot.VIEW, "Change “rain” to “princess”")
def _() -> bool:
    return all(vectors.similarity(known(), "princess", one) > 0.5 for one in ("king", "queen"))


def places(text: str) -> dict[str, tuple[int, list[float]]]:
    """The words of the map: group and place."""
    words, member, *_ = group_words(known(), text, 100)
    made = projection.project(known().unit(words), "pca", axes=2).coordinates
    return {word: (group, place) for word, group, place in zip(words, member, made.tolist())}


@says(word_map.VIEW, "Put “storm” among the foods. Its colour changes, but its place does not")
def _() -> bool:
    text = defaults(words_page.PAGE)["words"]
    before, after = places(text), places(text.replace(" storm", "").replace("bread", "bread storm"))
    (group, old), (other, new) = before["storm"], after["storm"]
    return group != other and new == pytest.approx(old, abs=1e-4)


@says(word_map.VIEW, "Words of one group, in one colour, lie together")
def _() -> bool:
    text = defaults(words_page.PAGE)["words"]
    placed = places(text)
    return all(
        group == min((math.dist(at, other), g) for w, (g, other) in placed.items() if w != word)[1]
        for word, (group, at) in placed.items()
    )


@says(analogies.VIEW, "it ends near “queen”")
def _() -> bool:
    return vectors.analogy(known(), "king", "man", "woman").answers[0].word == "queen"


@says(analogies.VIEW, "Change “king” to “actor”. Where does the arrow end?")
def _() -> bool:
    return vectors.analogy(known(), "actor", "man", "woman").answers[0].word == "actress"


@says(fasttext.VIEW, "Its n-grams are those of “unthinkable” and “workable”")
def _() -> bool:
    near = {one.word for one in pieces.relatives("unbankable", known().words, fasttext.TOP)}
    return "unbankable" not in known() and near >= {"unthinkable", "workable"}


def first_guesses() -> list[str]:
    """The first guess from either side at the place with which the page opens."""
    elmo = model("elmo")
    found = prediction.sides(elmo, SIDES["text"], SIDES["place"])
    return [prediction.words_of(elmo, p, 1)[0].token for p in (found.left, found.right)]


@says(bilm.VIEW, "has read “They were on the other” and predicts “side”")
@says(bilm.VIEW, "So does the backward LSTM, from “of the river”")
def _() -> bool:
    return first_guesses() == ["side", "side"]


@says(characters.VIEW, "ELMo has never met this word")
def _() -> bool:
    from explorer.analysis.characters import own_words

    return str(defaults("elmo")["word"]) not in own_words(model("elmo"))


@says(which_words.VIEW, "“Too” speaks for “tired” by deletion and integrated gradients")
def _() -> bool:
    prediction = word_prediction(model("bert"), TIRED.replace("tired", "[MASK]"), "tired")
    by_deletion, by_path = (parts(prediction, method)["too"] for method in (deletion, complete))
    return by_deletion > 0.5 and by_path > 0.5 and parts(prediction, gradient_times_input)["too"] < -0.1


@says(across_layers.VIEW, "about as much from every word, and no more from itself")
def _() -> bool:
    trace = model("bert").trace(TIRED)
    words = [token for token, special in zip(trace.tokens, trace.encoding.special) if not special]
    it = words.index("it")
    row = rollout.rollout(rollout.steps(trace, trace.encoding.special))[-1][it] * len(
        words
    )  # 1 is an even share
    return float(row.min()) > 0.5 and float(row.max()) < 2 and int(row.argmax()) != it


@says(kinds.VIEW, "One head finds the verb of most objects")
def _() -> bool:
    found = stored("bert").halves[HEADS["of"]].relations[HEADS["what"]][HEADS["way"]]
    return float(found.accuracy[found.best]) > 0.5


@says(start.VIEW, "first guess is “money”, far ahead")
def _() -> bool:
    (word, most), (_, second), *_ = likely(HOME["text"])
    return word == "money" and most > 3 * second


@says(predict.VIEW, "Change “patient” to “package”. Which place comes first now?")
def _() -> bool:
    return (
        likely(MASKED["text"])[0][0]
        == "hospital"
        != likely(MASKED["text"].replace("patient", "package"))[0][0]
    )


@says(layers.VIEW, "After layers 4 and 5, “house” and then “station” do")
def _() -> bool:
    found = lens(MASKED["text"])
    return [first("bert", found, layer) for layer in (-3, -2, -1)] == ["house", "station", "hospital"]


@says(layers.VIEW, "Type “airport” in the box")
def _() -> bool:
    ranks = lens(MASKED["text"]).ranks(logit_lens.tracked_word(model("bert"), "airport").id)
    return ranks[0] > 1000 > 10 > ranks[-1]


@says(sets.VIEW, "“Soldier” leans furthest towards “he”. Only “maid” leans towards “she”")
def _() -> bool:
    bits, _ = bits_of_sets(*(MASKED[name] for name in ("template", "fillers", "one", "other")))
    return max(bits, key=bits.get) == "soldier" and [word for word in bits if bits[word] < 0] == ["maid"]


@says(chosen.VIEW, "Two of the twelve tokens are chosen: one is hidden, and one is replaced")
def _() -> bool:
    bert, how = model("bert"), corruption.Treatment
    rates = corruption.Rates(chosen=MASKED["share"] / 100)
    encoding = bert.encode(MASKED["sentence"])
    fate = corruption.corrupt(bert, encoding, int(MASKED["seed"]), rates).treatments
    counted = [fate.count(one) for one in (how.MASKED, how.RANDOM, how.KEPT)]
    return counted == [1, 1, 0] and int((~encoding.special).sum()) == 12


@says(next_sentence.VIEW, "The sentence about the beach follows the first one better than those from")
def _() -> bool:
    beach, *others = (
        prediction.next_sentence(model("bert"), MASKED["first"], second)
        for second in str(MASKED["seconds"]).splitlines()
    )
    return beach > max(0.5, *others)


@says(replaced.VIEW, "Does the discriminator find it too?")
def _() -> bool:
    ((at, odd),) = own_words.OURS.items()
    text = str(MASKED["read"])
    seen = suspicion(text.replace(text.split()[at], odd))
    return [word for word, probability in seen.items() if probability > 0.5] == [odd]


def in_the_last(text: str) -> str:
    """The sense that the sentence without a tag lies nearest to."""
    found = seen(text)
    at, tags = found.at(SENSES["layer"]), found.senses
    others = [i for i, tag in enumerate(tags) if tag]
    return classify(at[tags.index(None)], at[others], [tags[i] for i in others]).senses[0].sense


@says(sense_map.VIEW, "In the last sentence, change “blood” to “river”. Where does its dot go?")
def _() -> bool:
    return in_the_last(FIVE.replace("its own blood bank. #blood", "its own river bank.")) == "river"


@says(four_models.VIEW, "The models that read sentences tell money, river and blood apart")
def _() -> bool:
    return len(four("bank", FIVE)["word2vec"]["alike"]["context"]) == 1 and all_tell_money_from_river(FIVE)


@says(colour.VIEW, "Change “elephant” to “butter”, and look at the last sentence again")
def _() -> bool:
    bits = []
    for word in ("elephant", "butter"):
        text = PASSAGE.replace("elephant", word)
        found = surprisal.of_words(surprisal.read(model("gpt"), text))
        bits.append(next(one.bits for one in found if text[one.start : one.end] == word))
    return bits[1] < bits[0] / 2


@says(decoders.VIEW, "Greedy and beam search start the same way; the others diverge")
def _() -> bool:
    asked = page_settings("continuations", **defaults(continuations.PAGE) | {"length": 6})
    found = []
    for search in decoders.searches(asked, model("gpt")):
        list(search)
        found.append(decoders.output_of(search).ids)
    greedy, beam, *others = found
    return greedy[:3] == beam[:3] and all(one[:4] != greedy[:4] for one in others)


@says(steps.VIEW, "[MASK] attends most to “train”, and BERT’s first guess is “station”")
def _() -> bool:
    text = TRANSFORMER["text"]
    found = walk(model("bert"), text, None, TRANSFORMER["layer"], TRANSFORMER["head"])
    most = found.encoding.tokens[int(found.value("weights")[TRANSFORMER["word"]].argmax())]
    best = prediction.top(model("bert"), prediction.blanks(model("bert"), text), 0, 1)[0]
    return (most, best.token) == ("train", "station")


@says(
    written.VIEW,
    "Before its first step GPT writes words at random. At the end it writes sentences",
)
def _() -> bool:
    """At random, words and marks that every text is full of are rare; in a text of sentences they are not."""
    frequent = {"the", "a", "he", "she", "it", "was", "to", "and", "of", "in", "said", "her", "his", "."}
    training = record.read("gpt")

    def count(text: str) -> int:
        return sum(word in frequent for word in re.findall(r"\w+|\.", text.lower()))

    start, end = ([count(text) for text in training.snapshots[at].continuations] for at in (0, -1))
    return max(start) <= 1 and min(end) >= 3


@says(card.VIEW, "the larger the model, the more it gets right. Ours are at the far left")
def _() -> bool:
    own = max(one.parameters for one in families.own())
    for family in families.published():
        scored = [one.lambada for one in family.members if one.lambada is not None]
        if scored != sorted(scored) or min(one.parameters for one in family.members) < own:
            return False
    return True


@says(answer_in_text.VIEW, "The answer is “Whitcomb Judson”")
def _() -> bool:
    return ready("answers").predict([(TEXTS["passage"], TEXTS["question"])])[0].answer == "Whitcomb Judson"


@says(which_layers.VIEW, "better than the last one alone. The embedding is the worst")
def _() -> bool:
    scores = library.compared("choices")["scores"]
    several = ("sum of last four", "last four side by side", "sum of all", "mix")
    return all(
        scores[layers] > scores["last"] > scores["embeddings"] == min(scores.values()) for layers in several
    )


@says(other_ways.VIEW, "The runs of most ways differ by more than the ways do")
def _() -> bool:
    return "No gain over plain fine-tuning is visible" in other_ways.in_words(library.compared("ways"))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim[1])
def test_what_an_opening_line_says_comes_out(claim):
    line, words, check = claim
    assert words in " ".join(line) and check()
