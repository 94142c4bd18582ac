"""Across layers: from one token at a layer back to the words that it has read, by rollout and by flow.

Abnar and Zuidema, "Quantifying Attention Flow in Transformers" (ACL 2020).
"""

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.attention import sentence as attention_common
from explorer.views.attention.sentence import Held, cut, hide_special, pair, words
from explorer.views.attention.token_names import named
from explorer.views.attention.view_presets import ACROSS
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.page import Preset
from explorer.views.frame.presenter import presenting
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.attention.rollout import Strand
    from explorer.models import LanguageModel
    from explorer.trace import Trace

DEFAULTS = {"across_layer": 0, "across_flow": False}  # 0: after all layers
KEY = "attention/river"
HIGH_PX, LOW_PX = 430, 350  # the tokens below each other: as in the view of one head, and in presenter mode
LEAST, MOST_STRANDS = 0.0003, 3000  # strands thinner than this share are not sent
SCALES = (0.2, 0.5, 1.0)
ASSUMED = (
    "Rollout and flow assume: a layer’s heads averaged, one half of a token kept by the residual "
    "(the identity), values and MLPs left out."
)


@dataclass(frozen=True, eq=False)
class Way:
    """One token at a layer and what reached it: a number for each word by each measure."""

    positions: list[int]
    layer: int
    place: int
    raw: "Tensor"
    rolled: "Tensor"
    levels: "Tensor"
    strands: "list[Strand]"


def controls(settings: Settings, trace: "Trace") -> None:
    """Up to which layer, and whether special tokens take part."""
    layers = len(trace.attention.pattern)
    if not 0 <= settings["across_layer"] < layers:
        settings.set(across_layer=0)
    st.selectbox(
        "Layers", [*range(1, layers), 0], key=settings.key("across_layer"), width=180,
        label_visibility="collapsed",
        format_func=lambda n: f"After {n} layer{'s' * (n > 1)}" if n else f"After all {layers} layers",
    )  # fmt: skip
    hide_special(settings, trace)


def draw(settings: Settings, trace: "Trace") -> None:
    """The river from the chosen token to the words; a click on the left chooses another."""
    from explorer.analysis.attention.flow import MOST_TOKENS

    if attention_common.nothing_typed(settings, trace):
        st.html('<p class="rb-caption" style="padding:160px 0;text-align:center">Type a sentence above.</p>')
        return
    found = way(settings, trace)
    tokens = named(trace.encoding, found.positions)
    even = 1 / (found.place + 1 if causal(trace) else len(tokens))
    columns = [
        _column(f"layer {found.layer} alone", "raw", found.raw, even),
        _column("rollout", "rollout", found.rolled, even),
    ]
    fits, said = len(tokens) <= MOST_TOKENS, [cut(trace)]
    flowing = settings["across_flow"] and fits
    columns.append({"name": "flow", "kind": "flow", "values": None, "even": 0, "most": 1})
    if flowing:
        flows, seconds = _flow(settings, trace, found)
        columns[-1] = _column("flow", "flow", flows, 0)
        said.append(
            f"Flow: {len(tokens)} problems of maximum flow in {max(seconds, 0.01):.2f} s; words share pipes, "
            "so flows do not sum to 1."
        )
    elif settings["across_flow"]:
        said.append(f"Flow takes {MOST_TOKENS} tokens at most, and these are {len(tokens)}.")
    spoken = words(trace.encoding)

    def choose() -> None:
        at = st.session_state[KEY].choose
        if at is not None and at < len(found.positions):  # a click may cross a change of text
            position = found.positions[at]
            settings.set(token=Held("from", position, spoken[position]).setting)

    def turn() -> None:
        if (on := st.session_state[KEY].flow) is not None:
            settings.set(across_flow=on)

    component("attention/rollout")(
        key=KEY,
        data={
            "room": LOW_PX if presenting() else HIGH_PX,
            "tokens": tokens,
            "layer": found.layer,
            "chosen": found.place,
            "levels": _rounded(found.levels),
            "strands": [[s.layer, s.upper, s.lower, round(s.share, 5)] for s in found.strands],
            "columns": columns,
            "flowing": flowing,
            "fits": fits,
            "help": f"For at most {MOST_TOKENS} tokens: a problem of maximum flow each, well under a second.",
            "label": f"What {tokens[found.place]['name']} has read by layer {found.layer}, word by word",
        },
        on_choose_change=choose,
        on_flow_change=turn,
    )
    said.append(f"{ASSUMED} The stroke marks an even share, {even:.2f}.")
    if settings["hide"] and trace.encoding.special.any():
        said.append("Special tokens are taken out of every layer and rows rescaled.")
    st.html(f'<p class="rb-quiet" style="margin:0">{" ".join(filter(None, said))}</p>')
    _offer(settings, found, tokens, columns)


def way(settings: Settings, trace: "Trace") -> Way:
    """The chosen token's numbers at the chosen layer."""
    from explorer.analysis.attention.rollout import river
    from explorer.analysis.attention.weights import without_special

    special = trace.encoding.special
    hide = settings["hide"] and bool(special.any())
    positions = [i for i in range(len(special)) if not (hide and special[i])]
    layer = settings["across_layer"] or len(trace.attention.pattern)
    place = positions.index(_chosen(settings, trace, positions))
    layers = _steps(trace, hide)
    levels, strands = river(layers, layer, place, LEAST)
    raw = trace.attention.pattern[layer - 1].mean(0)
    raw = without_special(raw, special) if hide else raw
    strands = sorted(strands, key=lambda strand: -strand.share)[:MOST_STRANDS]
    return Way(positions, layer, place, raw[place], levels[0], levels, strands)


def causal(trace: "Trace") -> bool:
    """Whether no token reads a later one."""
    return not trace.attention.pattern.triu(1).any()


def _steps(trace: "Trace", hide: bool) -> "Tensor":
    from explorer.analysis.attention.rollout import steps

    return steps(trace, trace.encoding.special if hide else None)


def _chosen(settings: Settings, trace: "Trace", positions: list[int]) -> int:
    """The held token, else the last word: the one that has read the most where nobody looks ahead."""
    held = Held.read(settings["token"])
    if held and held.position in positions:
        return held.position
    encoding = trace.encoding
    spoken = [i for i in positions if not encoding.special[i] and any(map(str.isalnum, encoding.surface(i)))]
    return (spoken or positions)[-1]


def _flow(settings: Settings, trace: "Trace", found: Way) -> "tuple[Tensor, float]":
    encoding = trace.encoding
    hide = len(found.positions) < len(encoding)
    name = (settings["model"], encoding.text, encoding.pair, hide, found.layer, found.place)
    return _flowing(*name, trace)


@st.cache_resource(max_entries=64, show_spinner="Flow: one problem for each word")
def _flowing(
    model: str, text: str, pair: str | None, hide: bool, layer: int, place: int, _trace: "Trace"
) -> "tuple[Tensor, float]":
    from explorer.analysis.attention.flow import flow

    layers = _steps(_trace, hide)
    started = perf_counter()
    return flow(layers, layer, place), perf_counter() - started


def _column(name: str, kind: str, values: "Tensor", even: float) -> dict[str, Any]:
    """One measure; a full bar is the least of a few round numbers that all fit under."""
    most = next(s for s in SCALES if s == 1 or s >= max(float(values.max()), even))
    return {"name": name, "kind": kind, "values": _rounded(values), "even": even, "most": most}


def _rounded(values: "Tensor") -> list[Any]:
    return values.double().round(decimals=5).tolist()


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "The chosen token on the left is made of what it has read, layer by layer, down to the words on the "
        "right; a strand is as wide as its share. Point at a word to see the ways that it took.",
        "A share of attention is not a share of meaning. After many layers words are near an even share: the "
        "spread is the finding, not the order (Abnar and Zuidema 2020).",
    )


def presets(settings: Settings) -> list[Preset]:
    """Three examples."""
    return ACROSS


def code(settings: Settings, model: "LanguageModel") -> str:
    """Rollout, and flow where it is on, from Python."""
    from explorer.analysis.attention.flow import MOST_TOKENS

    trace = attention_common.trace(settings, model)
    found = way(settings, trace)
    second = f", pair={pair(settings, model)!r}" if pair(settings, model) else ""
    without = ", without=trace.encoding.special" if len(found.positions) < len(trace.encoding) else ""
    begin = f"""\
import explorer
from explorer.analysis.attention.flow import flow
from explorer.analysis.attention.rollout import rollout, steps

model = explorer.load({settings["model"]!r})
trace = model.trace({settings["text"]!r}{second}, limit={LIVE_TOKENS})
layers = steps(trace{without})
tokens = [trace.tokens[i] for i in {found.positions}]
read = rollout(layers)[{found.layer}, {found.place}]
"""
    if not settings["across_flow"] or len(found.positions) > MOST_TOKENS:
        begin = begin.replace("from explorer.analysis.attention.flow import flow\n", "")
        return f"""\
{begin}for token, share in zip(tokens, read):
    print(f"{{token:>12}} {{share:.3f}}")
"""
    return f"""\
{begin}most = flow(layers, {found.layer}, {found.place})
for token, share, flows in zip(tokens, read, most):
    print(f"{{token:>12}} rollout {{share:.3f}} flow {{flows:.3f}}")
"""


def _offer(settings: Settings, found: Way, tokens: list[dict[str, Any]], columns: list[dict]) -> None:
    name = f"{settings['model']}-layer-{found.layer}-{tokens[found.place]['name']}"

    def numbers() -> str:
        values = [column["values"] for column in columns]
        return table(
            ["word", *(column["name"] for column in columns)],
            [[token["name"], *row] for token, row in zip(tokens, zip(*values))],
        )

    def strands() -> str:
        rows = [
            (s.layer + 1, tokens[s.upper]["name"], tokens[s.lower]["name"], s.share) for s in found.strands
        ]
        return table(["layer", "into", "from", "share"], rows)

    offer(
        settings,
        Export("What the token has read", f"{name}.csv", numbers),
        Export("Strands between layers", f"{name}-strands.csv", strands),
    )
