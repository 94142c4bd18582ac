"""Models and traces, kept in memory for all visitors, and the picker in a page's header."""

import os
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel
    from explorer.trace import Ability, Trace

OTHERS_KEPT = 2  # hub and folder models in memory; the bundled ones all stay
LABELS = {
    "word2vec": "word2vec, bundled", "elmo": "ELMo, bundled", "bert": "BERT, bundled",
    "bert-mini": "BERT mini, bundled", "gpt": "GPT, bundled",
}  # fmt: skip

_models: "OrderedDict[str, LanguageModel]" = OrderedDict()
_lock = threading.Lock()


def get(name: str, progress=None) -> "LanguageModel":
    """A loaded model, from memory where it is there. Raises CheckpointError."""
    with _lock:  # twenty visitors who ask at once wait for one load
        if name not in _models:
            import torch

            import explorer

            # One thread per forward pass: two on two cores stall for seconds when two visitors ask at once.
            torch.set_num_threads(1)
            _models[name] = explorer.load(name, progress) if progress else explorer.load(name)
            others = [n for n, m in _models.items() if m.checkpoint.source != "bundled"]
            for old in others[:-OTHERS_KEPT]:
                del _models[old]
        _models.move_to_end(name)
        return _models[name]


def pick(settings: Settings, *abilities: "Ability") -> "LanguageModel":
    """The picker: models with one of the abilities; returns the chosen one, loaded.

    A name that is not listed may be typed: `hub:organisation/name` or `folder:/a/path`.
    """
    import explorer

    names = [str(c) for c in explorer.available() if _suits(c.abilities, abilities)]
    chosen = settings["model"]
    st.selectbox(
        "Model",
        names if chosen in names else [*names, chosen],
        key=settings.key("model"),
        format_func=lambda name: LABELS.get(name, name.removeprefix("hub:")),
        accept_new_options=_open_sources(),
        label_visibility="collapsed",
        help="A model that ships with Riverbank, or one from the Hugging Face hub.",
    )
    return load(settings["model"])


def short_label(name: str) -> str:
    """A checkpoint's name where all are bundled: `BERT`."""
    return LABELS.get(name, name).removesuffix(", bundled")


def pick_bundled(settings: Settings, names: list[str]) -> str:
    """The picker of a page that only tells of the checkpoints in `names`; nothing is loaded."""
    chosen = settings["model"]
    st.selectbox(
        "Model",
        names if chosen in names else [*names, chosen],
        key=settings.key("model"),
        format_func=short_label,
        label_visibility="collapsed",
        help="A model that ships with Riverbank.",
    )
    return settings["model"]


def load(name: str) -> "LanguageModel":
    """A model, with a progress bar where it must be fetched first."""
    if name in _models:
        return get(name)
    place = st.empty()

    def show(done: int, total: int, file: str) -> None:
        place.progress(
            min(done / max(total, 1), 1.0), f"Fetching {file}: {done / 1e6:.0f} of {total / 1e6:.0f} MB"
        )

    try:
        return get(name, None if ":" not in name else show)
    finally:
        place.empty()


@st.cache_resource(max_entries=64, show_spinner=False)
def trace(name: str, text: str, pair: str | None, capture: int, limit: int | None) -> "Trace":
    """One text's trace, computed once for all visitors. `capture` is a Capture flag's value."""
    from explorer.trace import Capture

    return get(name).trace(text, pair, Capture(capture), limit)


def _open_sources() -> bool:
    """Whether a visitor may type a name; on an address that others can reach, not unless asked for."""
    from explorer.checkpoints import OPEN_VARIABLE, open_sources

    if st.get_option("server.address") not in ("localhost", "127.0.0.1", "::1"):
        os.environ.setdefault(OPEN_VARIABLE, "0")
    return open_sources()


def _suits(has: "Ability | None", wanted: "tuple[Ability, ...]") -> bool:
    return has is None or any(has & ability for ability in wanted)
