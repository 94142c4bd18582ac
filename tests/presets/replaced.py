"""What the presets of “Real or replaced?” promise."""

from explorer.analysis.prediction import replacing
from explorer.views.masked.replaced import VIEW
from tests.shared_models import model


def suspicion(text: str) -> dict[str, float]:
    """How probable “replaced” is for each word of a text; of its pieces the most suspect one counts."""
    discriminator = model(VIEW.model)
    judged = replacing.judge(discriminator, discriminator.encode(text), [])
    suspicions: dict[str, float] = {}
    for at, probability in enumerate(judged.probabilities.tolist()):
        if judged.encoding.special[at]:
            continue
        start, end = judged.encoding.spans[at]
        left = text.rfind(" ", 0, start + 1) + 1
        right = text.find(" ", end)
        word = text[left : right if right >= 0 else len(text)].strip(".")
        suspicions[word] = max(suspicions.get(word, 0.0), probability)
    return suspicions


def is_noticed(text: str, word: str, odd: str) -> bool:
    """The odd word is called replaced."""
    return suspicion(text.replace(word, odd))[odd] > 0.5


def is_missed(text: str, word: str, odd: str) -> bool:
    """The odd word passes: it is not called replaced."""
    return suspicion(text.replace(word, odd))[odd] < 0.5


def is_alone_noticed(text: str, word: str, odd: str) -> bool:
    """The odd word is called replaced, and no other is."""
    return [one for one, chance in suspicion(text.replace(word, odd)).items() if chance > 0.5] == [odd]
