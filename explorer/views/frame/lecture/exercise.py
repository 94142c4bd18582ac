"""The question of a course's stop: choices, each with a sentence that says why it is right or wrong.

    * Question: Which words does GPT read?
    * Right: Those before it. Later words are masked.
    * Wrong: All of them. That is how BERT reads.

Where the model on screen decides which one is right, each is a line “Choice:”, and the question is one that
the view asks a class.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from explorer.corpus.splitting import split
from explorer.errors import TextError
from explorer.locale import N_, _
from explorer.room.questions import LEAST, MOST
from explorer.room.tally import key
from explorer.text.letters import is_letters
from explorer.views.frame.polls.poll import Poll

ASKED = "question"
KINDS = ("right", "wrong", "choice")  # of choices
HINT = N_("Write “Right: yes. It is …”, with one such line, and “Wrong:” before the others.")


@dataclass(frozen=True)
class Choice:
    """A choice, and what is said once it has been chosen; `right` is None where the model decides."""

    text: str
    reason: str
    right: bool | None


@dataclass(frozen=True)
class Exercise:
    """A question with its choices."""

    question: str
    choices: tuple[Choice, ...]

    def judge(self, place: int, polls: Iterable[Poll]) -> tuple[bool, str] | None:
        """Whether a choice is right, and what is said of it.

        Where the lines do not say which one is right, it is that which the model finds likeliest. `polls` are
        those of the view on screen. None if it does not ask this question now, or has no answer.
        """
        choice = self.choices[place]
        if choice.right is not None:
            return choice.right, choice.reason
        poll = next((one for one in polls if key(one.question.text) == key(self.question)), None)
        if poll is None or not (shares := _shares(poll)):
            return None
        best = max((one.text for one in self.choices), key=lambda text: shares.get(key(text), 0.0))
        if key(best) not in shares:
            best = next(iter(shares))
        is_right = key(best) == key(choice.text)
        is_word = poll.question.kind != "token"  # a word of the text is looked at, and not said
        if is_word:
            model = _("{who} says “{answer}”.", who=poll.who, answer=best)
        else:
            model = _("In the picture it is “{answer}”.", answer=best)
        return is_right, choice.reason if is_right else f"{choice.reason} {model}"


def is_part(note: str) -> bool:
    """Whether a line of a stop belongs to its question.

    >>> is_part("Wrong: no. It does."), is_part("Say: Look.")
    (True, False)
    """
    return _kind(note) in (ASKED, *KINDS)


def exercise_of(notes: Sequence[str]) -> Exercise | None:
    """The question that the lines of a stop ask; None without one. Raises TextError for half a question."""
    parts = [(_kind(note), note.partition(":")[2].strip()) for note in notes if is_part(note)]
    if not parts:
        return None
    questions = [text for kind, text in parts if kind == ASKED]
    choices = tuple(_choice(kind, text) for kind, text in parts if kind != ASKED)
    rights = [choice.right for choice in choices]
    decided = all(right is None for right in rights) or (None not in rights and rights.count(True) == 1)
    if len(questions) != 1 or not LEAST <= len(choices) <= MOST or not decided:
        message = _(
            "A question has {least} to {most} choices, of which one is right.", least=LEAST, most=MOST
        )
        raise TextError(message, _(HINT))
    if not all(choice.reason for choice in choices):
        message = _("After a choice and its full stop a sentence says why it is right or wrong.")
        raise TextError(message, _(HINT))
    return Exercise(questions[0], choices)


def _kind(note: str) -> str:
    return note.partition(":")[0].strip().lower()


def _choice(kind: str, line: str) -> Choice:
    """A choice, which is the first sentence of its line, and what is said of it: the others."""
    text = next(iter(split(line)), "")
    first, mark, rest = line.partition(". ")
    word = is_letters(first) and first.islower() and not rest[:1].isdigit()  # “red.” is no abbreviation here
    if mark and (word or (text == line and rest[:1].islower())):  # for the splitter that is one sentence
        text = first
    reason = line[len(text) :].removeprefix(".").strip()
    return Choice(text.rstrip(".。"), reason, {"right": True, "wrong": False}.get(kind))


def _shares(poll: Poll) -> Mapping[str, float]:
    """The model's probability of each answer, by its folded name: for a word of the sentence, the word."""
    names = dict(enumerate(poll.question.choices)) if poll.question.kind == "token" else {}
    shares: dict[str, float] = {}
    poll = poll.computed()
    for answer, share in (poll.model or dict.fromkeys(filter(None, [poll.truth]), 1.0)).items():
        name = key(names[int(answer)] if names else answer)
        shares[name] = max(share, shares.get(name, 0.0))
    return shares
