"""The page of probes: the row of views, a bundled model, and for two views a sentence."""

from collections.abc import Mapping
from typing import Any

from explorer import analysis
from explorer.server import warm_up
from explorer.views import kit
from explorer.views.probing import by_layer, sentence, tree
from explorer.views.probing.settings import MODEL, MODELS, TASK, TEXT, VIEW_NAME

VIEWS: Mapping[str, kit.View[Any]] = {"sentence": sentence.VIEW, "tree": tree.VIEW, "layers": by_layer.VIEW}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[Any]:
    """The row of views and the model, which the view of stored figures need not load.

    Raises ExplorerError for a model that has no probes.
    """
    view = kit.choose(settings, VIEWS)
    name = header.bundled(list(MODELS))
    warm_up.yield_to_first_paint()
    analysis.probing.probes(name)
    header.badge(name)
    if view is by_layer.VIEW:
        return kit.OpenPage(settings, view, None)
    return kit.OpenPage(settings, view, None, kit.memory.get(name))


PAGE = kit.Page(name="probing", settings=(VIEW_NAME, MODEL, TEXT, TASK), views=VIEWS, open=open)
