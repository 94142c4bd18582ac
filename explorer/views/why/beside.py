"""Two texts side by side: a state of the first is put into the second, and a third map shows what changed."""

from typing import Any

import streamlit as st

from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.types import Encoding, LanguageModel, TextLens
from explorer.views.why import lens_map
from explorer.views.why.lens_map import columns_of, layer_name, shown_word
from explorer.views.why.lens_run import LensRun, Put, current
from explorer.views.why.patch_run import continued
from explorer.views.why.prompts import surface
from explorer.views.why.settings import LENS_COLOUR, PUT, STATE

KEY = "why/lens"
REACHED = 0.3  # how much colour a cell has that the state reaches and leaves its word


def draw(
    settings: kit.Settings,
    model: "LanguageModel",
    first: "TextLens",
    run: LensRun | None,
    second: "Encoding",
    followed: tuple[int | None, str],
    blocked: kit.blocklist.Blocklist,
) -> LensRun | None:
    """Draw both maps, the third one and the buttons; returns the run that still reads one of them."""
    (id, word), here, there = followed, columns_of(first), lens_map.text_columns(second)
    layers = range(model.config.layers + 1)
    source, target = last_difference(first.encoding, second)
    state = kit.read_head(settings[STATE], len(layers), len(first.encoding))
    shown = lens_map.layers_in_view(model.config.layers)
    below = next(layer for layer in shown if layer <= model.config.layers / 3)
    chosen = state if state and state[1] in here else (below, source)
    put = put_of(settings, layers, here, there)

    def map_of(lens: "TextLens", ring: tuple[int, int] | None) -> dict[str, Any]:
        drawn = {*shown, chosen[0], put[0] if put else chosen[0]}
        return lens_map.picture(model, lens, blocked, settings[LENS_COLOUR], word, ring, drawn)

    data: dict[str, Any] = map_of(first, chosen) | {"chosen": chosen, "beside": []}
    maps, lens, changed = data["beside"], None, None
    if run is None:
        lens, run = current(model, second, id)
        maps.append(map_of(lens, put and (put[0], put[2])))
    if put and lens and run is None:
        changed, run = current(model, second, id, Put(first.encoding, *put))
        maps.append(map_of(changed, (put[0], put[2])))
        mark_changes(maps[1], maps[0], put, model.causal)

    def pick() -> None:
        spot = kit.component_value(KEY, "pick", {"layer": layers, "column": here})
        if spot is not None:
            settings.set(STATE.to([spot["layer"], spot["column"]]))

    def drop() -> None:
        spot = kit.component_value(KEY, "put", {"layer": layers, "from": here, "to": there})
        if spot is not None:
            place(spot["layer"], spot["from"], spot["to"])

    def place(layer: int, source: int, to: int) -> None:
        settings.set(STATE.to([layer, source]), PUT.to([layer, source, to]))

    data |= {} if run is None else run.asked
    more = continued(run, KEY)
    kit.component(KEY)(key=KEY, data=data, on_more_change=more, on_pick_change=pick, on_put_change=drop)
    to = target if chosen[1] == source else there[max(0, len(there) - len(here) + here.index(chosen[1]))]
    with st.container(horizontal=True, vertical_alignment="center", key="why-beside"):
        label = _("Put it at “{token}”", token=surface(second, to))
        st.button(label, key="lens/put", on_click=place, args=(*chosen, to))
        if put:
            st.button(_("Take it out"), key="lens/out", on_click=lambda: settings.set(PUT.to(None)))
        if put and lens and changed:
            before, after = (_answer(model, one, blocked) for one in (lens, changed))
            token = kit.quoted(_("“{word}”", word=surface(first.encoding, put[1])))
            sure = {"p": before[1], "q": after[1]}
            text = N_("With {token} {layer}, the answer {before} ({p}) becomes {after} ({q}).")
            if before[0] == after[0]:
                text = N_("With {token} {layer}, the answer stays {after} ({p} before, {q} now).")
            says = _(text, token=token, layer=layer_name(put[0]), before=before[0], after=after[0], **sure)
            st.html(f'<p class="rb-how">{says}</p>')
    return run


def put_of(
    settings: kit.Settings, layers: range, here: list[int], there: list[int]
) -> tuple[int, int, int] | None:
    """The state that is put in, if these texts have it: its layer, its place and where it comes to."""
    match settings[PUT]:
        case [int(layer), int(place), int(at)] if layer in layers and place in here and at in there:
            return layer, place, at
    return None


def last_difference(first: "Encoding", second: "Encoding") -> tuple[int, int]:
    """The last token of each by which two texts differ; the last of all if one is the end of the other."""
    pairs = list(zip(*(reversed(lens_map.text_columns(one)) for one in (first, second)), strict=False))
    differing = (pair for pair in pairs if first.ids[pair[0]] != second.ids[pair[1]])
    return next(differing, pairs[0])


def mark_changes(
    picture: dict[str, Any], before: dict[str, Any], put: tuple[int, int, int], causal: bool
) -> None:
    """Shade the cone of a state that was put in, and in it the words that it changed."""
    layer, __, at = put
    picture["cone"] = True
    for row, old in zip(picture["rows"], before["rows"], strict=False):  # the lower layers may be missing
        for column, cell, was in zip(picture["columns"], row["cells"], old["cells"], strict=True):
            above = row["layer"] > layer and (column >= at or not causal)
            reached = above or (row["layer"], column) == (layer, at)
            changed = cell["text"] != was["text"]
            cell["share"] = 1 if changed else REACHED if reached else 0
            if changed:
                cell["tip"] = _("{now}; before “{word}”", now=cell["tip"], word=was["text"])
            cell["look"] = "chosen" if (row["layer"], column) == (layer, at) else "" if reached else "outside"


def _answer(model: "LanguageModel", lens: "TextLens", blocked: kit.blocklist.Blocklist) -> tuple[str, str]:
    """What the last layer says in the gap, or at the end, as HTML, and how probable it is."""
    at = lens_map.answer_place(model, lens.encoding)
    word = shown_word(model, lens, at, int(lens.ids[-1, at, 0]), blocked)
    return kit.quoted(_("“{word}”", word=word)), kit.short(float(lens.probabilities[-1, at, 0]))
