"""Word vectors: six views of models that have one vector for each word, and of what came after them."""

from collections.abc import Mapping

from explorer.server import warm_up
from explorer.views import kit
from explorer.views.vectors import analogies, fasttext, neighbours, one_hot, training, word_map
from explorer.views.vectors.settings import LOCKED, MODEL, VIEW_NAME, WORDS

VIEWS: Mapping[str, kit.View[None]] = {
    "one-hot": one_hot.VIEW,
    "neighbours": neighbours.VIEW,
    "analogies": analogies.VIEW,
    "train": training.VIEW,
    "fasttext": fasttext.VIEW,
    "map": word_map.VIEW,
}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """Draw the row of views and load the model, unless the view trains its own.

    Raises AbilityError for a model without a vector for each word.
    """
    view = kit.choose(settings, VIEWS)
    if view is VIEWS["train"]:
        warm_up.yield_to_first_paint()
        return kit.OpenPage(settings, view, None)
    return kit.OpenPage(settings, view, None, kit.model_with(settings, header, "VECTORS", "ATTENTION"))


# `words` and `locked` are the typed groups and the selected word of both maps.
PAGE = kit.Page(name="vectors", settings=(VIEW_NAME, MODEL, WORDS, LOCKED), views=VIEWS, open=open)
