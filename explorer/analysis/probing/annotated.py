"""Our own sentences, with the facts about their words that were annotated by hand."""

from functools import cache

from explorer import assets
from explorer.analysis.probing.sentences import Sentence, read_treebank


@cache
def own_sentences() -> tuple[Sentence, ...]:
    """Our own sentences with their trees and names, annotated for this project.

    >>> len(own_sentences())
    12
    """
    return tuple(read_treebank(assets.text(assets.PROBES / "sentences.conllu").splitlines()))


def find_own_sentence(text: str) -> Sentence | None:
    """Our own sentence with this text; None if there is none.

    >>> find_own_sentence("No sentence of ours.") is None
    True
    """
    return next((sentence for sentence in own_sentences() if sentence.text == text.strip()), None)
