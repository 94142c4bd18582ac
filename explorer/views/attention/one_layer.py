"""The heads of a layer: one, or the mean of several, as lines and as a map.

The picture holds all heads of a layer, so switching, comparing and trying them out needs no answer from
here; each change comes afterwards, as settings, so that the link and undo know it.
"""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.attention import buffer as head_buffer
from explorer.views.attention import chinese_presets, examples, files, kinds, presets
from explorer.views.attention import wall as head_wall
from explorer.views.attention.presets import NOT_WHY
from explorer.views.attention.sentence import (
    SelectedToken,
    example_input,
    layers_and_heads,
    nothing_typed,
    words,
)
from explorer.views.attention.settings import ACROSS, HEAD, HIDE, LAYER, LEAST, MERGE, MODEL, ON, SIDES, TOKEN
from explorer.views.frame import page as frame
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.widgets.notes import note_html
from explorer.views.widgets.passed_over import unread
from explorer.views.widgets.registry import component, sent
from explorer.views.widgets.token_text import MERGED

if TYPE_CHECKING:
    from explorer.analysis.attention.weights import Patterns
    from explorer.trace import Trace


PRESETS = [*presets.PRESETS, *chinese_presets.HEADS]
SEGMENT_FILTERS = {
    "00": "within A",
    "01": "from A to B",
    "10": "from B to A",
    "11": "within B",
}  # as in BertViz
KEY, ASKED = "attention/picture", "attention/asked"


def draw(page: "Page[Trace]") -> Saves:
    """The picture, and a line about what it leaves out."""
    settings, trace = page.settings, page.data
    on = drawn(settings, trace)
    settings.adjust(ON.to(on if len(on) > 1 else None))
    found = _found(settings, trace)
    told = header(settings, trace, found, frame.palette().name)

    def changed() -> None:
        event = sent(KEY, "change")
        if event is not None:
            st.session_state[ASKED] = event["asked"]
            settings.update(read(event, found, trace))

    settings.label(LAYER, "Layer")
    settings.label(HEAD, "Head")
    component("attention/head")(key=KEY, data=head_buffer.layer(found, told), on_change_change=changed)
    if said := remark(settings, trace, found):
        note_html(said)
    return [] if nothing_typed(settings, trace) else _saves(settings, trace, found, told)


def below(page: "Page[Trace]") -> None:
    """All heads as thumbnails."""
    if not nothing_typed(page.settings, page.data):
        head_wall.draw(page.settings, page.data)


def drawn(settings: Settings, trace: "Trace") -> list[int]:
    """The heads that are switched on; the chosen one alone where the setting does not hold it."""
    match settings[ON]:
        case [*on] if settings[HEAD] in on:
            _, heads = layers_and_heads(trace)
            return sorted({head for head in on if type(head) is int and 0 <= head < heads})
    return [settings[HEAD]]


def state(settings: Settings, trace: "Trace", found: "Patterns") -> dict[str, Any]:
    """The settings as the picture knows them: a selected token is the place of its row."""
    selected = SelectedToken.read(settings[TOKEN])
    at = selected and _row(found, selected.position)
    across = selected and _across(settings, selected, trace)
    other = across and _row(found, across.position)
    spot: dict[str, Any] | None = None  # a hidden token stays selected
    if selected and at is not None:
        spot = {"side": selected.side, "at": at} | ({} if other is None else {"other": other})
    return {
        "layer": settings[LAYER],
        "head": settings[HEAD],
        "on": drawn(settings, trace),
        "least": min(max(settings[LEAST], 0.0), 1.0),
        "merge": settings[MERGE],
        "hide": settings[HIDE],
        "sides": _segment_filter(settings, trace),
        "locked": spot,
    }


def read(event: dict[str, Any], found: "Patterns", trace: "Trace") -> dict[str, Any]:
    """A change in the picture as settings; of a click that crossed a change of text, what still fits."""
    names = ("on", "least", "merge", "sides", "layer", "head", "hide")
    changes = {name: event[name] for name in names if name in event}
    if len(changes.get("on", ())) == 1:
        changes["on"] = None
    spot = event.get("locked")
    if spot and max(spot["at"], spot.get("other", 0)) < len(found.groups):
        said = words(trace.encoding)
        at = found.groups[spot["at"]][0]
        changes["token"] = SelectedToken(spot["side"], at, said[at]).setting
        across = found.groups[spot["other"]][0] if "other" in spot else None
        changes["across"] = None if across is None else [across, said[across]]
    elif "locked" in event and spot is None:
        changes |= {"token": None, "across": None}
    return changes


def header(settings: Settings, trace: "Trace", found: "Patterns", palette: str) -> dict[str, Any]:
    """All that the picture is told beside the weights."""
    layers, heads = layers_and_heads(trace)
    known = kinds.known(settings[MODEL], trace)
    return {
        "model": settings[MODEL],
        "palette": palette,
        "layers": layers,
        "heads": heads,
        # Of a head that is known for nothing there is nothing to say before its picture.
        "kinds": [told if brief else "" for brief, told in (known[settings[LAYER], h] for h in range(heads))],
        "tokens": head_buffer.tokens(found, trace),
        "message": "Type a sentence above, or try one below." if nothing_typed(settings, trace) else "",
        "state": state(settings, trace, found),
        "answered": st.session_state.get(ASKED, 0),
    }


def reading(page: "Page[Trace]") -> Reading:
    """How to read it, and a caveat."""
    return Reading(
        "The lines from a token and its row of the map show the same weights, which sum to 1. Click a number "
        "to switch a head on or off, with Shift to see it alone; several are drawn as their mean, with a "
        "square beside each token for each head. Click a token, then one across from it: the small maps "
        "below show which heads join the two.",
        f"{NOT_WHY} Heads often rest on [CLS], [SEP] or the first token; above layer 0 a token’s vector "
        "already mixes others.",
    )


def remark(settings: Settings, trace: "Trace", found: "Patterns") -> str:
    """What the picture leaves out or joins, in words."""
    said = [unread(trace.encoding)]
    if settings[HIDE] and found.groups and trace.encoding.special.any():
        share = found.dropped_mass[drawn(settings, trace)].mean()
        said.append(f"{share:.0%} of the weight lay on special tokens; rows are rescaled to sum to 1.")
    if any(len(group) > 1 for group in found.groups):
        said.append(MERGED)
    if settings[LEAST] > 0:
        said.append(f"Weights under {settings[LEAST]:.2f} are not drawn.")
    if chosen := _segment_filter(settings, trace):
        said.append(
            f"Only {SEGMENT_FILTERS[chosen]}: A is the first sentence, B the second; rows are not rescaled."
        )
    return " ".join(filter(None, said))


def example(page: "Page[Trace]") -> Example:
    """The strongest link of every token, from Python."""
    settings = page.settings
    return Example(
        examples.strongest_links,
        **example_input(page),
        layer=settings[LAYER],
        heads=drawn(settings, page.data),
        hide_special=settings[HIDE],
        merge_words=settings[MERGE],
    )


def _found(settings: Settings, trace: "Trace") -> "Patterns":
    from explorer.analysis.attention.weights import patterns

    return patterns(trace, settings[LAYER], settings[HIDE], settings[MERGE])


def _row(found: "Patterns", position: int) -> int | None:
    """The row that a token is drawn in, by itself or as part of a word."""
    return next((row for row, group in enumerate(found.groups) if position in group), None)


def _across(settings: Settings, selected: SelectedToken, trace: "Trace") -> SelectedToken | None:
    """The token across from the selected one; like it, it follows its word when the text changes."""
    match settings[ACROSS]:
        case [int(position), str(word)]:
            other = "to" if selected.side == "from" else "from"
            return SelectedToken(other, position, word).follow(words(trace.encoding))
    return None


def _segment_filter(settings: Settings, trace: "Trace") -> str:
    return settings[SIDES] if settings[SIDES] in SEGMENT_FILTERS and trace.encoding.pair else ""


def _saves(settings: Settings, trace: "Trace", found: "Patterns", told: dict[str, Any]) -> Saves:
    """The picture, its numbers, and a web page with every layer."""
    heads, layer, checkpoint = drawn(settings, trace), settings[LAYER], settings[MODEL]
    file = f"attention-{checkpoint}-L{layer}" + "".join(f"H{head}" for head in heads[:4])
    palette, hide, merge = frame.palette(), settings[HIDE], settings[MERGE]
    names = [token["text"] for token in told["tokens"]]

    def page() -> str:
        from explorer.analysis.attention.weights import patterns

        opened = head_buffer.layer(found, told | {"fixed": True, "answered": 0})
        every = [patterns(trace, one, hide, merge) for one in range(layers_and_heads(trace)[0])]
        return files.page(opened, every, kinds.known(checkpoint, trace), palette, trace)

    return [
        Picture("picture", file, "These heads"),
        Picture("attention-wall", f"attention-{checkpoint}-every-head", "Every head"),
        Export("This picture as a web page", f"{file}.html", page),
        Export("Weights", f"{file}.csv", lambda: files.weights(names, found, layer, heads)),
        Export("Every head of the layer", f"{file}.json", lambda: files.layer(names, found, layer, trace)),
    ]


VIEW = View(
    label="Heads",
    first=Hints(
        "“It” gives most of its attention to “animal”.",
        "Change “tired” to “wide”: what cannot cross, or what cannot be crossed?",
    ),
    settings=(ON, ACROSS, LEAST, MERGE, SIDES),
    presets=PRESETS,
    draw=draw,
    below=below,
    reading=reading,
    example=example,
)
