"""One head on one sentence: the visitor's, or one of ours, which are parsed."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.assets import read_once
from explorer.locale import _
from explorer.views import kit
from explorer.views.heads.head_map import FAINTEST, Head, arcs, name
from explorer.views.heads.settings import ARCS, BLANK, MODEL, SENTENCE, TEXT
from explorer.views.types import Model, Parse, Tensor, Trace
from explorer.views.widgets.visually_hidden import icon_button

LONGEST_LINK = 1500  # characters of a text that a link to the Attention page carries


def box(settings: kit.Settings, notice: str = "") -> None:
    """The visitor's sentence; another one resets the arcs and the blank."""
    resets = [ARCS.to([]), BLANK.to(-1)]
    label, placeholder = _("Your sentence"), _("Type a sentence")
    kit.text_box(settings, TEXT, label, placeholder, resets=resets, blanks=True, notice=notice)


def trace(settings: kit.Settings, model: "Model") -> "Trace":
    """The visitor's sentence with its attention."""
    from explorer.trace import Capture

    return kit.memory.trace(model, settings[TEXT], None, Capture.ATTENTION, kit.LIVE_TOKENS)


def yours(trace: "Trace", head: Head, what: str) -> None:
    """Draw a head's arcs on the visitor's sentence; those that the score does not count are grey."""
    from explorer.analysis.heads.behaviours import BEHAVIOURS, targets
    from explorer.trace import captured

    pattern = captured(trace.attention).pattern
    causal = captured(trace.attention).causal
    what = {"induction": "after", "duplicate": "repeat"}.get(what, what)
    targets_of_score = None
    if what not in ("even", "distance"):
        targets_of_score = targets(trace.encoding, causal)[list(BEHAVIOURS).index(what)]
    weights = pattern[head]
    arcs_shown = []
    for query, key in (weights >= FAINTEST).nonzero().tolist():
        kind = "" if targets_of_score is None or targets_of_score[query, key] else "other"
        arcs_shown.append({"from": query, "to": key, "weight": float(weights[query, key]), "kind": kind})
    special = trace.encoding.special.tolist()
    empty = not trace.encoding.text.strip()
    count = sum(arc["kind"] == "" for arc in arcs_shown)
    who = _("One head") if kit.for_class() else name(head)
    if targets_of_score is None:
        caption = _("{head} on your sentence", head=who)
    elif count:
        caption = _("{head} on your sentence; grey arcs do not count for this score", head=who)
    else:
        caption = _("{head} on your sentence; no arc here counts for this score", head=who)
    arcs(
        "heads/arcs",
        _("What {head} looks at in your sentence", head=name(head)),
        [{"text": kit.label(trace.encoding, i), "quiet": special[i]} for i in range(len(special))],
        sorted(arcs_shown, key=lambda arc: (arc["kind"] == "", arc["weight"])),
        caption=caption,
        hint=_("point at a token"),
        head="" if kit.for_class() else name(head),
        message=_("Type a sentence above, or try one below.") if empty else "",
        causal=causal,
    )


@read_once
def parses_with(half: str, relation: str, direction: str, causal: bool) -> "tuple[Parse, ...]":
    """Our sentences with this relation, where the model can attend from one word to the other."""
    from explorer.analysis.heads import relations
    from explorer.analysis.heads.dependents import unanswerable

    return tuple(
        parse
        for parse in relations.library(half)
        if bool((_right(parse, relation, direction) & ~unanswerable(len(parse), causal)).any())
    )


def stepper(settings: kit.Settings, parses: "Sequence[Parse]") -> None:
    """Which of our sentences is drawn, with buttons for the one before and the next."""
    at = settings[SENTENCE] % len(parses)
    with st.container(key="heads-stepper", horizontal=True, vertical_alignment="center", gap="small"):
        which = _("Sentence {number} of {count} with such a word", number=at + 1, count=len(parses))
        st.html(f'<p class="rb-point rb-one-line">{which}</p>', width="content")
        for step, way, name in ((-1, "back", _("Previous sentence")), (1, "forward", _("Next sentence"))):
            icon_button(
                f"arrow_{way}",
                name,
                key=f"heads/step/{step}",
                on_click=lambda step=step: settings.set(SENTENCE.to((at + step) % len(parses))),
            )


def ours(model: "Model", parse: "Parse", head: Head, relation: str, direction: str) -> None:
    """Draw a head's answers on one of our sentences: right ones, wrong ones, and those that it missed."""
    from explorer.analysis.attention.word_attention import word_pattern
    from explorer.analysis.heads.dependents import choices, tokens_of, unanswerable
    from explorer.analysis.heads.measuring import traces
    from explorer.trace import captured

    trace = next(traces(model, [parse.text]))
    full = captured(trace.attention).pattern
    causal = captured(trace.attention).causal
    pattern = word_pattern(full[head[0]][head[1]][None, None], tokens_of(trace.encoding, parse))
    answers = choices(pattern, causal)[0, 0].tolist()
    right = _right(parse, relation, direction) & ~unanswerable(len(parse), causal)
    arcs_shown, correct = [], 0
    queries = right.any(-1).nonzero().flatten().tolist()
    for word in queries:
        hit = bool(right[word, answers[word]])
        correct += hit
        if not hit:
            arcs_shown += [
                _arc(pattern, word, key, "wanted") for key in right[word].nonzero().flatten().tolist()
            ]
        arcs_shown.append(_arc(pattern, word, answers[word], "hit" if hit else "miss"))
    fields = {
        "head": _("One head") if kit.for_class() else name(head),
        "count": correct,
        "total": len(queries),
    }
    arcs(
        "heads/arcs",
        _("What {head} answers on one of our sentences", head=name(head)),
        [{"text": word, "quiet": False} for word in parse.words],
        arcs_shown,
        caption=_("{head}: {count} of {total} right. Dotted: the right answer.", **fields)
        if correct < len(queries)
        else _("{head}: {count} of {total} right here", **fields),
        hint=_("point at a word, or tap it"),
        head="" if kit.for_class() else name(head),
        causal=causal,
    )


def to_attention(settings: kit.Settings, head: Head, text: str) -> None:
    """Draw a link to the Attention page that opens this head on this sentence."""
    values = {"layer": str(head[0]), "head": str(head[1])}
    if len(text) <= LONGEST_LINK and not text.startswith("z~"):
        values["text"] = text
    with st.container(key="heads-link"):
        st.html('<style>.st-key-heads-link [data-testid="stPageLink-NavLink"] { padding-left: 0; }</style>')
        kit.navigation.link(
            "attention", _("{head} on the Attention page", head=name(head)), model=settings[MODEL], **values
        )


def _right(parse: "Parse", relation: str, direction: str) -> "Tensor":
    from explorer.analysis.heads import DIRECTIONS, MEASURED
    from explorer.analysis.heads.dependents import right_answers

    return right_answers(parse)[DIRECTIONS.index(direction), MEASURED.index(relation)]


def _arc(pattern: "Tensor", query: int, key: int, kind: str) -> dict[str, Any]:
    return {"from": query, "to": key, "weight": float(pattern[0, 0, query, key]), "kind": kind}
