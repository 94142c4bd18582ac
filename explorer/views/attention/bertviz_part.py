"""The part of a text and a model that BertViz draws: the sliders that choose it, and what is left out."""

from typing import Any

import streamlit as st

from explorer.views import kit
from explorer.views.attention.sentence import layers_and_heads
from explorer.views.attention.settings import BERTVIZ, HEAD, HEAD_RANGE, HIDE, LAYER, LAYERS, TOKENS
from explorer.views.types import Trace
from explorer.views.widgets.bertviz_limits import LINES, Selection, fit_model, fit_tokens, requested


def choose_part(settings: kit.Settings, trace: "Trace") -> None:
    """Sliders for the layers, heads and tokens, where there is a choice; and what is left out."""
    count = len(kept_positions(settings[HIDE], trace))
    layers, heads = layers_and_heads(trace)
    request, part = parts(settings, trace)
    model = settings[BERTVIZ] == "model"
    with st.container(key="bertviz-controls", horizontal=True, gap="large"):
        if model:
            _slider(settings, LAYERS, layers, part.layers)
            _slider(settings, HEAD_RANGE, heads, part.heads)
        if model or len(part.tokens) < count:
            _slider(settings, TOKENS, count, part.tokens)
    if text := left_out(settings, trace, request, part):
        kit.note(text)


def parts(settings: kit.Settings, trace: "Trace") -> tuple[Selection, Selection]:
    """The part that the settings ask for, and as much of it as is drawn."""
    layers, heads = layers_and_heads(trace)
    layer, head = (range(settings[name], settings[name] + 1) for name in (LAYER, HEAD))
    tokens = requested(settings[TOKENS], len(kept_positions(settings[HIDE], trace)))
    if settings[BERTVIZ] == "model":
        request = Selection(
            requested(settings[LAYERS], layers), requested(settings[HEAD_RANGE], heads), tokens
        )
        return request, fit_model(request)
    request = Selection(layer, head if settings[BERTVIZ] == "neurons" else range(heads), tokens)
    return request, fit_tokens(request)


def left_out(settings: kit.Settings, trace: "Trace", request: Selection, part: Selection) -> str:
    """The tokens and weights that the view leaves out, in words."""
    texts = [kit.unread(trace.encoding)]
    if settings[HIDE] and trace.encoding.special.any():
        texts.append("Rows are rescaled to sum to 1 without the special tokens.")
    if part != request and settings[BERTVIZ] == "model":
        texts.append(
            f"All of it would be {request.lines:,} lines; BertViz is given {LINES:,} at most. "
            "Choose fewer layers or heads for more tokens."
        )
    count = len(kept_positions(settings[HIDE], trace))
    if len(part.tokens) < count:
        first, last = part.tokens[0], part.tokens[-1]
        texts.append(
            f"You see tokens {first + 1} to {last + 1} of {count}. Weights on the others are not drawn."
        )
    return " ".join(filter(None, texts))


def kept_positions(hide: bool, trace: "Trace") -> list[int]:
    """The positions of the tokens that are not hidden."""
    return [i for i, special in enumerate(trace.encoding.special.tolist()) if not (hide and special)]


def _slider(settings: kit.Settings, setting: kit.Setting[Any], size: int, numbers: range) -> None:
    """A range, counted from 1, that shows what is drawn; the setting is what the person asked for."""
    if size < 2:
        return
    key = f"attention/{setting}"
    st.session_state[key] = (numbers[0] + 1, numbers[-1] + 1)

    def store() -> None:
        first, last = st.session_state[key]
        settings.set(setting.to(None if (first, last) == (1, size) else [first - 1, last - 1]))

    st.slider(setting.capitalize(), 1, size, key=key, on_change=store)
