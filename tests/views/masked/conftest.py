"""For the tests of the masked-words page: the model it opens with."""

import pytest

import explorer


@pytest.fixture(scope="module")
def model():
    return explorer.load("bert")
