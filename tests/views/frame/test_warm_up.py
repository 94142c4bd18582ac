"""What is loaded in the background, and in which order."""

import threading

from explorer.analysis import projection
from explorer.checkpoints import bundled
from explorer.errors import CheckpointError
from explorer.views.frame import memory, warm_up
from explorer.views.frame.default_models import WRITER


def test_the_models_that_most_pages_open_with_come_first(monkeypatch):
    asked = []

    def get(name):
        asked.append(name)
        raise CheckpointError("It is damaged.")

    monkeypatch.setattr(memory, "get", get)
    monkeypatch.setattr(projection, "warm_umap", lambda: None)
    monkeypatch.setattr(warm_up, "_ending", threading.Event())
    warm_up._warm()
    assert asked[:2] == ["bert", WRITER]
    assert set(asked) == {WRITER, *map(str, bundled.shipped())} and len(asked) == len(set(asked))
