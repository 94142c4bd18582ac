"""Attention as files: a page that opens with no network, a table of weights, a layer as JSON."""

import base64
import json
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from explorer.views.attention import buffer
from explorer.views.frame import theme
from explorer.views.frame.saving import table
from explorer.views.widgets.registry import module, style

if TYPE_CHECKING:
    from explorer.analysis.attention.weights import Patterns
    from explorer.trace import Trace

SVG = "http://www.w3.org/2000/svg"  # a name, never fetched: the only address in a saved page
DIGITS = 4


def weights(names: Sequence[str], found: "Patterns", layer: int, heads: Sequence[int]) -> str:
    """A line for each weight of the drawn heads: head, from, to, their places, weight."""
    rows = [
        [f"L{layer}H{head}", q, name, k, names[k], weight]
        for head in heads
        for q, (name, row) in enumerate(zip(names, found.pattern[head].tolist()))
        for k, weight in enumerate(row)
    ]
    return table(["head", "from_position", "from", "to_position", "to", "weight"], rows)


def layer(names: Sequence[str], found: "Patterns", layer: int, trace: "Trace") -> str:
    """Every head of a layer, with the text that it read."""
    content = {
        "checkpoint": trace.checkpoint,
        "text": trace.encoding.text,
        "pair": trace.encoding.pair,
        "layer": layer,
        "tokens": list(names),
        "positions": found.groups,
        "pattern": [
            [[round(w, DIGITS) for w in row] for row in head] for head in found.pattern.double().tolist()
        ],
        "axes": ["head", "query", "key"],
    }
    return json.dumps(content, ensure_ascii=False)


def page(
    opened: bytes,
    layers: "Sequence[Patterns]",
    kinds: dict[tuple[int, int], tuple[str, str]],
    palette: theme.Palette,
    trace: "Trace",
) -> str:
    """The picture as a page of its own: every layer, every head, no server and no network.

    `opened` is the buffer that the picture shows now. What was typed goes in as base64 and as
    escaped text, so that no token can end the script.
    """
    header, _ = buffer.unpack(opened)
    buffers = [
        buffer.layer(
            found,
            header
            | {
                "kinds": [kinds[number, head][1] for head in range(header["heads"])],
                "state": header["state"] | {"layer": number},
            },
        )
        for number, found in enumerate(layers)
    ]
    told = json.dumps([base64.b64encode(one).decode() for one in buffers])
    both = " ".join(filter(None, [trace.encoding.text, trace.encoding.pair]))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Attention</title>
<style>
:root {{ {theme.css_variables(palette)} --st-font: {theme.SANS}; --st-code-font: {theme.MONO}; }}
body {{ margin: 24px auto; max-width: 1080px; padding: 0 16px; background: {palette.ground};
  color: {palette.ink}; font: 18px/1.45 {theme.SANS}; }}
{style("attention/head.css")}
</style></head><body>
<p dir="auto" translate="no">{escape(both)}</p>
<div id="picture" class="root notranslate" translate="no"></div>
<p style="color:{palette.quiet}">{escape(trace.checkpoint)}. Each token on the left reads from those on the
right; a heavier line means more. Attention is not explanation: a line says what a head read, not why the
model answered as it did.</p>
<script type="application/json" id="layers">{told}</script>
<script type="module">
{module("attention/head.js")}
{_script(header["state"]["layer"])}
</script>
</body></html>
"""


def _script(first: int) -> str:
    """What the app does for the picture: it hands over a layer, and answers a change with that layer's."""
    return f"""\
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const layers = JSON.parse(document.getElementById("layers").textContent).map(bytes);
const state = {{ layer: {first} }};
const answer = (answered) => {{
  const buffer = layers[state.layer];
  const size = new DataView(buffer.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(buffer.subarray(4, 4 + size)));
  Object.assign(header, {{ answered, state: {{ ...header.state, ...state }} }});
  const text = new TextEncoder().encode(JSON.stringify(header));
  const even = text.length + (text.length % 2);
  const data = new Uint8Array(4 + even + buffer.length - 4 - size).fill(32);
  new DataView(data.buffer).setUint32(0, even, true);
  data.set(text, 4);
  data.set(buffer.subarray(4 + size), 4 + even);
  draw(document.getElementById("picture"), data, send);
}};
const send = (_, {{ asked, ...changes }}) => {{
  Object.assign(state, changes);
  queueMicrotask(() => answer(asked));
}};
answer(0);"""
