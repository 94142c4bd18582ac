"""Examples as lines that `tables.typed` reads again, and some of many."""

from collections.abc import Sequence

from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged


def write(examples: Sequence[Example]) -> str:
    """The lines that `tables.typed` makes the same examples of; white space in a text becomes a space.

    >>> write([LabelledPair("A man sleeps.", "Nobody is awake.", "no")])
    'A man sleeps. | Nobody is awake. | no'
    """
    return "\n".join(map(_line, examples))


def some(examples: Sequence[Example], most: int) -> list[Example]:
    """No more than so many, in their order: of each class its share, evenly from all of its examples.

    >>> given = [Labelled(str(i), "even" if i % 2 == 0 else "odd") for i in range(8)]
    >>> [one.text for one in some(given, 4)]
    ['0', '1', '4', '5']
    """
    if len(examples) <= most:
        return list(examples)
    groups: dict[str, list[int]] = {}
    for i, example in enumerate(examples):
        label = example.label if isinstance(example, Labelled | LabelledPair) else ""
        groups.setdefault(label, []).append(i)
    kept: list[int] = []
    for number, members in enumerate(groups.values(), 1):
        share = max(1, (most - len(kept)) // (len(groups) - number + 1))
        kept += [members[i * len(members) // share] for i in range(min(share, len(members)))]
    return [examples[i] for i in sorted(kept[:most])]


def _line(example: Example) -> str:
    match example:
        case Labelled():
            parts = [example.text, example.label]
        case LabelledPair():
            parts = [example.text, example.pair, example.label]
        case Question():
            parts = [example.passage, example.question, example.answer]
        case Tagged():
            return " ".join(map(_tagged, example.words, example.tags))
    return " | ".join(" ".join(part.replace("|", "/").split()) for part in parts)


def _tagged(word: str, tag: str) -> str:
    return word if tag == "O" and "/" not in word else f"{word}/{tag}"
