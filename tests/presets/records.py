"""What the presets of “About the models” promise of the records that ship."""

from explorer.views.about import record


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
