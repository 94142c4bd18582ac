"""An answer from passages: what a search found is put into a prompt, and a language model writes on.

Lewis et al. (2020), "Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.analysis.generation.steps import Generation, Sampling, generate
from explorer.models import LanguageModel
from explorer.short_text import WithShortText
from explorer.text.folding import fold

FROM_PASSAGES = "Answer the question in a few words, from these passages."
FROM_MEMORY = "Answer the question in a few words."
LONGEST = 40  # tokens of an answer


@dataclass(frozen=True, eq=False, repr=False)
class Answers(WithShortText):
    """The same model's answer to a question with passages in its prompt, and without."""

    question: str
    passages: list[str]
    with_passages: Generation
    without: Generation


def prompt(model: LanguageModel, question: str, passages: Sequence[str] = ()) -> str:
    """What the model reads: the task, the passages and the question, in its chat template if it has one.

    >>> print(prompt(explorer.load("gpt"), "Who was late?", ["Ines was late."]))
    Answer the question in a few words, from these passages.
    <BLANKLINE>
    Ines was late.
    <BLANKLINE>
    Question: Who was late?
    Answer:
    """
    parts = [FROM_PASSAGES if passages else FROM_MEMORY, "\n".join(passages), f"Question: {question}"]
    message = "\n\n".join(part for part in parts if part)
    chat = model.tokenizer.chat
    return chat.render([("user", message)]) if chat else f"{message}\nAnswer:"


def begin(model: LanguageModel, question: str, passages: Sequence[str] = ()) -> Generation:
    """An answer that is not written yet: each step is the most probable token, up to 40.

    Raises AbilityError for a model that does not write.
    """
    sampling = Sampling(greedy=True, max_new_tokens=LONGEST)
    return generate(model, prompt(model, question, passages), sampling, candidates=1)


def answer(model: LanguageModel, question: str, passages: Sequence[str]) -> Answers:
    """A model's answers to a question, with passages and without.

    >>> answers = answer(explorer.load("gpt"), "Who was late?", ["Ines was late."])
    >>> len(answers.without.ids) <= LONGEST
    True
    """
    both = begin(model, question, passages), begin(model, question)
    for generation in both:
        for _ in generation:
            pass
    return Answers(question, list(passages), *both)


def is_right(text: str, short_answers: Sequence[str]) -> bool:
    """Whether a text contains one of the short answers, in any spelling, not inside a longer word or number.

    >>> is_right("It was founded in 1987.", ["1987"]), is_right("Forty-one.", ["forty"])
    (True, False)
    """
    return any(
        re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(fold(short))}(?!\w|-\w|[.,]\d)", fold(text))
        for short in short_answers
    )
