"""The page of probes: the row of views, a bundled model, and for two views a sentence."""

from collections.abc import Mapping
from typing import Any

from explorer import analysis
from explorer.server import memory, warm_up
from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View, choose
from explorer.views.probing import by_layer, sentence, tree
from explorer.views.probing.settings import MODEL, TASK, TEXT, VIEW_NAME
from explorer.views.probing.texts import MODELS
from explorer.views.settings.settings import Settings

VIEWS: Mapping[str, View[Any]] = {
    "sentence": sentence.VIEW,
    "tree": tree.VIEW,
    "layers": by_layer.VIEW,
}


def open(settings: Settings, header: Header) -> OpenPage[Any]:
    """The row of views and the model, which the view of stored figures need not load.

    Raises ExplorerError for a model that has no probes.
    """
    view = choose(settings, VIEWS)
    name = header.bundled(list(MODELS))
    warm_up.yield_to_first_paint()
    analysis.probing.probes(name)
    header.badge(name)
    if view is by_layer.VIEW:
        return OpenPage(settings, view, None)
    return OpenPage(settings, view, None, memory.get(name))


PAGE = Page(name="probing", settings=(VIEW_NAME, MODEL, TEXT, TASK), views=VIEWS, open=open)
