"""What the presets of “Fine-tuning” promise of its ready heads."""

from functools import cache

from explorer.finetuning import library
from explorer.finetuning.training_specs import HeadSpec
from explorer.views.finetuning import other_ways
from tests.shared_models import model


@cache
def spam_head(seed: int = 0):
    """The head that the page opens with, and that Train makes of our messages on frozen layers."""
    return HeadSpec("bert", library.examples("spam"), seed).run(model("bert")).finish()


@cache
def ready(name: str):
    return library.head(name, model("bert"))


def words(text: str) -> list[str]:
    return sorted(text.lower().strip(".").replace(",", "").split())


def is_more_positive(one: str, other: str) -> bool:
    """Of two sentences of the same words the first."""
    assert words(one) == words(other)
    first, second = ready("sst2").predict([one, other])
    return first.probabilities["positive"] > second.probabilities["positive"]


def is_labelled(text: str, label: str, seed: int) -> bool:
    """Sixty messages are enough, with this seed."""
    return spam_head(seed).predict([text])[0].label == label


def follows(text: str, pair: str) -> bool:
    return ready("rte").predict([(text, pair)])[0].label == "entailment"


def has_the_artist(text: str, name: str) -> bool:
    (tags,) = ready("slots").predict([text])
    return name in [" ".join(tags.words[e.start : e.end]) for e in tags.entities if e.label == "artist"]


def answers_with_the_year(passage: str, who: str, when: str, year: str) -> bool:
    name, time = ready("answers").predict([(passage, who), (passage, when)])
    return year in time.answer and name.answer not in time.answer


def has_no_answer(passage: str, question: str) -> bool:
    return ready("answers").predict([(passage, question)])[0].answer == ""


def has_the_answer(passage: str, question: str, answer: str) -> bool:
    return ready("answers").predict([(passage, question)])[0].answer == answer


def several_layers_are_best() -> bool:
    """Every mix of layers is better than the last layer, and that is better than the embedding, the worst."""
    scores = library.compared("choices")["scores"]
    mixes = ("sum of last four", "last four side by side", "sum of all", "mix")
    return min(scores[mix] for mix in mixes) > scores["last"] > scores["embeddings"] == min(scores.values())


def no_way_gains() -> bool:
    return "No gain over plain fine-tuning is visible" in other_ways.in_words(library.compared("ways"))
