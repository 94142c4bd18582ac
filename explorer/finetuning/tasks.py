"""The four tasks of BERT (Devlin et al. 2019, figure 4): a task says what a task head predicts.

Classes   one sentence, a class          from one vector of the whole text
Tags      every word, a class            from the first token of each word
Pairs     two sentences, a class         from one vector of both texts
Answers   an answer in the text          from every token of the passage: start and end
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from explorer.errors import ExplorerError
from explorer.locale import N_, _, format_number

MOST_LABELS = 200
LONGEST_ANSWER = 30  # tokens
MOST_THRESHOLD = 100
Kind = Literal["classes", "tags", "pairs", "answers"]


@dataclass(frozen=True)
class LabelTask:
    """What three of the tasks share: labels to choose from."""

    labels: tuple[str, ...]
    nouns: ClassVar = (N_("class"), N_("classes"))  # of the labels, in messages
    whole_text: ClassVar = True  # one row of scores for a text

    def __post_init__(self) -> None:
        check_labels(self.labels, *self.nouns)


@dataclass(frozen=True)
class Classes(LabelTask):
    """One sentence, a class, or any number (`several`). Raises ExplorerError for fewer than two labels."""

    kind: Literal["classes"] = "classes"
    several: bool = False


@dataclass(frozen=True)
class Pairs(LabelTask):
    """Two sentences, a class. Raises ExplorerError for fewer than two labels."""

    kind: Literal["pairs"] = "pairs"
    several: bool = False


@dataclass(frozen=True)
class Tags(LabelTask):
    """Every word, a class. Labels are `O` and BIO tags: `B-city` begins a city, `I-city` continues it.

    Raises ExplorerError for a label that is neither, and for fewer than two.
    """

    kind: Literal["tags"] = "tags"
    nouns: ClassVar = (N_("tag"), N_("tags"))
    whole_text: ClassVar = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for label in self.labels:
            check_tag(label)


@dataclass(frozen=True)
class Answers:
    """An answer in the text: a first and a last token of the passage, or no answer.

    An answer never ends before it starts, and has at most `longest` tokens. The best one is given where
    it scores more than `threshold` above [CLS] (Devlin et al. 2019, section 4.3): a high one says "no
    answer" more often. Raises ExplorerError.
    """

    longest: int = LONGEST_ANSWER
    threshold: float = 0.0
    kind: Literal["answers"] = "answers"
    whole_text: ClassVar = False

    def __post_init__(self) -> None:
        if isinstance(self.longest, bool) or not 1 <= self.longest <= 512:
            raise ExplorerError(
                f"The longest answer cannot have {self.longest!r} tokens.", "Choose 1 to 512."
            )
        if isinstance(self.threshold, bool) or not -MOST_THRESHOLD <= self.threshold <= MOST_THRESHOLD:
            raise ExplorerError(
                f"The threshold cannot be {self.threshold!r:.40}.",
                f"Choose -{MOST_THRESHOLD} to {MOST_THRESHOLD}.",
            )

    @property
    def labels(self) -> tuple[str, ...]:
        """The two scores that each token gets."""
        return ("start", "end")


Task = Classes | Tags | Pairs | Answers
KINDS: dict[str, Any] = {"classes": Classes, "tags": Tags, "pairs": Pairs, "answers": Answers}


def task_from_json(raw: Any) -> Task:
    """The task that JSON holds, as `dataclasses.asdict` writes it.

    >>> task_from_json({"kind": "pairs", "labels": ["yes", "no"]})
    Pairs(labels=('yes', 'no'), kind='pairs', several=False)

    Raises ExplorerError for labels or limits that no task has; KeyError and TypeError for anything else.
    """
    kind = KINDS[raw["kind"]]
    if kind is Answers:
        return Answers(raw["longest"], raw.get("threshold", 0.0))
    if not isinstance(raw["labels"], list | tuple):
        raise TypeError("labels are a list")
    task: Task = kind(tuple(raw["labels"]))
    return task


def check_labels(labels: Sequence[str], singular: str, plural: str) -> None:
    """Raises ExplorerError for labels without a name, repeated, too few or too many."""
    one, many = _(singular), _(plural)
    if any(not isinstance(label, str) or not label.strip() for label in labels):
        raise ExplorerError(_("A {noun} without a name.", noun=one), _("Give every {noun} a name.", noun=one))
    if len(set(labels)) != len(labels):
        raise ExplorerError(_("A {noun} is named twice.", noun=one), _("Name every {noun} once.", noun=one))
    if len(labels) < 2:
        only = _("only “{label}”", label=labels[0]) if labels else _("none")
        raise ExplorerError(
            _("There must be at least two {nouns}, and here there is {only}.", nouns=many, only=only),
            _("Add examples of another {noun}: with one alone there is nothing to decide.", noun=one),
        )
    if len(labels) > MOST_LABELS:
        raise ExplorerError(
            _(
                "There are {count} different {nouns}; at most {most} are learnt here.",
                count=format_number(len(labels)),
                nouns=many,
                most=MOST_LABELS,
            ),
            _("Check that the column with the labels is the right one."),
        )


def check_tag(tag: str) -> None:
    """Raises ExplorerError unless a tag is `O`, `B-name` or `I-name`."""
    if tag != "O" and not (tag[:2] in ("B-", "I-") and tag[2:].strip()):
        raise ExplorerError(
            _("“{tag}” is no tag.", tag=tag[:40]),
            _(
                "Write O for a word outside, B-name for the first word of a name or slot, "
                "I-name for the others."
            ),
        )
