"""Labelled examples of each task, and the task that a list of examples is for."""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.errors import ExplorerError, TextError
from explorer.finetuning.tasks import Answers, Classes, Pairs, Tags, Task, check_tag
from explorer.locale import N_, _

FEWEST = 4


@dataclass(frozen=True)
class Labelled:
    """A sentence and its class. Raises TextError for an empty one."""

    text: str
    label: str

    def __post_init__(self) -> None:
        require_text(self.text, "sentence")


@dataclass(frozen=True)
class LabelledPair:
    """Two sentences and their class. Raises TextError for an empty one."""

    text: str
    pair: str
    label: str

    def __post_init__(self) -> None:
        require_text(self.text, N_("first sentence"))
        require_text(self.pair, N_("second sentence"))


@dataclass(frozen=True)
class Tagged:
    """Words, and a tag for each. Raises TextError where they are not as many."""

    words: tuple[str, ...]
    tags: tuple[str, ...]

    def __post_init__(self) -> None:
        require_text(" ".join(self.words), N_("sentence"))
        if len(self.words) != len(self.tags):
            raise TextError(
                _(
                    "“{text}” has {words} words and {tags} tags.",
                    text=self.text[:60],
                    words=len(self.words),
                    tags=len(self.tags),
                ),
                _("Give every word one tag: O, B-name or I-name."),
            )
        for tag in self.tags:
            check_tag(tag)

    @property
    def text(self) -> str:
        """The words with a space between."""
        return " ".join(self.words)


@dataclass(frozen=True)
class Question:
    """A passage, a question, and the answer as it occurs in the passage; "" for no answer.

    `start` is the answer's first character; None means its first occurrence.
    Raises TextError for an empty passage or question, and for an answer that is not in the passage.

    >>> example = Question("The boat left at noon.", "When did it leave?", "at noon")
    >>> example.start, example.end
    (14, 21)
    """

    passage: str
    question: str
    answer: str = ""
    start: int | None = None

    def __post_init__(self) -> None:
        require_text(self.passage, N_("passage"))
        require_text(self.question, N_("question"))
        if not self.answer:
            return
        if self.start is None:
            object.__setattr__(self, "start", self.passage.find(self.answer))
        assert self.start is not None
        if self.start < 0 or self.passage[self.start : self.start + len(self.answer)] != self.answer:
            raise TextError(
                _("The answer “{answer}” is not in the passage.", answer=self.answer[:60]),
                _("Copy it as it stands there, letter by letter, or leave it empty for “no answer”."),
            )

    @property
    def end(self) -> int | None:
        """The end of the answer's characters; None without an answer."""
        return None if self.start is None or not self.answer else self.start + len(self.answer)


Example = Labelled | LabelledPair | Tagged | Question


def task_of(examples: Sequence[Example]) -> Task:
    """The task that examples are for, with the labels that occur in them.

    >>> task_of([Labelled("good", "yes"), Labelled("bad", "no")]).labels
    ('no', 'yes')

    Raises ExplorerError for no examples, for several kinds, and for a single class.
    """
    kinds = {type(example) for example in examples}
    if len(kinds) != 1:
        raise ExplorerError(
            _("These examples are of different kinds.") if kinds else _("There are no examples."),
            _("Give some examples, all of one kind."),
        )
    (kind,) = kinds
    if kind is Question:
        return Answers()
    if kind is Tagged:
        tags = {tag for e in examples if isinstance(e, Tagged) for tag in e.tags}
        return Tags(tuple(sorted(tags | {"O"})))
    labels = tuple(sorted({e.label for e in examples if isinstance(e, Labelled | LabelledPair)}))
    return Classes(labels) if kind is Labelled else Pairs(labels)


KIND_OF = {Classes: Labelled, Pairs: LabelledPair, Tags: Tagged, Answers: Question}


def check(task: Task, examples: Sequence[Example], fewest: int = FEWEST) -> None:
    """Raises ExplorerError for examples that do not fit a task, or are too few."""
    if len(examples) < fewest:
        raise ExplorerError(
            _("{count} examples are too few to learn from.", count=len(examples)),
            _("Give at least {count}.", count=fewest),
        )
    for example in examples:
        if type(example) is not KIND_OF[type(task)]:
            raise ExplorerError(
                f"This task is of “{task.kind}”, and an example is a {type(example).__name__}.",
                "Give examples of the task's kind.",
            )
        unknown = [label for label in labels_of(example) if label not in task.labels]
        if unknown:
            raise ExplorerError(
                f"“{unknown[0]:.40}” is none of the task's labels.",
                f"They are: {', '.join(task.labels):.200}.",
            )


def labels_of(example: Example) -> tuple[str, ...]:
    """The labels in an example; a question has none."""
    match example:
        case Labelled() | LabelledPair():
            return (example.label,)
        case Tagged():
            return example.tags
        case Question():
            return ()


def require_text(text: str, name: str) -> None:
    """Raises TextError for a text without a letter to read."""
    if not isinstance(text, str) or not text.strip():
        name = _(name)
        raise TextError(
            _("A {text} is empty.", text=name), _("Write a {text}, or leave the whole line out.", text=name)
        )
