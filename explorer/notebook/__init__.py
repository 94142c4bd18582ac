"""The app's pictures in a notebook: what an analysis returns draws itself in JupyterLab, VS Code or Colab.

    explorer.load("bert").trace("The animal was too tired.")      as the last line of a cell: every head
    heads(trace, layer=4, head=2)                                 the same picture, opened at a head
    html(result)                                                  a picture as HTML

A result asks for its picture by `_repr_html_` (see `explorer.pictures`). It is drawn by the scripts of the
app's own pages, from the same data, in a page of its own that needs neither server nor network.
"""

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.notebook.cell import Cell
    from explorer.trace import Trace

# What the views say where there is no server.
for name in ("caching.cache_data_api", "scriptrunner_utils.script_run_context"):
    logging.getLogger(f"streamlit.runtime.{name}").addFilter(
        lambda record: (
            "ScriptRunContext" not in (text := record.getMessage()) and "No runtime found" not in text
        )
    )


def html(result: Any) -> str | None:
    """A result's picture as HTML for a notebook; None for one that has no picture.

    >>> html(3) is None
    True
    """
    from explorer.notebook.cell import cell_of

    for name in ("attention", "guesses", "texts", "words"):  # each registers its results
        import_module(f"explorer.notebook.{name}")

    cell = cell_of(result)
    return None if cell is None else cell._repr_html_()


def heads(trace: "Trace", layer: int = 0, head: int = 0) -> "Cell":
    """Every head of a trace, opened at one of them; both are counted from 0.

    >>> import explorer
    >>> cell = heads(explorer.load("bert").trace("It rains."), layer=4, head=2)
    >>> [component.name for component in cell.components]
    ['attention/head', 'attention/wall']
    """
    from explorer.notebook.attention import every_head

    return every_head(trace, layer, head)
