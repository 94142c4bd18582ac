"""What was chosen at each stop of this session's course, the first time and last, and whether it was right.

As text an answer is two letters, for the first choice and the last: a is the first choice of the stop, b
the second, and a capital says that it was right. “bC” was wrong with the second choice, then right with the
third; “..” is a stop without an answer. Such a text may come from anybody: what names no choice is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from explorer.server.session import Session
from explorer.views.frame.lecture.lecture import Item

ANSWERS = Session["Mapping[int, Answer]"]("/lecture/answers", {}, of="lecture")  # by the number of the stop
LETTERS = "abcdef"  # as many as a question has choices at most
NO_ANSWER = ".."


class Choosing(NamedTuple):
    """The place of a choice, and whether it was right; that is False until it has been judged."""

    place: int
    is_right: bool = False


class Answer(NamedTuple):
    """What was chosen at a stop first and last."""

    first: Choosing
    last: Choosing


def answers() -> dict[int, Answer]:
    """The answers of this session, by the numbers of their stops."""
    return dict(ANSWERS.get())


def keep(answers: Mapping[int, Answer]) -> None:
    """Keep these answers in place of those of before."""
    ANSWERS.set(dict(answers))


def choose(number: int, place: int) -> None:
    """Keep what was chosen at a stop; the first choice stays the first."""
    every, last = answers(), Choosing(place)
    keep(every | {number: Answer(every[number].first if number in every else last, last)})


def judge(number: int, is_right: bool) -> None:
    """Keep whether the last choice at a stop was right; so was the first if it was the same."""
    every = answers()
    first, last = every[number]
    judged = last._replace(is_right=is_right)
    keep(every | {number: Answer(judged if first.place == last.place else first, judged)})


def renumber(number_of: Callable[[int], int | None]) -> None:
    """Give each answer the new number of its stop; one whose stop is gone is forgotten."""
    numbers = {number: number_of(number) for number in answers()}
    keep({new: answers()[old] for old, new in numbers.items() if new is not None})


def pack(answers: Mapping[int, Answer]) -> str:
    """The answers as text, without the stops after the last answer."""
    numbers = range(max(answers, default=-1) + 1)
    return "".join(
        "".join(map(_letter, answers[number])) if number in answers else NO_ANSWER for number in numbers
    )


def unpack(text: str, stops: Sequence[Item]) -> dict[int, Answer]:
    """The answers of a text at these stops. A capital counts where the model decides what is right; elsewhere
    the course says so itself.
    """
    result = {}
    for number, stop in enumerate(stops):
        tries = [_choosing(letter, stop) for letter in text[2 * number : 2 * number + 2]]
        if len(tries) == 2 and tries[0] is not None and tries[1] is not None:
            result[number] = Answer(tries[0], tries[1])
    return result


def _letter(choosing: Choosing) -> str:
    letter = LETTERS[choosing.place]
    return letter.upper() if choosing.is_right else letter


def _choosing(letter: str, stop: Item) -> Choosing | None:
    """What a letter says of a stop; None if the stop has no such choice."""
    question, place = stop.exercise, LETTERS.find(letter.lower())
    if question is None or not 0 <= place < len(question.choices):
        return None
    right = question.choices[place].right
    return Choosing(place, letter.isupper() if right is None else right)
