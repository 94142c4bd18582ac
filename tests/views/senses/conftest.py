"""For the tests of Word senses: a model that loads at once."""

import pytest


@pytest.fixture(scope="session")
def tiny(bert_folder) -> str:
    """A checkpoint that loads at once."""
    return f"folder:{bert_folder}"
