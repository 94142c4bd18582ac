"""What the presets of “Search” and “Answer from it” promise: what is found, and what is answered."""

from functools import cache

from explorer.analysis import sentences
from explorer.analysis.sentences import answering, our_town, unrelated
from explorer.corpus.passages import cut
from tests.shared_models import model


@cache
def vectors(words: int = 0, overlap: int = 0, name: str = "minilm") -> sentences.SentenceVectors:
    return sentences.read(model(name), cut(our_town.town(), words, overlap))


def first(question: str, words: int = 0, overlap: int = 0, name: str = "minilm") -> str:
    return sentences.search(question, vectors(words, overlap, name), 1).matches[0].text


def finds_first(questions: list[list[str]], counts: dict[str, int]) -> bool:
    """Each model puts the passage with this beginning first for so many questions, and for the first one of
    them the model that is named first does.
    """
    hits = {
        name: [first(question, name=name).startswith(beginning) for question, beginning in questions]
        for name in counts
    }
    return {name: sum(each) for name, each in hits.items()} == counts and next(iter(hits.values()))[0]


def by_words(question: str, top: int) -> list[str]:
    ranking = sentences.bm25(question, vectors().texts, top)
    return [match.text for match in ranking.matches]


def only_meaning_finds(question: str, passage: str) -> bool:
    """The passage is first by meaning, and not among the first three by words."""
    return first(question) == passage and passage not in by_words(question, 3)


def only_words_find(question: str, passage: str) -> bool:
    """The passage is first by words, and not by meaning."""
    return by_words(question, 1) == [passage] and first(question) != passage


def window_holds(question: str, words: int, overlap: int, answer: str) -> bool:
    """The first window has the answer."""
    return answering.is_right(first(question, words, overlap), [answer])


def is_unknown(question: str) -> bool:
    """Every passage is below the line that unrelated questions draw."""
    return sentences.search(question, vectors(), 1).matches[0].score <= unrelated.line(vectors())


def answers(question: str, passage: str, answer: str, right: bool = True) -> bool:
    """SmolLM2 gives this answer with the passage, or does not, and does not without."""
    both = sentences.answer(model("smollm2"), question, [passage])
    with_passage, without = (
        answering.is_right(each.continuation, [answer]) for each in (both.with_passages, both.without)
    )
    return with_passage == right and not without


def is_poisoned(question: str, passages: str, answer: str) -> bool:
    """With its first line SmolLM2 gives this answer, and with all of them the poisoner's word instead."""
    writer, (first, *rest) = model("smollm2"), passages.splitlines()
    alone, both = (
        sentences.answer(writer, question, read).with_passages.continuation
        for read in ([first], [first, *rest])
    )
    return answering.is_right(alone, [answer]) and answering.is_right(both, [our_town.WORD])


def poison_counts(poison: str, right: int, says: int) -> bool:
    """Of the twenty questions, 13 are answered with the right passage alone, so many beside a poison, and so
    many answers say its word.
    """
    answers = our_town.measured()["answers"]
    said = sum(answering.is_right(each["text"], [our_town.WORD]) for each in answers[poison])
    counts = [sum(each["right"] for each in answers[name]) for name in ("right", poison)]
    return counts == [13, right] and said == says
