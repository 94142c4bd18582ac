"""What presets promise of a blank: which word BERT puts there, and which of two it finds likelier."""

from explorer.analysis import prediction
from tests.siblings import model


def chance(text: str, word: str, which: int = 0) -> float:
    return prediction.probe(model("bert"), prediction.blanks(model("bert"), text), word, which).probability


def first(text: str, accepted: str) -> bool:
    return prediction.fill_mask(model("bert"), text, top=1)[0][0][0] in accepted.split(",")


def among_five(text: str, word: str) -> bool:
    return word in [guess for guess, _ in prediction.fill_mask(model("bert"), text, top=5)[0]]


def beats(text: str, pairs: str) -> bool:
    """`are>is,were>was`: every first word is likelier than its second."""
    return all(
        chance(text, one) > chance(text, other)
        for one, other in (pair.split(">") for pair in pairs.split(","))
    )


def each_its_own(text: str, *words: str) -> bool:
    """The first word is likelier in the first blank than in the second, the other the other way round."""
    chances = [[chance(text, word, which) for which in (0, 1)] for word in words]
    return chances[0][0] > chances[0][1] and chances[1][1] > chances[1][0]


def by_what_follows(one: str, other: str, first: str, second: str) -> bool:
    """In one sentence the first word is likelier than the second, in the other it is the other way round."""
    return chance(one, first) > chance(one, second) and chance(other, second) > chance(other, first)
