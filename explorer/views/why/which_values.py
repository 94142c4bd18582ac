"""What “Which words mattered” computes: the chosen prediction, and each word's part in it."""

from typing import TYPE_CHECKING, NamedTuple

from explorer.catalogue.ability import Ability
from explorer.locale import N_
from explorer.text.letters import has_letters
from explorer.views import kit
from explorer.views.types import Curves, LanguageModel, Tensor
from explorer.views.why.settings import ANSWER, FIRST, INSTEAD, WHICH_OF

if TYPE_CHECKING:
    from explorer.analysis.attribution.prediction import Prediction

METHODS = {
    "deletion": N_("Deletion"),
    "gradient": N_("Gradient × input"),
    "integrated": N_("Integrated gradients"),
    "rollout": N_("Attention (rollout)"),
}
FOR_A_CLASS = {
    "deletion": N_("Take the word away"),
    "gradient": N_("Change it a little"),
    "integrated": N_("Fade it in"),
    "rollout": N_("Follow the attention"),
}
UNSIGNED = "rollout"


class Question(NamedTuple):
    """What is predicted, as the settings say; a cache's key."""

    text: str
    head: str  # the name of a ready head, `own`, or "" for a word
    answer: str
    instead: str


def question_of(page: kit.OpenPage[None]) -> Question:
    """What the settings ask; in a text without a blank the last word of one token is hidden."""
    from explorer.analysis.attribution.prediction import local
    from explorer.analysis.prediction.masking import standard

    settings, model = page.settings, page.model
    local(model)
    head = "" if settings[WHICH_OF] == "word" else settings[WHICH_OF]
    text, answer = standard(settings[FIRST]), settings[ANSWER].strip()
    if not head and Ability.FILL in model.abilities and kit.MASK not in text:
        text, hidden = hide_last_word(model, text)
        answer = answer or hidden
    return Question(text, head, answer, settings[INSTEAD].strip())


def hide_last_word(model: "LanguageModel", text: str) -> tuple[str, str]:
    """The text with [MASK] in place of its last word of one token, and that word; "" if there is none."""
    from explorer.analysis.prediction.masking import mask_span
    from explorer.analysis.words import words

    encoding = model.encode(text, limit=kit.LIVE_TOKENS)
    for word in reversed(words(encoding)):
        if not word.special and len(word.positions) == 1 and has_letters(word.text):
            hidden = model.tokenizer.readable(int(encoding.ids[word.positions[0]]))
            return mask_span(text, (word.start, word.end)), hidden
    return text, ""


@kit.kept(64)
def predicted(model: "LanguageModel", question: Question) -> "Prediction":
    """The prediction that a question is about."""
    from explorer.analysis.attribution.prediction import word_prediction
    from explorer.finetuning import library
    from explorer.finetuning.attribution import class_prediction

    text, head, answer, instead = question
    if head:
        return class_prediction(library.head(head, model), text, answer, instead, kit.LIVE_TOKENS)
    return word_prediction(model, text, answer, instead, limit=kit.LIVE_TOKENS)


@kit.kept(256, N_("Measuring each word’s part"))
def values_of(model: "LanguageModel", question: Question, method: str, steps: int) -> "tuple[Tensor, float]":
    """Each judged word's part by a method, and what is missing for completeness, in nats."""
    from explorer.analysis.attribution.attention import rollout_shares
    from explorer.analysis.attribution.gradients import gradient_times_input, integrated_gradients
    from explorer.analysis.attribution.removal import deletion

    prediction = predicted(model, question)
    if method == "integrated":
        result = integrated_gradients(prediction, steps)
        return result.values, result.error
    functions = {"deletion": deletion, "gradient": gradient_times_input, "rollout": rollout_shares}
    return functions[method](prediction), 0.0


@kit.kept(64, N_("Taking words away"))
def curves_of(model: "LanguageModel", question: Question, steps: int) -> "Curves":
    """The prediction without the words that each method names first."""
    from explorer.analysis.attribution.faithfulness import faithfulness

    rows = {method: values_of(model, question, method, steps)[0] for method in METHODS}
    return faithfulness(predicted(model, question), rows)
