"""What repeats among examples: a class in several spellings, and equal texts."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged, labels_of
from explorer.locale import _, format_number, ngettext
from explorer.text.folding import fold_ends

NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)")
SHOWN = 3  # classes or texts that a note names


def class_key(label: str) -> str:
    """A class in the form that is the same for all its spellings: with marks at its ends, or as a number.

    >>> class_key("Yes."), class_key(" yes"), class_key("5"), class_key("5,0"), class_key(".5")
    ('yes', 'yes', '5', '5', '0.5')
    """
    plain = label.strip()
    return f"{float(plain.replace(',', '.')):g}" if NUMBER.fullmatch(plain) else fold_ends(plain)


def first_text(example: Example) -> str:
    """The text that several examples may share, in one spelling; for tagged words, the words."""
    return fold_ends(example.passage if isinstance(example, Question) else example.text)


def example_key(example: Example) -> tuple[object, ...]:
    """What examples that count once share: their texts, without marks at the ends, and their class."""
    match example:
        case Labelled():
            return first_text(example), class_key(example.label)
        case LabelledPair():
            return first_text(example), fold_ends(example.pair), class_key(example.label)
    return (example,)


def merge_spellings(examples: Sequence[Example]) -> tuple[list[Example], str]:
    """The examples with each class in the commonest of its spellings, and a note on those that changed.

    >>> merge_spellings([Labelled("Win!", "Spam"), Labelled("Hello", "ham"), Labelled("Buy!", "spam ")])
    ([Labelled(text='Win!', label='Spam'), Labelled(text='Hello', label='ham'),
      Labelled(text='Buy!', label='Spam')], '“spam” is read as “Spam”.')
    """
    spellings: dict[str, Counter[str]] = {}
    for label in (label for example in examples for label in labels_of(example)):
        spellings.setdefault(class_key(label), Counter())[label] += 1
    chosen = {key: counts.most_common(1)[0][0] for key, counts in spellings.items()}
    others = [
        (label, chosen[key]) for key, counts in spellings.items() for label in counts if label != chosen[key]
    ]
    if not others:
        return list(examples), ""
    renamed = [_rename(example, chosen) for example in examples]
    return renamed, " ".join(
        _("“{label}” is read as “{name}”.", label=label.strip()[:40], name=name.strip()[:40])
        for label, name in others[:SHOWN]
    )


def repeats_note(examples: Sequence[Example]) -> str:
    """A note on texts that have two classes, and on equal examples; "" without any.

    >>> repeats_note([Labelled("Win!", "spam"), Labelled("win!", "ham"), Labelled("Win!", "spam")])
    '1 of 3 examples repeats another: held out together, they count once. “Win!” has two classes.'
    """
    repeats = len(examples) - len(set(map(example_key, examples)))
    notes = []
    if repeats:
        text = ngettext(
            "{count} of {all} examples repeats another: held out together, they count once.",
            "{count} of {all} examples repeat others: held out together, they count once.",
            repeats,
            count=format_number(repeats),
            all=format_number(len(examples)),
        )
        notes.append(text)
    classes: dict[tuple[object, ...], set[str]] = {}
    texts: dict[tuple[object, ...], str] = {}
    for example in examples:
        if isinstance(example, Labelled | LabelledPair):
            *key, label = example_key(example)
            classes.setdefault(tuple(key), set()).add(str(label))
            texts.setdefault(tuple(key), example.text)
    several = [texts[key] for key, labels in classes.items() if len(labels) > 1]
    if several:
        names = ", ".join(_("“{text}”", text=text[:40]) for text in several[:SHOWN])
        notes.append(
            ngettext("{texts} has two classes.", "{texts} have two classes.", len(several), texts=names)
        )
    return " ".join(notes)


def _rename(example: Example, chosen: dict[str, str]) -> Example:
    match example:
        case Labelled() | LabelledPair():
            return replace(example, label=chosen[class_key(example.label)])
        case Tagged():
            return replace(example, tags=tuple(chosen[class_key(tag)] for tag in example.tags))
    return example
