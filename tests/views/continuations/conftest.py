"""One session's continuations on a tiny model, and what the tests do with them."""

import pytest

from explorer.analysis.generation.steps import Sampling
from explorer.views.continuations.session import Continuations, begin


@pytest.fixture
def run(tiny_gpt) -> Continuations:
    """A tree with its first token."""
    return begin((), tiny_gpt, "the bank", Sampling(max_new_tokens=8))
