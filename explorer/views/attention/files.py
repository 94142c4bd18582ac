"""Attention as files: a web page that opens without a network, a table of weights, a layer as JSON."""

import base64
import json
from collections.abc import Sequence
from html import escape

from explorer.views import kit
from explorer.views.attention import buffer
from explorer.views.types import Patterns, Trace
from explorer.views.widgets.registry import module, sheet

SVG = "http://www.w3.org/2000/svg"  # a name, never fetched: the only address in a saved page
DIGITS = 4
COLUMNS = ["head", "from_position", "from", "to_position", "to", "weight"]  # of a table of weights


def weights(names: Sequence[str], patterns: "Patterns", layer: int, heads: Sequence[int]) -> str:
    """A table with a line for each weight of some heads: head, both tokens with their positions, weight."""
    rows = [
        [kit.head_name(layer, head), q, name, k, names[k], weight]
        for head in heads
        for q, (name, row) in enumerate(zip(names, patterns.pattern[head].tolist()))
        for k, weight in enumerate(row)
    ]
    return kit.table(COLUMNS, rows)


def layer(names: Sequence[str], patterns: "Patterns", layer: int, trace: "Trace") -> str:
    """Every head of a layer as JSON, with the text that was read."""
    content = {
        "checkpoint": trace.checkpoint,
        "text": trace.encoding.text,
        "pair": trace.encoding.pair,
        "layer": layer,
        "tokens": list(names),
        "positions": patterns.groups,
        "pattern": [
            [[round(w, DIGITS) for w in row] for row in head] for head in patterns.pattern.double().tolist()
        ],
        "axes": ["head", "query", "key"],
    }
    return json.dumps(content, ensure_ascii=False)


def page(
    current: bytes,
    layers: "Sequence[Patterns]",
    kinds: dict[tuple[int, int], tuple[str, str]],
    palette: kit.theme.Palette,
    trace: "Trace",
) -> str:
    """The picture as a web page of its own, with every head of every layer, without server or network.

    `current` is the buffer that the picture shows now. The visitor's text is in it only as base64 and
    escaped, so that no token can end the script.
    """
    header, _ = buffer.unpack(current)
    buffers = [
        buffer.layer(
            patterns,
            header
            | {
                "kinds": [kinds[number, head][1] for head in range(header["heads"])],
                "state": header["state"] | {"layer": number},
            },
        )
        for number, patterns in enumerate(layers)
    ]
    encoded = json.dumps([base64.b64encode(one_layer).decode() for one_layer in buffers])
    both = " ".join(filter(None, [trace.encoding.text, trace.encoding.pair]))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Attention</title>
<style>
:root {{ {kit.theme.css_variables(palette)} --st-font: {kit.theme.SANS}; --st-code-font: {kit.theme.MONO}; }}
body {{ margin: 24px auto; max-width: 1080px; padding: 0 16px; background: {palette.ground};
  color: {palette.ink}; font: 18px/1.45 {kit.theme.SANS}; }}
{sheet("attention/head")}
</style></head><body>
<p dir="auto" translate="no">{escape(both)}</p>
<div id="picture" class="root notranslate" translate="no"></div>
<p style="color:{palette.quiet}">{escape(trace.checkpoint)}. Each token on the left attends to the tokens on
the right. A thicker line means more attention. Attention is not explanation: a line says what a head read,
not why the model answered as it did.</p>
<script type="application/json" id="layers">{encoded}</script>
<script type="module">
{module("attention/head.js")}
{module("attention/layers.js")}
{_script(header["state"]["layer"])}
</script>
</body></html>
"""


def _script(first: int) -> str:
    """The script that does the app's part: it gives the picture a layer, and answers every change of it."""
    return f"""\
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const layers = JSON.parse(document.getElementById("layers").textContent).map(bytes);
const state = {{ layer: {first} }};
const answer = (answered) => {{
  const data = withState(layers[state.layer], state, answered);
  draw(document.getElementById("picture"), data, send);
}};
const send = (_, {{ request, ...changes }}) => {{
  Object.assign(state, changes);
  queueMicrotask(() => answer(request));
}};
answer(0);"""
