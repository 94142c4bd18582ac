"""What presets promise of a blank: which word a model puts there, and which of two it finds likelier."""

from explorer.analysis import prediction
from tests.shared_models import model

BERT = "bert"


def chance(text: str, word: str, which: int = 0, name: str = BERT) -> float:
    return prediction.probe(model(name), prediction.blanks(model(name), text), word, which).probability


def firsts(text: str, name: str = BERT) -> list[str]:
    """The first guess of each blank."""
    return [guesses[0][0] for guesses in prediction.fill_mask(model(name), text, top=1)]


def first(text: str, accepted: str, name: str = BERT) -> bool:
    return firsts(text, name)[0] in accepted.split(",")


def among_five(text: str, word: str, name: str = BERT) -> bool:
    return word in [guess for guess, _ in prediction.fill_mask(model(name), text, top=5)[0]]


def beats(text: str, pairs: str, name: str = BERT) -> bool:
    """`are>is,were>was`: every first word is likelier than its second."""
    return all(
        chance(text, one, name=name) > chance(text, other, name=name)
        for one, other in (pair.split(">") for pair in pairs.split(","))
    )


def by_what_follows(one: str, other: str, first: str, second: str, name: str = BERT) -> bool:
    """In one sentence the first word is likelier than the second, in the other it is the other way round."""
    chances = [[chance(text, word, name=name) for word in (first, second)] for text in (one, other)]
    return chances[0][0] > chances[0][1] and chances[1][1] > chances[1][0]


def is_far_ahead(text: str, word: str, name: str = BERT) -> bool:
    (best, most), (_, second) = prediction.fill_mask(model(name), text, top=2)[0]
    return best == word and most > 3 * second


def is_first_until(text: str, word: str, other: str, best: str, name: str = BERT) -> bool:
    """The first guess, and another one once a word is changed."""
    return firsts(text, name) == [best] != firsts(text.replace(word, other), name)
