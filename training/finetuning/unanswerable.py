"""Questions without an answer, made from questions that have one (see `data.answers`).

elsewhere   the question with the passage of another question, on another subject
left out    the question with its own passage, without the sentences that contain the answer
"""

import random
from collections.abc import Sequence

from explorer.finetuning.examples import Question
from training.text.shards import SENTENCE_END

SHARE = 0.15  # of the training questions
LEFT_OUT = 0.5  # share of these: the others are put elsewhere
FEWEST = 2  # sentences of a passage that must remain


def left_out(question: Question) -> Question | None:
    """The question with its passage without the answer; None if too little of the passage remains.

    >>> question = Question("Ann came in May. She sang. Bo danced.", "When did Ann come?", "May")
    >>> left_out(question).passage
    'She sang. Bo danced.'
    """
    answer = question.answer.lower()
    sentences = SENTENCE_END.split(question.passage.strip())
    remaining = [sentence for sentence in sentences if answer not in sentence.lower()]
    passage = " ".join(remaining)
    # An answer across the end of a sentence is in no single sentence.
    removed = FEWEST <= len(remaining) < len(sentences) and answer not in passage.lower()
    return Question(passage, question.question) if removed else None


def mixed(questions: Sequence[Question], share: float, draw: random.Random) -> list[Question]:
    """The questions in their order, a share of them without an answer."""
    passages = [question.passage for question in questions]
    result = []
    for question in questions:
        passage = draw.choice(passages)
        shortened = left_out(question) if draw.random() < LEFT_OUT else None
        if draw.random() >= share:
            result.append(question)
        elif shortened is not None:
            result.append(shortened)
        elif question.answer.lower() not in passage.lower():
            result.append(Question(passage, question.question))
        else:
            result.append(question)
    return result
