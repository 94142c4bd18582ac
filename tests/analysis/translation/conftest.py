"""A tiny translator with random weights, and what `transformers` makes of the same files."""

import pytest

import explorer


@pytest.fixture(scope="session")
def translator(marian_folder):
    return explorer.load(f"folder:{marian_folder}")


@pytest.fixture(scope="session")
def theirs(their_marian):
    return their_marian
