"""What Chinese presets promise of the bundled model; their siblings were written before there was one."""

from explorer.analysis import heads, prediction
from explorer.analysis.attention.weights import between_words
from explorer.assets import CHINESE
from explorer.views.heads import own_arcs
from tests.shared_models import model

OVER_DISTANCE = 0.1  # what may be left of attention beyond the mean of its distance
BRIDGE = "車在橋邊等，可是橋太低，車過不去。"


def has_a_token_a_character(text: str) -> bool:
    """Every character is a token."""
    encoding = model(CHINESE).encode(text)
    return [t for t, special in zip(encoding.tokens, encoding.special) if not special] == list(text)


def is_among_two(text: str, character: str) -> bool:
    """The right character is among the first two guesses."""
    return character in [guess for guess, _ in prediction.fill_mask(model(CHINESE), text, top=2)[0]]


def goes_on(first: str, second: str, other: str) -> bool:
    follows = [prediction.next_sentence(model(CHINESE), first, one) for one in (second, other)]
    return follows[0] > follows[1]


def ranked(text: str, arcs: list[list[int]]):
    _, pattern = between_words(model(CHINESE).trace(text))
    return heads.find(pattern, own_arcs.read_arcs(arcs, pattern.shape[-1])).ranking()


def back_to_the_first(text: str, *twice: str) -> list[list[int]]:
    return [[text.rindex(one), text.index(one)] for one in twice]


def has_the_same_head(text: str, *twice: str) -> bool:
    """The head that is best at the preset's own arcs is among the two best here, by more than distance."""
    own, *_ = ranked(BRIDGE, back_to_the_first(BRIDGE, "橋", "車"))
    best = [one for one in ranked(text, back_to_the_first(text, *twice))[:2] if one.margin > 0]
    return (own.layer, own.head) in [(one.layer, one.head) for one in best]


def inside_words(segmented: str) -> list[list[int]]:
    """An arc from the second character of each word of two to its first."""
    arcs, at = [], 0
    for word in segmented.split():
        if len(word) == 2:
            arcs.append([at + 1, at])
        at += len(word)
    return arcs


def is_one_back(segmented: str) -> bool:
    best, *_ = ranked(segmented.replace(" ", "") + "。", inside_words(segmented))
    return best.attention > 0.5 and abs(best.margin) < OVER_DISTANCE
