"""A small word2vec of its own, so that no shipped weights are needed."""

import pytest

from explorer.analysis.vectors import train
from explorer.models import FAMILIES
from explorer.models.word2vec import Word2Vec, Word2VecConfig
from explorer.views.vectors.settings import our_text
from tests.hub_files import write_model
from tests.tiny import write_whole_words


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> str:
    """word2vec of 13 dimensions, trained for a moment on our own text."""
    training = train.train(our_text(), train.Settings(dimensions=13, epochs=8, rate=0.1, subsample=0.01))
    *_, last = training
    folder = tmp_path_factory.mktemp("tiny-word2vec")
    network = Word2Vec(Word2VecConfig(len(training.words), 13))
    network.tokens.weight.data = last.vectors.matrix
    write_model(folder, network, FAMILIES["word2vec"])
    write_whole_words(folder, training.words)
    return f"folder:{folder}"
