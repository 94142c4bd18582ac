"""Inside a head: one pair of tokens from their vectors to a score, a weight and what it carries.

The reading token is the page's held one; without a choice it is the strongest pair of ordinary tokens.
"""

import json
import struct
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.attention import sentence as attention_common
from explorer.views.attention.sentence import Held, choose, cut, pair, words
from explorer.views.attention.token_names import named
from explorer.views.attention.view_presets import INSIDE
from explorer.views.frame import memory
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.page import Preset
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.analysis.attention.inside_head import InsideHead
    from explorer.models import LanguageModel
    from explorer.trace import Trace

DEFAULTS = {"inside_to": None}  # the token that is read: [position, word]
KEY = "attention/inside"


def controls(settings: Settings, trace: "Trace") -> None:
    """Layer and head."""
    choose(settings, trace, "layer", "head")


def draw(settings: Settings, trace: "Trace") -> None:
    """The steps of one pair; a click on a token changes the pair, Esc goes back to the strongest."""
    if not (settings["text"].strip() or trace.encoding.pair):
        st.html('<p class="rb-caption" style="padding:160px 0;text-align:center">Type a sentence above.</p>')
        return
    seen = opened(settings, trace)
    query, key = chosen(settings, trace, seen)
    spoken = words(trace.encoding)

    def pick() -> None:
        picked = st.session_state[KEY].pick
        if picked and max(picked.values()) < len(spoken):  # a click may cross a change of text
            read = picked["key"]
            settings.set(
                token=Held("from", picked["query"], spoken[picked["query"]]).setting,
                inside_to=[read, spoken[read]],
            )

    component("attention/inside_head")(
        key=KEY,
        data=packed(settings, trace, seen, query, key),
        on_pick_change=pick,
        on_free_change=lambda: settings.set(token=None, inside_to=None),
    )
    said = [cut(trace)]
    if not seen.allowed.all():
        said.append("Scores of tokens still to come are masked. GPT’s heads read x after a LayerNorm.")
    if any(said):
        st.html(f'<p class="rb-quiet" style="margin:0">{" ".join(filter(None, said))}</p>')
    _offer(settings, trace, seen, query, key)


def opened(settings: Settings, trace: "Trace") -> "InsideHead":
    """The chosen head with the vectors that enter its layer."""
    from explorer.analysis.attention.inside_head import inside
    from explorer.trace import Capture

    encoding = trace.encoding
    whole = memory.trace(
        settings["model"],
        encoding.text,
        encoding.pair,
        (Capture.HIDDEN | Capture.ATTENTION).value,
        LIVE_TOKENS,
    )
    return inside(whole, settings["layer"], settings["head"])


def chosen(settings: Settings, trace: "Trace", seen: "InsideHead") -> tuple[int, int]:
    """The pair that is shown: what was clicked, and the strongest partner of what was not."""
    held = Held.read(settings["token"])
    reads = held.position if held and held.side == "from" else None
    read = held.position if held and held.side == "to" else None
    match settings["inside_to"]:
        case [int(position), str(word)]:
            followed = Held("to", position, word).follow(words(trace.encoding))
            read = followed.position if followed and read is None else read
    if reads is not None:
        return reads, int(seen.weights[reads].argmax()) if read is None else read
    if read is not None:
        return int(seen.weights[:, read].argmax()), read
    return strongest(trace, seen)


def strongest(trace: "Trace", seen: "InsideHead") -> tuple[int, int]:
    """The heaviest weight between two different ordinary tokens; where there are none, the heaviest."""
    weights = seen.weights.clone()
    weights.fill_diagonal_(-1)
    weights[trace.encoding.special] = -1
    weights[:, trace.encoding.special] = -1
    weights = weights if weights.max() > 0 else seen.weights
    query, key = divmod(int(weights.argmax()), len(weights))
    return query, key


def packed(settings: Settings, trace: "Trace", seen: "InsideHead", query: int, key: int) -> bytes:
    """What the picture is given, as inside_head.js reads it: a header, q, k and v, and shades of x.

    Bytes travel as they are; 128 tokens of 32 numbers each and 384 of x are 98 kB.
    """
    import torch

    size = seen.queries.shape[-1]
    header = {
        "name": f"Head L{seen.layer}H{seen.head}",
        "tokens": named(trace.encoding),
        "query": query,
        "key": key,
        "size": size,
        "width": seen.inputs.shape[-1],
        "scale": seen.scale,
        "causal": not bool(seen.allowed.all()),
        "held": bool(settings["token"] or settings["inside_to"]),
    }
    words = json.dumps(header, ensure_ascii=False).encode()
    words += b" " * (-len(words) % 4)  # the numbers begin on an address that four divides
    numbers = torch.stack([seen.queries, seen.keys, seen.values]).float().contiguous()
    # Trained vectors have a few numbers that dwarf all others: beyond the 99th percentile all are full.
    most = float(seen.inputs.abs().flatten().quantile(0.99).clamp_min(1e-9))
    shades = (seen.inputs.abs() / most).clamp(max=1).mul(255).round().to(torch.uint8).contiguous()
    return struct.pack("<I", len(words)) + words + numbers.numpy().tobytes() + shades.numpy().tobytes()


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "From top to bottom: q of the token that reads times k of the token that is read, number by number, "
        "adds up to the score; softmax turns a row of scores into weights; the weight says how much of v the "
        "head hands on.",
        "Bars of one hue share a scale, v before and after its weight too. A number of q or k says nothing "
        "by itself, and above layer 0 a token’s vector already mixes others.",
    )


def presets(settings: Settings) -> list[Preset]:
    """Three examples."""
    return INSIDE


def code(settings: Settings, model: "LanguageModel") -> str:
    """The row of scores and weights from Python."""
    seen_here = attention_common.trace(settings, model)
    query, _ = chosen(settings, seen_here, opened(settings, seen_here))
    second = f", pair={pair(settings, model)!r}" if pair(settings, model) else ""
    return f"""\
import explorer
from explorer.analysis.attention.inside_head import inside

model = explorer.load({settings["model"]!r})
trace = model.trace({settings["text"]!r}{second}, limit={LIVE_TOKENS})
head = inside(trace, layer={settings["layer"]}, head={settings["head"]})
query = {query}
for token, score, weight in zip(trace.tokens, head.scores(query), head.weights[query]):
    print(f"{{trace.tokens[query]:>12}} reads {{token:12}} score {{score:6.2f}} weight {{weight:.3f}}")
"""


def _offer(settings: Settings, trace: "Trace", seen: "InsideHead", query: int, key: int) -> None:
    names = [token["name"] for token in named(trace.encoding)]
    name = f"{settings['model']}-L{seen.layer}H{seen.head}-{names[query]}-{names[key]}"

    def numbers() -> str:
        columns: dict[str, Any] = {
            "q": seen.queries[query], "k": seen.keys[key], "q times k": seen.products(query, key),
            "v": seen.values[key], "weighted": seen.weighted(query, key), "output": seen.output(query),
        }  # fmt: skip
        return table(list(columns), list(zip(*(column.tolist() for column in columns.values()))))

    def row() -> str:
        weights = seen.weights[query].tolist()
        return table(["read", "score", "weight"], list(zip(names, seen.scores(query).tolist(), weights)))

    offer(
        settings,
        Export("This pair, number by number", f"{name}.csv", numbers),
        Export("Scores and weights of the row", f"{name}-row.csv", row),
    )
