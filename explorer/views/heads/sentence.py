"""One head on one sentence: the visitor's, or one of ours whose grammar is known."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import memory, navigation
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.settings import Settings
from explorer.views.heads.head_map import FAINTEST, Head, arcs, name
from explorer.views.heads.settings import ARCS, BLANK, FOUND, MODEL, SENTENCE, TEXT
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_text import label

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.heads.relations import Parse
    from explorer.models import Model
    from explorer.trace import Trace

LONGEST_LINK = 1500  # characters of a text that goes along to the Attention page


def box(settings: Settings, notice: str = "") -> None:
    """The visitor's sentence; what was drawn and hidden in the old one is forgotten with it."""
    resets = [ARCS.to([]), FOUND.to(None), BLANK.to(-1)]
    text_box(settings, TEXT, "Your sentence", "Type a sentence", resets=resets, blanks=True, notice=notice)


def trace(settings: Settings, model: "Model") -> "Trace":
    """The visitor's sentence with its attention."""
    from explorer.trace import Capture

    return memory.trace(model, settings[TEXT], None, Capture.ATTENTION, LIVE_TOKENS)


def yours(found: "Trace", head: Head, what: str) -> None:
    """A head's arcs on the visitor's sentence; those that its score counts stand out."""
    from explorer.analysis.heads.behaviours import BEHAVIOURS, targets
    from explorer.trace import captured

    pattern = captured(found.attention).pattern
    causal = captured(found.attention).causal
    what = {"induction": "after", "duplicate": "repeat"}.get(what, what)
    counted = None
    if what not in ("even", "distance"):
        counted = targets(found.encoding, causal)[list(BEHAVIOURS).index(what)]
    one = pattern[head]
    drawn = []
    for query, key in (one >= FAINTEST).nonzero().tolist():
        kind = "" if counted is None or counted[query, key] else "other"
        drawn.append({"from": query, "to": key, "weight": float(one[query, key]), "kind": kind})
    special = found.encoding.special.tolist()
    empty = not found.encoding.text.strip()
    count = sum(arc["kind"] == "" for arc in drawn)
    nothing = "" if count else "; no arc here counts for this score"
    arcs(
        "heads/arcs",
        f"What {name(head)} looks at in your sentence",
        [{"text": label(found.encoding, i), "quiet": special[i]} for i in range(len(special))],
        sorted(drawn, key=lambda arc: (arc["kind"] == "", arc["weight"])),
        says=f"{name(head)} on your sentence"
        + ("" if counted is None else nothing or "; grey arcs do not count for this score"),
        hint="point at a token",
        head=name(head),
        message="Type a sentence above, or try one below." if empty else "",
        causal=causal,
    )


@cache
def having(half: str, relation: str, direction: str, causal: bool) -> "tuple[Parse, ...]":
    """Our sentences with a question about this relation that the model can answer."""
    from explorer.analysis.heads import relations
    from explorer.analysis.heads.dependents import unanswerable

    return tuple(
        parse
        for parse in relations.library(half)
        if bool((_right(parse, relation, direction) & ~unanswerable(len(parse), causal)).any())
    )


def stepper(settings: Settings, parses: "Sequence[Parse]") -> None:
    """Which of our sentences is drawn, and the buttons that walk through them."""
    at = settings[SENTENCE] % len(parses)
    with st.container(key="heads-stepper", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            '<p class="rb-point" style="white-space:nowrap">One of our sentences: '
            f"{at + 1} of {len(parses)} that have such a word</p>",
            width="content",
        )
        for step, icon, says in ((-1, "back", "Previous sentence"), (1, "forward", "Next sentence")):
            st.button(
                f":material/arrow_{icon}:",
                key=f"heads/step/{step}",
                help=says,
                on_click=lambda step=step: settings.set(SENTENCE.to((at + step) % len(parses))),
            )


def ours(model: "Model", parse: "Parse", head: Head, relation: str, direction: str) -> None:
    """A head's answers on one of our sentences: right ones, wrong ones, and what they missed."""
    from explorer.analysis.attention.word_attention import word_pattern
    from explorer.analysis.heads.dependents import choices, tokens_of, unanswerable
    from explorer.analysis.heads.measuring import traces
    from explorer.trace import captured

    found = next(traces(model, [parse]))
    full = captured(found.attention).pattern
    causal = captured(found.attention).causal
    pattern = word_pattern(full[head[0]][head[1]][None, None], tokens_of(found.encoding, parse))
    chosen = choices(pattern, causal)[0, 0].tolist()
    right = _right(parse, relation, direction) & ~unanswerable(len(parse), causal)
    drawn, hits = [], 0
    asking = right.any(-1).nonzero().flatten().tolist()
    for word in asking:
        hit = bool(right[word, chosen[word]])
        hits += hit
        if not hit:
            drawn += [_arc(pattern, word, key, "wanted") for key in right[word].nonzero().flatten().tolist()]
        drawn.append(_arc(pattern, word, chosen[word], "hit" if hit else "miss"))
    arcs(
        "heads/arcs",
        f"What {name(head)} answers on one of our sentences",
        [{"text": word, "quiet": False} for word in parse.words],
        drawn,
        says=f"{name(head)}: {hits} of {len(asking)} right"
        + (". Dotted: the right answer." if hits < len(asking) else " here"),
        hint="point at a word",
        head=name(head),
        causal=causal,
    )


def to_attention(settings: Settings, head: Head, text: str) -> None:
    """The link to the Attention page, at this head and on this sentence."""
    along = {"layer": str(head[0]), "head": str(head[1])}
    if len(text) <= LONGEST_LINK and not text.startswith("z~"):
        along["text"] = text
    with st.container(key="heads-link"):
        st.html('<style>.st-key-heads-link [data-testid="stPageLink-NavLink"] { padding-left: 0; }</style>')
        navigation.link("attention", f"{name(head)} on the Attention page", model=settings[MODEL], **along)


def _right(parse: "Parse", relation: str, direction: str) -> "Tensor":
    from explorer.analysis.heads import DIRECTIONS, MEASURED
    from explorer.analysis.heads.dependents import right_answers

    return right_answers(parse)[DIRECTIONS.index(direction), MEASURED.index(relation)]


def _arc(pattern: "Tensor", query: int, key: int, kind: str) -> dict[str, Any]:
    return {"from": query, "to": key, "weight": float(pattern[0, 0, query, key]), "kind": kind}
