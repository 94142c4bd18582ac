"""Sentences as vectors: what one text has in common with another, whatever its words.

embedding     a text as one vector, pooled from its tokens, and what each token gives to it
vectors       many texts in one space, of counts of words or of a model; who is nearest to whom
ranking       the passages nearest to a question, and why: the cosine as a sum over pairs of tokens
word_search   a search for words, BM25
unrelated     the score below which a match says nothing
answering     passages put into a prompt, and what a language model answers
our_town      our own text on a town that does not exist, with questions
many_languages  our own sentences in many languages: is the nearest one a translation?
"""

from explorer.analysis.sentences.answering import Answers, answer
from explorer.analysis.sentences.embedding import TokenShares, embed, encode, pooling, prompts, token_shares
from explorer.analysis.sentences.many_languages import (
    Neighbours,
    TranslatedSentence,
    neighbours,
    translations,
)
from explorer.analysis.sentences.ranking import Match, Pairs, Ranking, explain, search
from explorer.analysis.sentences.vectors import SentenceVectors, read
from explorer.analysis.sentences.word_search import bm25

__all__ = [
    "Answers",
    "Match",
    "Neighbours",
    "Pairs",
    "Ranking",
    "SentenceVectors",
    "TokenShares",
    "TranslatedSentence",
    "answer",
    "bm25",
    "embed",
    "encode",
    "explain",
    "neighbours",
    "pooling",
    "prompts",
    "read",
    "search",
    "token_shares",
    "translations",
]
