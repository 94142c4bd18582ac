"""The page's word and sentences by any model, whether it is the chosen one or not."""

import threading
from functools import cache
from typing import TYPE_CHECKING

from explorer.ability import Ability
from explorer.manifest import manifests
from explorer.views.frame import caching, memory
from explorer.views.frame.settings import Settings
from explorer.views.senses import corpus, own_text
from explorer.views.senses.settings import CORPUS, OWN, TEXT, WORD
from explorer.views.senses.word_occurrences import WordOccurrences, find_word

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.senses.contextuality import RandomWords
    from explorer.models import LanguageModel

RANDOM_WORDS = 200  # enough for their mean cosine to within 0.015 or so, after a second of reading
MOST_KEPT = 4096  # sentences by model, a few numbers each

_kept: "dict[tuple[str, str], Tensor]" = {}
_lock = threading.Lock()


def read(settings: Settings, model: "LanguageModel") -> WordOccurrences:
    """The occurrences of the page's word by a model.

    Raises TextError where this model cannot read the word or the sentences.
    """
    if settings[CORPUS]:
        return corpus.anew(settings, model, lambda done, total: None)
    if settings[OWN]:
        return own_text.find_word(settings, model, lambda done, total: None)
    return find_word(model, settings[TEXT], settings[WORD])


def bundled(*abilities: str) -> list[str]:
    """A model of each kind that ships and has one of the abilities, which are named as in `Ability`."""
    return [
        model.name
        for model in manifests().values()
        if model.comparison and model.ships() and any(model.abilities & Ability[name] for name in abilities)
    ]


def label(model: str) -> str:
    """What a model is called on a chart: `BERT`, or the last part of another's name."""
    return memory.short_label(model).rpartition("/")[2].removeprefix("hub:").removeprefix("folder:")


@caching.resource(max_entries=8)
def random_words(model: "LanguageModel") -> "RandomWords":
    """Words drawn at random from our own sentences, each from another one, as a model sees them there."""
    from explorer.analysis.senses import contextuality

    return contextuality.random_words(model, _sentences(), RANDOM_WORDS)


def sentence_similarities(model: "LanguageModel", occurrences: WordOccurrences) -> "list[Tensor]":
    """The intra-sentence similarity of each sentence with the word; only new sentences are run.

    Nothing is kept of a visitor's own text.
    """
    from explorer.analysis.senses import contextuality

    name = str(model.checkpoint)
    texts = [occurrences.sentences[i].text for i in sorted(set(occurrences.found.sentence_index))]
    with _lock:
        found = {text: _kept[name, text] for text in texts if (name, text) in _kept}
    if new := [text for text in dict.fromkeys(texts) if text not in found]:
        found.update(zip(new, contextuality.sentence_similarities(model, new), strict=True))
    if not isinstance(occurrences, own_text.OwnTextOccurrences):
        with _lock:
            _kept.update(((name, text), found[text]) for text in new)
            while len(_kept) > MOST_KEPT:
                del _kept[next(iter(_kept))]
    return [found[text] for text in texts]


@cache
def _sentences() -> list[str]:
    from explorer.analysis import senses

    return [sentence.text for word in senses.library_words() for sentence in senses.library(word)]
