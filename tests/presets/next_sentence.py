"""What the presets of “Next sentence” promise."""

from explorer.analysis import prediction
from tests.shared_models import model


def goes_on(one: str, right: str, other: str) -> bool:
    """A sentence follows more likely than not, and likelier than another."""
    follows = [prediction.next_sentence(model("bert"), one, second) for second in (right, other)]
    return follows[0] > max(0.5, follows[1])


def goes_on_best(one: str, seconds: str) -> bool:
    """The first of some sentences follows better than each other one."""
    right, *others = seconds.splitlines()
    return all(goes_on(one, right, other) for other in others)
