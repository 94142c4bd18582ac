"""Word vectors: six views of models that have one vector for each word, and of what came after them."""

from collections.abc import Mapping

from explorer.server import warm_up
from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, choose, model_with
from explorer.views.settings.settings import Settings
from explorer.views.vectors import (
    analogies,
    fasttext,
    neighbours,
    one_hot,
    training,
    word_map,
)
from explorer.views.vectors.settings import LOCKED, MODEL, VIEW_NAME, WORDS

VIEWS: Mapping[str, View[None]] = {
    "one-hot": one_hot.VIEW,
    "neighbours": neighbours.VIEW,
    "analogies": analogies.VIEW,
    "train": training.VIEW,
    "fasttext": fasttext.VIEW,
    "map": word_map.VIEW,
}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """Draw the row of views and load the model, unless the view trains its own.

    Raises AbilityError for a model without a vector for each word.
    """
    view = choose(settings, VIEWS)
    if view is VIEWS["train"]:
        warm_up.yield_to_first_paint()
        return OpenPage(settings, view, None)
    return OpenPage(settings, view, None, model_with(settings, header, "VECTORS", "ATTENTION"))


# `words` and `locked` are the typed groups and the selected word of both maps.
PAGE = Page(name="vectors", settings=(VIEW_NAME, MODEL, WORDS, LOCKED), views=VIEWS, open=open)
