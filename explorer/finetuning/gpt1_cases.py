"""Examples of our own as cases for GPT's four kinds of task (see `gpt1`).

classification    sentences with their classes, as they are
entailment        pairs with their classes, as they are
similarity        two sentences: do both have the same class?
multiple choice   the first half of a sentence: which of two second halves is its own?
"""

from collections.abc import Sequence

from explorer.errors import ExplorerError
from explorer.finetuning.examples import Example, Labelled, LabelledPair, labels_of
from explorer.finetuning.gpt1 import Case, Transformation

SAME, OTHER = "the same", "different"


def cases(kind: Transformation, examples: Sequence[Example]) -> tuple[list[Case], tuple[str, ...]]:
    """The cases, and what their classes are called; multiple choice has none.

    >>> made, labels = cases("similarity", [Labelled(t, t[0]) for t in ("a1", "a2", "b1", "b2")])
    >>> [(case.texts, labels[case.right]) for case in made[:2]]
    [(('a1', 'a2'), 'the same'), (('a1', 'b1'), 'different')]

    Raises ExplorerError for examples of another kind.
    """
    pairs = [e for e in examples if isinstance(e, LabelledPair)]
    texts = [e for e in examples if isinstance(e, Labelled)]
    if len(pairs if kind == "entailment" else texts) < len(examples):
        raise ExplorerError(f"These are no examples for {kind}.", "Choose another kind of task.")
    labels = tuple(sorted({label for e in examples for label in labels_of(e)}))
    match kind:
        case "classification":
            return [Case((e.text,), labels.index(e.label)) for e in texts], labels
        case "entailment":
            return [Case((e.text, e.pair), labels.index(e.label)) for e in pairs], labels
        case "similarity":
            return _alike(texts), (SAME, OTHER)
        case "multiple choice":
            return _halves(texts), ()


def _alike(examples: Sequence[Labelled]) -> list[Case]:
    """Each with the next of its class, and with one of another."""
    found = []
    for i, one in enumerate(examples):
        rest = [*examples[i + 1 :], *examples[:i]]
        for right in (0, 1):
            fitting = (e.text for e in rest if (e.label == one.label) == (right == 0))
            if text := next(fitting, ""):
                found.append(Case((one.text, text), right))
    return found


def _halves(examples: Sequence[Labelled]) -> list[Case]:
    """Each sentence's own second half stands first and second in turn; the other is another sentence's."""
    cut = []
    for example in examples:
        words = example.text.split()
        if len(words) > 3:
            cut.append((" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])))
    found = []
    for i, (first, own) in enumerate(cut):
        other = cut[(i + len(cut) // 2) % len(cut)][1]
        if other != own:
            found.append(Case((first, other, own) if i % 2 else (first, own, other), i % 2))
    return found
