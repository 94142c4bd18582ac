"""Questions without an answer, made of questions that have one: the sets have none (see `data.answers`).

elsewhere   the question is put to the passage of another one: that passage is about something else
left out    its own passage, without the sentences that hold the answer: right subject, and nothing said
"""

import random
from collections.abc import Iterable, Sequence

from explorer.finetuning.examples import Question
from training.text.shards import SENTENCE_END

SHARE = 0.15  # of the questions that are learnt from
LEFT_OUT = 0.5  # of those: the others are put elsewhere
FEWEST = 2  # sentences of a passage that must be left


def left_out(asked: Question) -> Question | None:
    """The question on its own passage without its answer; None where too little of the passage is left.

    >>> asked = Question("Ann came in May. She sang. Bo danced.", "When did Ann come?", "May")
    >>> left_out(asked).passage
    'She sang. Bo danced.'
    """
    answer = asked.answer.lower()
    sentences = SENTENCE_END.split(asked.passage.strip())
    kept = [sentence for sentence in sentences if answer not in sentence.lower()]
    passage = " ".join(kept)
    # An answer may reach over the end of a sentence, and then no one sentence holds it.
    gone = FEWEST <= len(kept) < len(sentences) and answer not in passage.lower()
    return Question(passage, asked.question) if gone else None


def mixed(asked: Sequence[Question], share: float, draw: random.Random) -> list[Question]:
    """The questions in their order, a share of them without an answer."""
    others = [one.passage for one in asked]
    found = []
    for one in asked:
        other = draw.choice(others)
        here = left_out(one) if draw.random() < LEFT_OUT else None
        if draw.random() >= share:
            found.append(one)
        elif here is not None:
            found.append(here)
        else:
            elsewhere = one.answer.lower() not in other.lower()
            found.append(Question(other, one.question) if elsewhere else one)
    return found


def twins(asked: Iterable[Question]) -> list[Question]:
    """The questions whose passage can do without its answer, each without it."""
    return [other for one in asked if (other := left_out(one)) is not None]
