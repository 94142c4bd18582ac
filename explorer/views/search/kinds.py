"""The choice among the kinds of vectors, and the vectors of some texts, kept for all visitors."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.server import caching, memory, warm_up
from explorer.views.search.settings import COUNTS, KIND, KINDS_HERE
from explorer.views.settings.settings import Settings
from explorer.views.widgets.controls import segments

if TYPE_CHECKING:
    from explorer.analysis.sentences import SentenceVectors

SLOW = 200  # texts; with fewer no progress is shown


def control(settings: Settings) -> None:
    """The choice among the kinds that are here."""
    settings.restrict(KIND, KINDS_HERE)
    segments(settings, KIND, "Vectors", KINDS_HERE)


def read(kind: str, texts: tuple[str, ...]) -> "SentenceVectors":
    """The vectors of some texts, computed once, with progress if there are many.

    If the visitor leaves meanwhile, Streamlit ends the run, and with it the computation.
    """
    warm_up.yield_to_first_paint()
    return _read(kind, texts)


@caching.resource(max_entries=32)
def _read(kind: str, texts: tuple[str, ...]) -> "SentenceVectors":
    from explorer.analysis import sentences

    model = None if kind == COUNTS else memory.get(kind)
    prompts = {} if model is None else sentences.pooling(model).prompts
    pair = prompts.get("query", ""), prompts.get("passage", prompts.get("document", ""))
    if len(texts) < SLOW:
        return sentences.read(model, texts, prompts=pair)
    bar = st.progress(0.0, "Reading the texts")

    def progress(done: int, total: int) -> None:
        bar.progress(done / total, f"{done:,} of {total:,} texts are read")

    try:
        return sentences.read(model, texts, progress, pair)
    finally:
        bar.empty()
