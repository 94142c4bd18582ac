"""What the presets of “Which words mattered” promise."""

from collections.abc import Callable
from functools import cache

from explorer.analysis.attribution.attention import rollout_shares
from explorer.analysis.attribution.gradients import gradient_times_input, integrated_gradients
from explorer.analysis.attribution.prediction import Prediction, word_prediction
from explorer.analysis.attribution.removal import deletion
from explorer.finetuning import library
from explorer.finetuning.attribution import class_prediction
from explorer.views.why.settings import WHICH_STEPS
from tests.shared_models import model


def complete(prediction: Prediction):
    return integrated_gradients(prediction, WHICH_STEPS.default).values


def parts(prediction: Prediction, method: Callable) -> dict[str, float]:
    """Each word's part, the largest first."""
    tokens = [prediction.encoding.tokens[position] for position in prediction.judged]
    return dict(sorted(zip(tokens, method(prediction).tolist()), key=lambda pair: -pair[1]))


def first(prediction: Prediction, method: Callable) -> str:
    return next(iter(parts(prediction, method)))


@cache
def head():
    return library.head("sst2", model("bert"))


def subject(text: str, noun: str, neighbour: str) -> bool:
    """Deletion and integrated gradients name the subject first; the nearer noun speaks against its verb."""
    prediction = word_prediction(model("bert"), text, "were", "was")
    named = {first(prediction, deletion), first(prediction, complete)}
    return named == {noun} and parts(prediction, complete)[neighbour] < 0


def negation(text: str) -> bool:
    """By deletion “not” comes first, by attention the full stop."""
    prediction = class_prediction(head(), text, "negative", "positive")
    return (first(prediction, deletion), first(prediction, rollout_shares)) == ("not", ".")


def pronoun(text: str, answer: str, instead: str, noun: str) -> bool:
    """The noun that a pronoun stands for speaks most for it, by deletion and by integrated gradients."""
    prediction = word_prediction(model("bert"), text, answer, instead)
    return {first(prediction, deletion), first(prediction, complete)} == {noun}


def capital(country: str, answer: str, instead: str, text: str) -> bool:
    """Deletion puts the country first, gradient x input last."""
    asked = text.replace("France", country)
    prediction = word_prediction(model("bert"), asked, answer.lower(), instead.lower())
    by_gradient = list(parts(prediction, gradient_times_input))
    return first(prediction, deletion) == by_gradient[-1] == country.lower()


def speaks_against_by_gradient_alone(text: str, answer: str, word: str) -> bool:
    """By deletion and integrated gradients the word speaks for the answer."""
    prediction = word_prediction(model("bert"), text.replace(answer, "[MASK]"), answer)
    by_deletion, by_path = (parts(prediction, method)[word] for method in (deletion, complete))
    return min(by_deletion, by_path) > 0.5 and parts(prediction, gradient_times_input)[word] < -0.1


def are_first(text: str, other: str, by_deletion: str, by_gradient: str, name: str) -> bool:
    """Deletion and gradient x input each name another word of the first prompt first."""
    prediction = word_prediction(model(name), text)
    named = [first(prediction, method).strip("Ġ") for method in (deletion, gradient_times_input)]
    return named == [by_deletion, by_gradient]
