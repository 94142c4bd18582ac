"""Every head of every layer as a thumbnail with what it is known for; a click opens it above."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.attention import buffer as head_buffer
from explorer.views.attention import kinds
from explorer.views.attention.settings import HEAD, HIDE, LAYER, MERGE, MODEL, ON
from explorer.views.frame import page, presenter
from explorer.views.frame.settings import Settings
from explorer.views.widgets.registry import component, sent

if TYPE_CHECKING:
    from explorer.trace import Trace

KEY = "attention/wall"


def draw(settings: Settings, trace: "Trace") -> None:
    """The thumbnails of this text. They stay as they are while other heads are opened."""

    def opened() -> None:
        spot = sent(KEY, "open")
        if spot is not None:
            settings.set(LAYER.to(spot["layer"]), HEAD.to(spot["head"]), ON.to(None))

    with st.container(key="attention-wall"):
        component("attention/wall")(
            key=KEY,
            data=_buffer(
                settings[MODEL],
                trace.encoding.text,
                trace.encoding.pair,
                settings[HIDE],
                settings[MERGE],
                page.palette().name,
                trace,
            ),
            on_open_change=opened,
        )
    if not presenter.presenting():
        st.html(f'<p class="rb-quiet" style="margin:0;max-width:90ch">{caption(settings[MODEL])}</p>')


def caption(checkpoint: str) -> str:
    """What the words under the thumbnails rest on: where they were measured, and the thresholds."""
    from explorer.analysis.heads.kinds import BROAD, GRAMMAR, HALF, POSITIONAL, SPECIAL

    measured = kinds.is_stored(checkpoint)
    where = "on 200 sentences of our own" if measured else "on this text alone, which is an anecdote"
    relation = (
        f", → article (from a word to its article) right at least {HALF:.0%} of the time and "
        f"{100 * GRAMMAR:.0f} points over the best fixed offset"
    )
    return (
        f"What each head does was measured {where}: previous, next, same above {POSITIONAL} of the attention "
        f"and special above {SPECIAL} (Clark et al. 2019); broad above {BROAD:.0%} of the greatest entropy"
        f"{relation if measured else ''}. Heads named in papers belong to other models."
    )


@st.cache_data(max_entries=16, show_spinner=False)
def _buffer(
    checkpoint: str, text: str, pair: str | None, hide: bool, merge: bool, colours: str, _trace: "Trace"
) -> bytes:
    return buffer(checkpoint, _trace, hide, merge, {"palette": colours})


def buffer(checkpoint: str, trace: "Trace", hide: bool, merge: bool, header: dict[str, Any]) -> bytes:
    """Thumbnails of all heads, with a word and a sentence for each."""
    from explorer.analysis.attention.weights import patterns

    known = kinds.known(checkpoint, trace)
    names = [list(known[head]) for head in sorted(known)]
    found = patterns(trace, hide_special=hide, merge_words=merge)
    return head_buffer.thumbnails(found.pattern, header | {"names": names})
