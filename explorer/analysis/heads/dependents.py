"""Does a head attend from a word to its syntactic head, or from a head to its dependents?

Clark, Khandelwal, Levy, Manning, "What Does BERT Look At?" (BlackboxNLP 2019), section 4.2: the
head's answer is the word with the most attention, except special tokens and the word itself.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.analysis.attention.word_attention import word_pattern
from explorer.analysis.heads.relations import Parse
from explorer.trace import Encoding

ALL = "all"  # every relation but root and punct
MEASURED = (
    "det",
    "amod",
    "nsubj",
    "obj",
    "case",
    "nmod:poss",
    "aux",
    "nsubj:pass",
    "aux:pass",
    "iobj",
    "obl",
    "nmod",
    "nummod",
    "compound:prt",
    "advmod",
    "mark",
    "cc",
    "conj",
    "cop",
    "acl:relcl",
    "advcl",
    ALL,
)
DIRECTIONS = ("to_head", "to_dependent")
REACH = 8  # fixed offsets from 8 words before to 8 after
OFFSETS = [offset for offset in range(-REACH, REACH + 1) if offset]


@dataclass(frozen=True)
class Offset:
    """Baseline: the word at a fixed offset (negative: before the query), with its accuracy."""

    offset: int
    accuracy: float


@dataclass(frozen=True, eq=False)
class Direction:
    """One relation in one direction: each head's accuracy, the number of questions, and the baseline.

    Both the best head and the best fixed offset are chosen on these same sentences. For a causal model
    only questions whose answer comes before the query count, for heads and for offsets.
    """

    accuracy: Float[Tensor, "layer head"]
    questions: int
    baseline: Offset

    @property
    def best(self) -> tuple[int, int]:
        """Layer and head of the highest accuracy, from zero."""
        return divmod(int(self.accuracy.nan_to_num(-1).argmax()), self.accuracy.shape[1])


@dataclass(frozen=True, eq=False)
class Hits:
    """Numbers of right answers of heads and of offsets, and of questions; added up over sentences."""

    heads: Int[Tensor, "direction relation layer head"]
    offsets: Int[Tensor, "direction relation offset"]
    questions: Int[Tensor, "direction relation"]

    def __add__(self, other: "Hits") -> "Hits":
        return Hits(self.heads + other.heads, self.offsets + other.offsets, self.questions + other.questions)

    def relations(self) -> dict[str, dict[str, Direction]]:
        """Accuracies by relation and direction, for the relations that occurred."""
        relations: dict[str, dict[str, Direction]] = {}
        for d, direction in enumerate(DIRECTIONS):
            for r, relation in enumerate(MEASURED):
                if questions := int(self.questions[d, r]):
                    best = int(self.offsets[d, r].argmax())
                    offset = Offset(OFFSETS[best], float(self.offsets[d, r, best]) / questions)
                    accuracy = self.heads[d, r].float() / questions
                    relations.setdefault(relation, {})[direction] = Direction(accuracy, questions, offset)
        return relations


def hits(
    pattern: Float[Tensor, "layer head query_pos key_pos"],
    encoding: Encoding,
    parse: Parse,
    causal: bool = False,
) -> Hits | None:
    """The right answers on one sentence; None if a word of it has no token (the text was cut).

    to_head        from a dependent: is the word with the most attention its head?
    to_dependent   from a word with dependents of that relation: is it one of them?
    """
    groups = tokens_of(encoding, parse)
    if not all(groups):
        return None
    return answers(word_pattern(pattern, groups), parse, causal)


def answers(
    pattern: Float[Tensor, "layer head query_word key_word"], parse: Parse, causal: bool = False
) -> Hits:
    """The same as `hits`, for patterns between words."""
    place = torch.arange(len(parse))
    right = right_answers(parse) & ~unanswerable(len(parse), causal)
    head_choices = choices(pattern, causal)
    has_answer = right.any(-1)  # direction relation query_word
    return Hits(
        heads=torch.stack([_right(right, head_choices[layer]) for layer in range(len(head_choices))], 2),
        offsets=_right(right, torch.stack([place + offset for offset in OFFSETS])),
        questions=has_answer.sum(-1),
    )


def choices(
    pattern: Float[Tensor, "layer head query_word key_word"], causal: bool = False
) -> Int[Tensor, "layer head query_word"]:
    """Each head's answers: the word that every word attends to most, except itself."""
    return pattern.masked_fill(unanswerable(pattern.shape[-1], causal), -1).argmax(-1)


def unanswerable(n: int, causal: bool) -> Bool[Tensor, "query_word key_word"]:
    """Which words cannot be the answer: the query itself and, for a causal model, later words."""
    place = torch.arange(n)
    return (place >= place[:, None]) if causal else (place == place[:, None])


def right_answers(parse: Parse) -> Bool[Tensor, "direction relation query_word key_word"]:
    """The right answers: from each dependent its head, from each head its dependents."""
    n = len(parse)
    right = torch.zeros(len(MEASURED), n, n, dtype=torch.bool)
    for dependent, (relation, head) in enumerate(zip(parse.relations, parse.heads)):
        if relation in MEASURED:
            right[MEASURED.index(relation), dependent, head] = True
        if relation not in ("root", "punct"):
            right[MEASURED.index(ALL), dependent, head] = True
    return torch.stack([right, right.transpose(-1, -2)])


def tokens_of(encoding: Encoding, parse: Parse) -> list[list[int]]:
    """The positions of each word's tokens; a token belongs to the word that its first letter is in."""
    owner = [-1] * len(parse.text)
    for word, (start, end) in enumerate(parse.spans):
        owner[start:end] = [word] * (end - start)
    groups: list[list[int]] = [[] for _ in parse.words]
    for position, (start, _) in enumerate(encoding.spans):
        surface = encoding.surface(position)
        first = start + len(surface) - len(surface.lstrip())  # a byte piece carries the space before its word
        if not encoding.special[position] and first < len(owner) and owner[first] >= 0:
            groups[owner[first]].append(position)
    return groups


def _right(
    right: Bool[Tensor, "direction relation query_word key_word"], choices: Int[Tensor, "head query_word"]
) -> Int[Tensor, "direction relation head"]:
    """How often each head's choice is among the right answers; a choice outside the sentence is wrong."""
    n = right.shape[-1]
    inside = (choices >= 0) & (choices < n)
    hits = right[:, :, torch.arange(n), choices.clamp(0, n - 1)]  # direction relation head query_word
    return (hits & inside).sum(-1)
