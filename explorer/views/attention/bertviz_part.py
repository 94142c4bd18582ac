"""Which part of a text and a model BertViz draws: the sliders that choose it, and what is left out."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.attention.sentence import layers_and_heads
from explorer.views.attention.settings import BERTVIZ, HEAD, HEAD_RANGE, HIDE, LAYER, LAYERS, TOKENS
from explorer.views.frame.setting import Setting
from explorer.views.frame.settings import Settings
from explorer.views.widgets.bertviz_limits import LINES, Part, asked, fit_model, fit_tokens
from explorer.views.widgets.notes import note_html
from explorer.views.widgets.passed_over import unread

if TYPE_CHECKING:
    from explorer.trace import Trace


def choose_part(settings: Settings, trace: "Trace") -> None:
    """Which layers, heads and tokens, where there is more than fits; and what was left out."""
    kept = kept_positions(settings[HIDE], trace)
    layers, heads = layers_and_heads(trace)
    wanted, part = parts(settings, trace)
    model = settings[BERTVIZ] == "model"
    with st.container(key="bertviz-controls", horizontal=True, gap="large"):
        if model:
            _slider(settings, LAYERS, layers, part.layers)
            _slider(settings, HEAD_RANGE, heads, part.heads)
        if model or len(part.tokens) < len(kept):
            _slider(settings, TOKENS, len(kept), part.tokens)
    if said := left_out(settings, trace, wanted, part, len(kept)):
        note_html(said)


def parts(settings: Settings, trace: "Trace") -> tuple[Part, Part]:
    """What the settings ask for, and what of it is drawn."""
    layers, heads = layers_and_heads(trace)
    tokens = asked(settings[TOKENS], len(kept_positions(settings[HIDE], trace)))
    layer = range(settings[LAYER], settings[LAYER] + 1)
    head = range(settings[HEAD], settings[HEAD] + 1)
    match settings[BERTVIZ]:
        case "model":
            wanted = Part(asked(settings[LAYERS], layers), asked(settings[HEAD_RANGE], heads), tokens)
            return wanted, fit_model(wanted)
        case "neurons":
            wanted = Part(layer, head, tokens)
        case _:
            wanted = Part(layer, range(heads), tokens)
    return wanted, fit_tokens(wanted)


def left_out(settings: Settings, trace: "Trace", wanted: Part, part: Part, shown: int) -> str:
    """What the view leaves out of the text and the model, in words."""
    said = [unread(trace.encoding)]
    if settings[HIDE] and trace.encoding.special.any():
        said.append("Rows are rescaled to sum to 1 without the special tokens.")
    tokens = f"{_numbers('token', part.tokens, shown)} of {shown}"
    if part != wanted and settings[BERTVIZ] == "model":
        layers, heads = layers_and_heads(trace)
        for name, drawn, size in (("layer", part.layers, layers), ("head", part.heads, heads)):
            tokens += f", {_numbers(name, drawn, size)}" if len(drawn) < size else ""
        said.append(
            f"All of it would be {wanted.lines:,} lines; BertViz is given {LINES:,} at most: "
            f"you see {tokens}. Choose fewer layers or heads for more tokens."
        )
    elif len(part.tokens) < shown:
        said.append(f"You see {tokens}.")
    if len(part.tokens) < shown:
        said.append("Weights on the other tokens are not drawn.")
    return " ".join(filter(None, said))


def kept_positions(hide: bool, trace: "Trace") -> list[int]:
    """The positions of the tokens that are not hidden."""
    return [i for i, special in enumerate(trace.encoding.special.tolist()) if not (hide and special)]


def _slider(settings: Settings, setting: Setting[Any], size: int, drawn: range) -> None:
    """A range of 0 to size - 1 that shows what is drawn; the setting is what the person asked for."""
    if size < 2:
        return
    key = f"attention/{setting}"
    st.session_state[key] = (drawn[0], drawn[-1])

    def moved() -> None:
        first, last = st.session_state[key]
        settings.set(setting.to(None if (first, last) == (0, size - 1) else [first, last]))

    st.slider(setting.capitalize(), 0, size - 1, key=key, on_change=moved)


def _numbers(name: str, drawn: range, size: int) -> str:
    """`the first 23 tokens`, `layer 4` or `heads 2 to 5`."""
    if len(drawn) == 1:
        return f"{name} {drawn[0]}"
    if drawn[0] == 0 and len(drawn) < size:
        return f"the first {len(drawn)} {name}s"
    return f"{name}s {drawn[0]} to {drawn[-1]}" if len(drawn) < size else f"all {size} {name}s"
