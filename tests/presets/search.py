"""What the presets of “Search by meaning” promise: which sentences are near each other, by which vectors."""

from explorer.analysis import sentences
from explorer.views.search.sentences import OPENING
from explorer.views.search.settings import MODEL
from tests.shared_models import model


def read(texts: list[str], name: str = MODEL.default) -> sentences.SentenceVectors:
    return sentences.read(model(name) if name else None, texts)


def is_nearest(first: str, second: str, others: str = OPENING) -> bool:
    """Each of two sentences is nearest to the other, among others."""
    texts = list(dict.fromkeys([first, second, *others.splitlines()]))
    vectors = read(texts)
    return [vectors.nearest(i, 1)[0][0] for i in (0, 1)] == [1, 0]


def shares_no_word(first: str, second: str) -> bool:
    """Counts of words find nothing in common."""
    return float(read([first, second], "").cosines[0, 1]) == 0


def are_all_alike(text: str) -> bool:
    """By BERT mini's mean vectors, two sentences have a cosine of 0.8 or more on average."""
    cosines = read(text.splitlines(), "bert-mini").cosines
    count = len(cosines)
    return float(cosines.sum() - count) / (count * (count - 1)) >= 0.8


def exchanged_is_nearer(first: str, exchanged: str, same: str) -> bool:
    """The sentence with the two exchanged is nearer than one that tells the same."""
    cosines = read([first, exchanged, same]).cosines[0]
    return bool(cosines[1] > cosines[2])


def wordings_meet(text: str, questions: int) -> bool:
    """Of at least ten in twelve, the nearest is another wording of the same question."""
    texts = text.splitlines()
    vectors = read(texts)
    met = sum(vectors.nearest(i, 1)[0][0] % questions == i % questions for i in range(len(texts)))
    return met * 12 >= 10 * len(texts)


def neighbours(name: str) -> sentences.Neighbours:
    return sentences.neighbours(read([each.text for each in sentences.translations()], name))


def translations_meet(name: str) -> bool:
    """Of at least nine in ten of our sentences in 24 languages, the nearest is a translation."""
    ours = neighbours(name)
    return ours.translation * 10 >= ours.sentences * 9


def languages_meet(name: str) -> bool:
    """The nearest is more often one in the same language than a translation."""
    ours = neighbours(name)
    return ours.same_language > ours.translation
