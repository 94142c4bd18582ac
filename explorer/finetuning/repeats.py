"""What repeats among examples: a class in several spellings, and equal texts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from explorer.finetuning.examples import Example, Labelled, LabelledPair, Tagged, labels_of
from explorer.text.folding import fold, fold_line

SHOWN = 3  # classes or texts that a note names


def merge_spellings(examples: Sequence[Example]) -> tuple[list[Example], str]:
    """The examples with each class in the commonest of its spellings, and a note on those that changed.

    >>> merge_spellings([Labelled("Win!", "Spam"), Labelled("Hello", "ham"), Labelled("Buy!", "spam ")])
    ([Labelled(text='Win!', label='Spam'), Labelled(text='Hello', label='ham'),
      Labelled(text='Buy!', label='Spam')], '“spam” is read as “Spam”.')
    """
    spellings: dict[str, Counter[str]] = {}
    for label in (label for example in examples for label in labels_of(example)):
        spellings.setdefault(fold_line(label), Counter())[label] += 1
    chosen = {key: counts.most_common(1)[0][0] for key, counts in spellings.items()}
    others = [
        (label, chosen[key]) for key, counts in spellings.items() for label in counts if label != chosen[key]
    ]
    if not others:
        return list(examples), ""
    renamed = [_rename(example, chosen) for example in examples]
    return renamed, " ".join(
        f"“{label.strip():.40}” is read as “{name.strip():.40}”." for label, name in others[:SHOWN]
    )


def repeats_note(examples: Sequence[Example]) -> str:
    """A note on texts that have two classes, and on equal examples; "" without any.

    >>> repeats_note([Labelled("Win!", "spam"), Labelled("win!", "ham"), Labelled("Win!", "spam")])
    '1 of 3 examples repeats another: held out together, they count once. “Win!” has two classes.'
    """
    repeats = len(examples) - len(set(examples))
    notes = []
    if repeats:
        verb = "repeats another" if repeats == 1 else "repeat others"
        notes.append(f"{repeats:,} of {len(examples):,} examples {verb}: held out together, they count once.")
    classes: dict[tuple[str, ...], set[str]] = {}
    texts: dict[tuple[str, ...], str] = {}
    for example in examples:
        if isinstance(example, Labelled | LabelledPair):
            pair = example.pair if isinstance(example, LabelledPair) else ""
            key = fold(example.text), fold(pair)
            classes.setdefault(key, set()).add(example.label)
            texts.setdefault(key, example.text)
    several = [texts[key] for key, labels in classes.items() if len(labels) > 1]
    if several:
        names = ", ".join(f"“{text:.40}”" for text in several[:SHOWN])
        notes.append(f"{names} {'has' if len(several) == 1 else 'have'} two classes.")
    return " ".join(notes)


def _rename(example: Example, chosen: dict[str, str]) -> Example:
    match example:
        case Labelled() | LabelledPair():
            return replace(example, label=chosen[fold_line(example.label)])
        case Tagged():
            return replace(example, tags=tuple(chosen[fold_line(tag)] for tag in example.tags))
    return example
