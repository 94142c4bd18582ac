"""For the tests of own texts."""

import io
from collections.abc import Callable

import pytest

from explorer.corpus.index import Index, build
from explorer.corpus.inspection import inspect
from explorer.corpus.rows import Report, read


@pytest.fixture
def indexed() -> Callable[..., Index]:
    """indexed("Some text.", "notes.txt") -> its index."""

    def index(text: str | bytes, name: str = "notes.txt", report: Report | None = None) -> Index:
        file = io.BytesIO(text if isinstance(text, bytes) else text.encode())
        return build(name, read(inspect(name, file), file, report or Report()))

    return index
