"""Examples of our own for GPT's four kinds of task (see `gpt1`).

classification    sentences with their classes, as they are
entailment        pairs with their classes, as they are
similarity        two sentences: do both have the same class?
multiple choice   the first half of a sentence: which of two second halves continues it?
"""

from collections.abc import Sequence

from explorer.errors import ExplorerError
from explorer.finetuning.examples import Example, Labelled, LabelledPair, labels_of
from explorer.finetuning.gpt1 import GptExample, Transformation

SAME, OTHER = "the same", "different"
# The set of our own examples for each kind of task (see `library`).
SETS: dict[Transformation, str] = {
    "classification": "spam",
    "entailment": "pairs",
    "similarity": "spam",
    "multiple choice": "spam",
}


def gpt_examples(
    kind: Transformation, examples: Sequence[Example]
) -> tuple[list[GptExample], tuple[str, ...]]:
    """The examples for GPT, and the names of their classes; multiple choice has none.

    >>> sentences = [Labelled(text, text[0]) for text in ("a1", "a2", "b1", "b2")]
    >>> examples, labels = gpt_examples("similarity", sentences)
    >>> [(example.texts, labels[example.right]) for example in examples[:2]]
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
            return [GptExample((e.text,), labels.index(e.label)) for e in texts], labels
        case "entailment":
            return [GptExample((e.text, e.pair), labels.index(e.label)) for e in pairs], labels
        case "similarity":
            return _similarity(texts), (SAME, OTHER)
        case "multiple choice":
            return _multiple_choice(texts), ()


def _similarity(sentences: Sequence[Labelled]) -> list[GptExample]:
    """Each sentence with the next of its class, and with the next of another."""
    examples = []
    for i, sentence in enumerate(sentences):
        others = [*sentences[i + 1 :], *sentences[:i]]
        for right in (0, 1):
            matches = (e.text for e in others if (e.label == sentence.label) == (right == 0))
            if text := next(matches, ""):
                examples.append(GptExample((sentence.text, text), right))
    return examples


def _multiple_choice(sentences: Sequence[Labelled]) -> list[GptExample]:
    """A sentence's own second half comes first or second in turn, beside that of another sentence."""
    halves = []
    for sentence in sentences:
        words = sentence.text.split()
        if len(words) > 3:
            halves.append((" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])))
    examples = []
    for i, (first, own) in enumerate(halves):
        other = halves[(i + len(halves) // 2) % len(halves)][1]
        if other != own:
            examples.append(GptExample((first, other, own) if i % 2 else (first, own, other), i % 2))
    return examples
