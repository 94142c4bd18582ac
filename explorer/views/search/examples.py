"""The functions that the page prints under “Show the code”."""

from explorer.views.types import LanguageModel, Model


def cosines_of_sentences(model: "Model | None", texts: list[str]) -> list[list[float]]:
    """The cosine of each pair of sentences, each read by a model, or else counted word by word (TF-IDF)."""
    from explorer.analysis import sentences

    return [[round(value, 3) for value in row] for row in sentences.read(model, texts).cosines.tolist()]


def nearest_translations(model: "Model | None") -> dict[str, int]:
    """Our sentences in 24 languages: how many have a translation nearest, or one in the same language."""
    from explorer.analysis import sentences

    ours = sentences.read(model, [each.text for each in sentences.translations()])
    return sentences.neighbours(ours)._asdict()


def nearest_passages(
    model: "Model | None", question: str, words: int, overlap: int
) -> list[tuple[float, str]]:
    """The passages of our own town that are nearest to a question, by the vectors of a model or of counts."""
    from explorer.analysis import sentences
    from explorer.analysis.sentences import our_town
    from explorer.corpus.passages import cut

    passages = cut(our_town.town(), words, overlap)
    ranking = sentences.search(question, sentences.read(model, passages), top=4)
    return [(match.score, match.text) for match in ranking.matches]


def two_answers(model: "LanguageModel", question: str, passages: list[str]) -> tuple[str, str]:
    """A model's answer with the passages in its prompt, and without."""
    from explorer.analysis import sentences

    answers = sentences.answer(model, question, passages)
    return answers.with_passages.continuation, answers.without.continuation
