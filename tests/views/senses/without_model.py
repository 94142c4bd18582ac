"""Occurrences of a word that need no model."""

import torch

from explorer.analysis import senses
from explorer.analysis.senses.occurrences import Occurrences
from explorer.views.senses.word_occurrences import WordOccurrences

HOSTILE = "The <b>bank</b> & </script> stood #river"


def without_model(text: str, word: str = "bank") -> WordOccurrences:
    """The occurrences of a word in some sentences, all vectors at right angles."""
    sentences = senses.read_sentences(text)
    found = [(i, span) for i, s in enumerate(sentences) for span in senses.find(s.text, word)]
    vectors = torch.eye(len(found))[:, None].expand(-1, 2, -1)
    occurrences = Occurrences(word, vectors, [i for i, _ in found], [span for _, span in found], [], [])
    known = senses.senses_of(occurrences, sentences)
    return WordOccurrences(
        text, word, sentences, occurrences, torch.ones(len(found), len(found)), known, None, []
    )
