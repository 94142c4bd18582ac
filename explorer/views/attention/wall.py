"""Every head of every layer as a thumbnail with what it does; a click opens the head above."""

from typing import Any

import streamlit as st

from explorer.locale import _, language, localised
from explorer.views import kit
from explorer.views.attention import buffer as head_buffer
from explorer.views.attention import kinds
from explorer.views.attention.settings import BY_VALUES, HEAD, HIDE, LAYER, MERGE, MODEL, ON
from explorer.views.frame import page
from explorer.views.types import Trace

KEY = "attention/wall"


def draw(settings: kit.Settings, trace: "Trace") -> None:
    """The thumbnails for this text, which do not depend on the head that is open."""

    def open_head() -> None:
        spot = kit.component_value(KEY, "open", {"layer": LAYER.takes, "head": HEAD.takes})
        if spot is not None:
            settings.set(LAYER.to(spot["layer"]), HEAD.to(spot["head"]), ON.to(None))

    with st.container(key="attention-wall"):
        kit.component("attention/wall")(
            key=KEY,
            data=_buffer(
                settings[MODEL],
                trace.encoding.text,
                trace.encoding.pair,
                settings[HIDE],
                settings[MERGE],
                settings[BY_VALUES],
                page.palette().name,
                language(),
                trace,
            ),
            on_open_change=open_head,
        )
    if not kit.presenter.presenting():
        kit.note(caption(settings[MODEL]))


def caption(checkpoint: str) -> str:
    """Where the words under the thumbnails come from: the texts measured, and the thresholds."""
    from explorer.analysis.heads.kinds import BROAD, GRAMMAR, HALF, POSITIONAL, SPECIAL

    fields = {
        "positional": localised(str(POSITIONAL)),
        "special": localised(str(SPECIAL)),
        "broad": kit.whole_percent(BROAD),
    }
    if not kinds.is_stored(checkpoint):
        return _(
            "What each head does was measured on this text alone, which is an anecdote: previous, next, same "
            "above {positional} of the attention and special above {special} (Clark et al. 2019); broad "
            "above {broad} of the greatest entropy. Heads named in papers belong to other models.",
            **fields,
        )
    return _(
        "What each head does was measured on 200 sentences of our own: previous, next, same above "
        "{positional} of the attention and special above {special} (Clark et al. 2019); broad above {broad} "
        "of the greatest entropy, → article (from a word to its article) right at least {half} of the time "
        "and {points} points over the best fixed offset. Heads named in papers belong to other models.",
        **fields,
        half=kit.whole_percent(HALF),
        points=f"{100 * GRAMMAR:.0f}",
    )


@kit.kept(16)
def _buffer(
    checkpoint: str,
    text: str,
    pair: str | None,
    hide: bool,
    merge: bool,
    times_values: bool,
    colours: str,
    language: str,
    _trace: "Trace",
) -> bytes:
    return buffer(checkpoint, _trace, hide, merge, {"palette": colours})


def buffer(checkpoint: str, trace: "Trace", hide: bool, merge: bool, header: dict[str, Any]) -> bytes:
    """Thumbnails of all heads as one buffer, with a word and a sentence for each."""
    from explorer.analysis.attention.weights import patterns

    descriptions = kinds.descriptions(checkpoint, trace)
    names = [list(descriptions[head]) for head in sorted(descriptions)]
    all_patterns = patterns(trace, hide_special=hide, merge_words=merge)
    return head_buffer.thumbnails(all_patterns.pattern, header | {"names": names})
