"""BertViz on the attention page: its three views, what part of the trace is drawn, the frame.

They draw the same trace as the page's own picture, so a head's weights are the same in all of them.
"""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.attention import bertviz_page
from explorer.views.attention.bertviz_limits import LINES, Part, asked, fit_model, fit_tokens
from explorer.views.attention.presets import MANY_HEADS, PRESETS
from explorer.views.attention.sentence import (
    Held,
    choose,
    code_begin,
    code_head,
    cut,
    hide_special,
    label,
    nothing_typed,
)  # fmt: skip
from explorer.views.frame import page as frame
from explorer.views.frame import saving, theme
from explorer.views.frame.presenter import presenting
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel
    from explorer.trace import Trace

VIEWS = {"heads": "Heads", "model": "Model", "neurons": "Neurons"}
DEFAULTS = {
    "bertviz": "heads",
    "layers": None,  # these three are [first, last] or all of them
    "heads": None,
    "tokens": None,
}
BY = "Drawn by BertViz (Vig 2019)."
HOW = {
    "heads": (
        "All heads of a layer, one colour each; point at a token to see what it reads, or on the right what "
        "reads it. Click a square to drop a head, double-click to keep it alone.",
        f"{BY} It knows ten colours; an eleventh head has the first one's again.",
    ),
    "model": (
        "A row for each layer, a thumbnail for each head: lines run from a token on the left to what it "
        "reads on the right, heavier for more. Click a thumbnail to see its words.",
        f"{BY} Heads that look alike need not do the same on another sentence.",
    ),
    "neurons": (
        "From the chosen token: its query q times every key k, number by number; their sum over the square "
        "root of how many there are is the score q · k, and softmax turns a row of scores into weights. "
        "Purple is positive, orange negative. Click a token to choose it.",
        f"{BY} No single number of a query or key means anything by itself; only products count.",
    ),
}


def controls(settings: Settings, trace: "Trace") -> None:
    """Which of the three, and of which layer and head."""
    if settings["bertviz"] not in VIEWS:
        settings.set(bertviz="heads")
    st.segmented_control(
        "BertViz view", list(VIEWS), key=settings.key("bertviz"), format_func=VIEWS.get, required=True,
        label_visibility="collapsed", width="content",
    )  # fmt: skip
    chosen = {"heads": ("layer",), "model": (), "neurons": ("layer", "head")}
    choose(settings, trace, *chosen[settings["bertviz"]])
    hide_special(settings, trace)


def draw(settings: Settings, trace: "Trace") -> None:
    """Which part is drawn, and the frame with it."""
    if nothing_typed(settings, trace):
        st.html('<p class="rb-caption" style="padding:160px 0;text-align:center">Type a sentence above.</p>')
        return
    _choose_part(settings, trace)
    drawn = html(settings, trace)
    with st.container(key="bertviz"):
        st.iframe(drawn, height="content")
    file = f"attention-{settings['model']}-bertviz-{settings['bertviz']}"
    saving.offer(
        settings,
        saving.Picture("bertviz", file),
        saving.Export("This view, a page of its own", f"{file}.html", lambda: drawn),
    )


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return HOW[settings["bertviz"]]


def presets(settings: Settings) -> list[frame.Preset]:
    """Three presets that stay in the view: of one head, or of many at once."""
    chosen = PRESETS if settings["bertviz"] == "neurons" else MANY_HEADS
    stay = {"view": "bertviz", "bertviz": settings["bertviz"]}
    return [frame.Preset(p.label, p.point, p.values | stay) for p in chosen]


def code(settings: Settings, model: "LanguageModel") -> str:
    """What the view shows most of, from Python: the strongest link of every head, or token."""
    begin, one = code_begin(settings, model), code_head(settings)
    match settings["bertviz"]:
        case "model":
            return f"""\
{begin}for layer, heads in enumerate(trace.attention.pattern):
    for head in range(len(heads)):
        view = head_view(trace, layer, head, hide_special={settings["hide"]})
        query, key = divmod(int(view.pattern.argmax()), len(view.tokens))
        link = f"{{view.tokens[query]}} reads {{view.tokens[key]}}"
        print(f"L{{layer}}H{{head}}: {{link}} {{view.pattern.max():.3f}}")
"""
        case "neurons":
            return f"""\
{begin}{one}queries = trace.attention.queries[view.layer, view.head, view.positions]
keys = trace.attention.keys[view.layer, view.head, view.positions]
scores = queries @ keys.T / keys.shape[-1] ** 0.5
for token, score, weight in zip(view.tokens, scores, view.pattern):
    most = weight.argmax()
    print(f"{{token:>12}} reads {{view.tokens[most]:12}} q·k {{score[most]:6.2f}} {{weight[most]:.3f}}")
"""
    return f"""\
{begin}{one}for token, row in zip(view.tokens, view.pattern):
    print(f"{{token:>12}} reads {{view.tokens[row.argmax()]:12}} {{row.max():.3f}}")
"""


def _choose_part(settings: Settings, trace: "Trace") -> None:
    """Which layers, heads and tokens, where there is more than fits; and what was left out."""
    kept = _kept(settings["hide"], trace)
    layers, heads = trace.attention.pattern.shape[:2]
    wanted, part = parts(settings, trace)
    model = settings["bertviz"] == "model"
    with st.container(key="bertviz-controls", horizontal=True, gap="large"):
        if model:
            _slider(settings, "layers", layers, part.layers)
            _slider(settings, "heads", heads, part.heads)
        if model or len(part.tokens) < len(kept):
            _slider(settings, "tokens", len(kept), part.tokens)
    if said := left_out(settings, trace, wanted, part, len(kept)):
        st.html(f'<p class="rb-quiet" style="margin:0">{said}</p>')


def parts(settings: Settings, trace: "Trace") -> tuple[Part, Part]:
    """What the settings ask for, and what of it is drawn."""
    layers, heads = trace.attention.pattern.shape[:2]
    tokens = asked(settings["tokens"], len(_kept(settings["hide"], trace)))
    layer = range(settings["layer"], settings["layer"] + 1)
    head = range(settings["head"], settings["head"] + 1)
    match settings["bertviz"]:
        case "model":
            wanted = Part(asked(settings["layers"], layers), asked(settings["heads"], heads), tokens)
            return wanted, fit_model(wanted)
        case "neurons":
            wanted = Part(layer, head, tokens)
        case _:
            wanted = Part(layer, range(heads), tokens)
    return wanted, fit_tokens(wanted)


def left_out(settings: Settings, trace: "Trace", wanted: Part, part: Part, shown: int) -> str:
    """What the view leaves out of the text and the model, in words."""
    said = [cut(trace)]
    if settings["hide"] and trace.encoding.special.any():
        said.append("Rows are rescaled to sum to 1 without the special tokens.")
    tokens = f"{_numbers('token', part.tokens, shown)} of {shown}"
    if part != wanted and settings["bertviz"] == "model":
        layers, heads = trace.attention.pattern.shape[:2]
        for name, drawn, size in (("layer", part.layers, layers), ("head", part.heads, heads)):
            tokens += f", {_numbers(name, drawn, size)}" if len(drawn) < size else ""
        said.append(
            f"All of it would be {wanted.lines:,} lines; BertViz is given {LINES:,} at most: "
            f"you see {tokens}. Choose fewer layers or heads for more tokens."
        )
    elif len(part.tokens) < shown:
        said.append(f"You see {tokens}.")
    if len(part.tokens) < shown:
        said.append("Weights on the other tokens are not drawn.")
    return " ".join(filter(None, said))


def html(settings: Settings, trace: "Trace") -> str:
    """The page in the frame, the same for the same view, so that other controls do not reload it."""
    part = parts(settings, trace)[1]
    encoding = trace.encoding
    positions = [_kept(settings["hide"], trace)[i] for i in part.tokens]
    chosen = _chosen(settings, trace, positions) if settings["bertviz"] == "neurons" else 0
    return _html(
        settings["bertviz"], settings["model"], encoding.text, encoding.pair, settings["hide"], part,
        chosen, frame.palette().name, presenting(), trace,
    )  # fmt: skip


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs={Part: repr})
def _html(
    view: str, model: str, text: str, pair: str | None, hide: bool, part: Part, chosen: int, colours: str,
    low: bool, _trace: "Trace",
) -> str:  # fmt: skip
    from explorer.analysis.attention.weights import without_special

    encoding, attention = _trace.encoding, _trace.attention
    layers, heads, tokens = (slice(r.start, r.stop) for r in (part.layers, part.heads, part.tokens))
    kept = _kept(hide, _trace)
    positions = kept[tokens]
    labels = [label(encoding, i) for i in positions]
    pattern = attention.pattern[layers, heads]
    pattern = without_special(pattern, encoding.special) if hide else pattern
    pattern = pattern[:, :, tokens, tokens]
    palette = theme.palette(colours)
    second = next((place for place, i in enumerate(positions) if encoding.segments[i] == 1), None)
    if view == "model":
        return bertviz_page.model_view(pattern, labels, part.layers, part.heads, palette, second, low)
    if view == "neurons":
        head = attention.queries[layers, heads][0, 0], attention.keys[layers, heads][0, 0]
        queries, keys = (vectors[positions] for vectors in head)
        causal = not attention.pattern.triu(1).any()
        return bertviz_page.neuron_view(
            queries, keys, pattern[0, 0], labels, palette, second, bool(causal), chosen, low
        )
    return bertviz_page.head_view(pattern[0], labels, part.layers[0], palette, second, low)


def _kept(hide: bool, trace: "Trace") -> list[int]:
    """The positions of the tokens that are not hidden."""
    return [i for i, special in enumerate(trace.encoding.special.tolist()) if not (hide and special)]


def _chosen(settings: Settings, trace: "Trace", positions: list[int]) -> int:
    """The token that the neuron view opens on: the held one, else the last word (GPT's reads the most)."""
    held = Held.read(settings["token"])
    if held and held.position in positions:
        return positions.index(held.position)
    words = [
        place
        for place, i in enumerate(positions)
        if not trace.encoding.special[i] and any(map(str.isalnum, trace.encoding.surface(i)))
    ]
    return words[-1] if words else 0


def _slider(settings: Settings, name: str, size: int, drawn: range) -> None:
    """A range of 0 to size - 1 that shows what is drawn; the setting is what the person asked for."""
    if size < 2:
        return
    key = f"attention/{name}"
    st.session_state[key] = (drawn[0], drawn[-1])

    def moved() -> None:
        first, last = st.session_state[key]
        settings.set(**{name: None if (first, last) == (0, size - 1) else [first, last]})

    st.slider(name.capitalize(), 0, size - 1, key=key, on_change=moved)


def _numbers(name: str, drawn: range, size: int) -> str:
    """`the first 23 tokens`, `layer 4` or `heads 2 to 5`."""
    if len(drawn) == 1:
        return f"{name} {drawn[0]}"
    if drawn[0] == 0 and len(drawn) < size:
        return f"the first {len(drawn)} {name}s"
    return f"{name}s {drawn[0]} to {drawn[-1]}" if len(drawn) < size else f"all {size} {name}s"
