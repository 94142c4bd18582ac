"""What the presets of “About the models” promise of the records that ship."""

import re

from explorer.views.about import families, record


def half_of_the_fall_comes_early(name: str) -> bool:
    """Within the first fifth of the text."""
    loss = record.read(name).loss
    half = next(tokens for tokens, nats in loss if nats <= (loss[0][1] + loss[-1][1]) / 2)
    return half <= loss[-1][0] / 5


def learns_frequent_tokens_then_nouns(name: str) -> bool:
    training = record.read(name)
    place = training.sentences.index("The doctor worked at the [MASK] for ten years.")
    best = [[token for token, _ in one.guesses[place]] for one in training.snapshots]
    frequent = {"the", ",", ".", "of", "to", "in", "and", "a", '"'}
    return (
        all(set(tokens[:3]) <= frequent for tokens in best[:3])
        and not any(set(tokens) & frequent for tokens in best[3:])
        and not any("hospital" in tokens for tokens in best)
    )


def writes_at_random_then_sentences(name: str) -> bool:
    """At random, words and marks that every text is full of are rare; in a text of sentences they are not."""
    frequent = set("the a he she it was to and of in said her his .".split())
    snapshots = record.read(name).snapshots
    start, end = (
        [sum(word in frequent for word in re.findall(r"\w+|\.", text.lower())) for text in one.continuations]
        for one in (snapshots[0], snapshots[-1])
    )
    return max(start) <= 1 and min(end) >= 3


def the_larger_the_better() -> bool:
    """In each published family; our GPT has fewer parameters than any of these."""
    own = min(one.parameters for one in families.here())
    for family in families.published():
        scores = [one.lambada for one in family.members if one.lambada is not None]
        if scores != sorted(scores) or min(one.parameters for one in family.members) < own:
            return False
    return True
