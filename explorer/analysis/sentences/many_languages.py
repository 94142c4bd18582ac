"""Our own everyday sentences, each in many languages, and what the nearest of each is by a model's vectors.

Where a model has one space for all languages, the nearest is a translation; elsewhere another sentence of
the same language, or one that only looks like it: Pires et al. (2019), “How Multilingual is Multilingual
BERT?”; Conneau et al. (2020), “Emerging Cross-lingual Structure in Pretrained Language Models”. No native
speaker has read the translations yet.
"""

from functools import cache
from typing import NamedTuple

import torch

from explorer import assets
from explorer.analysis.sentences.vectors import SentenceVectors
from explorer.catalogue import language


class TranslatedSentence(NamedTuple):
    """A sentence, the name of its language, and a word for what it says, the same in all languages."""

    text: str
    language: str
    meaning: str


class Neighbours(NamedTuple):
    """Of how many of `sentences` the nearest is a translation, and of how many one of its own language.

    Sentences without a vector are not counted.
    """

    sentences: int
    translation: int
    same_language: int


@cache
def translations() -> tuple[TranslatedSentence, ...]:
    """Eight sentences in twenty-four languages, a language after the other, the English ones first.

    >>> translations()[8].language, translations()[8].text
    ('German', 'Es regnet, und ich habe meinen Schirm vergessen.')
    """
    table = assets.text(assets.SEARCH / "translations.tsv")
    (_, *meanings), *rows = [line.split("\t") for line in table.splitlines()]
    return tuple(
        TranslatedSentence(text, language.names()[code], meaning)
        for code, *texts in rows
        for text, meaning in zip(texts, meanings, strict=True)
    )


def neighbours(vectors: SentenceVectors) -> Neighbours:
    """What the nearest sentence is, by cosine, of each of our `translations`, with which the vectors begin.

    Others behind them, such as a visitor's, do not take part.

    >>> from explorer.analysis.sentences import read
    >>> neighbours(read(None, [each.text for each in translations()]))
    Neighbours(sentences=192, translation=47, same_language=84)
    """
    ours = translations()
    cosines = vectors.cosines[: len(ours), : len(ours)].clone().fill_diagonal_(-torch.inf)
    pairs = [
        (each, ours[at])
        for each, at, known in zip(ours, cosines.argmax(1).tolist(), vectors.dense.any(1).tolist())
        if known
    ]
    same_language = sum(one.language == other.language for one, other in pairs)
    return Neighbours(len(pairs), sum(one.meaning == other.meaning for one, other in pairs), same_language)
