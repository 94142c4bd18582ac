"""BertViz on the attention page: its three drawings.

They draw the same trace as the page's own picture, so a head's weights are the same in all of them.
"""

from typing import Any

import streamlit as st

from explorer.locale import N_, _, format_number, language, translate
from explorer.text.letters import has_letters
from explorer.views import kit
from explorer.views.attention import examples
from explorer.views.attention import sentence as attention_sentence
from explorer.views.attention.files import COLUMNS
from explorer.views.attention.sentence import (
    SelectedToken,
    example_input,
    hide_special,
    layers_and_heads,
    nothing_typed,
)
from explorer.views.attention.settings import (
    BERTVIZ,
    HEAD,
    HEAD_RANGE,
    HIDE,
    LAYER,
    LAYERS,
    MODEL,
    TOKEN,
    TOKENS,
)
from explorer.views.frame import page as frame
from explorer.views.types import Tensor, Trace
from explorer.views.widgets import bertviz_page
from explorer.views.widgets.bertviz_limits import LINES, Selection, fit_model, fit_tokens, requested


def choose_part(settings: kit.Settings, trace: "Trace") -> None:
    """Sliders for the layers, heads and tokens, where there is a choice; and what is left out."""
    count = len(kept_positions(settings[HIDE], trace))
    layers, heads = layers_and_heads(trace)
    request, part = parts(settings, trace)
    model = settings[BERTVIZ] == "model"
    with st.container(key="bertviz-controls", horizontal=True, gap="large"):
        if model:
            _slider(settings, LAYERS, _("Layers"), layers, part.layers)
            _slider(settings, HEAD_RANGE, _("Heads"), heads, part.heads)
        if model or len(part.tokens) < count:
            _slider(settings, TOKENS, _("Tokens"), count, part.tokens)
    if text := left_out(settings, trace, request, part):
        kit.note(text)


def parts(settings: kit.Settings, trace: "Trace") -> tuple[Selection, Selection]:
    """The part that the settings ask for, and as much of it as is drawn."""
    layers, heads = layers_and_heads(trace)
    layer, head = (range(settings[name], settings[name] + 1) for name in (LAYER, HEAD))
    tokens = requested(settings[TOKENS], len(kept_positions(settings[HIDE], trace)))
    if settings[BERTVIZ] == "model":
        request = Selection(
            requested(settings[LAYERS], layers), requested(settings[HEAD_RANGE], heads), tokens
        )
        return request, fit_model(request)
    request = Selection(layer, head if settings[BERTVIZ] == "neurons" else range(heads), tokens)
    return request, fit_tokens(request)


def left_out(settings: kit.Settings, trace: "Trace", request: Selection, part: Selection) -> str:
    """The tokens and weights that the view leaves out, in words."""
    texts = [kit.unread(trace.encoding)]
    if settings[HIDE] and trace.encoding.special.any():
        texts.append(_("Rows are rescaled to sum to 1 without the special tokens."))
    if part != request and settings[BERTVIZ] == "model":
        texts.append(
            _(
                "All of it would be {lines} lines; BertViz is given {most} at most. "
                "Choose fewer layers or heads for more tokens.",
                lines=format_number(request.lines),
                most=format_number(LINES),
            )
        )
    count = len(kept_positions(settings[HIDE], trace))
    if len(part.tokens) < count:
        first, last = part.tokens[0], part.tokens[-1]
        texts.append(
            _(
                "You see tokens {first} to {last} of {count}. Weights on the others are not drawn.",
                first=first + 1,
                last=last + 1,
                count=count,
            )
        )
    return " ".join(filter(None, texts))


def kept_positions(hide: bool, trace: "Trace") -> list[int]:
    """The positions of the tokens that are not hidden."""
    return [i for i, special in enumerate(trace.encoding.special.tolist()) if not (hide and special)]


def _slider(settings: kit.Settings, setting: kit.Setting[Any], label: str, size: int, numbers: range) -> None:
    """A range, counted from 1, that shows what is drawn; the setting is what the person asked for."""
    if size < 2:
        return
    key = f"attention/{setting}"
    st.session_state[key] = (numbers[0] + 1, numbers[-1] + 1)

    def store() -> None:
        first, last = st.session_state[key]
        settings.set(setting.to(None if (first, last) == (1, size) else [first - 1, last - 1]))

    st.slider(label, 1, size, key=key, on_change=store)


PAGES = {"heads": "head_view", "model": "model_view", "neurons": "neuron_view"}  # BertViz's names
DRAWINGS = {"heads": N_("Heads"), "model": N_("Model"), "neurons": N_("Neurons")}
CHOICES = {"heads": (LAYER,), "model": (), "neurons": (LAYER, HEAD)}  # what has a box


_page = kit.kept(16)(bertviz_page.page)
VIEW_TEXT = kit.view_text("attention", "bertviz")


def controls(page: "kit.OpenPage[Trace]") -> None:
    """The drawing, and the layer and the head where it is of one."""
    settings = page.settings
    settings.restrict(BERTVIZ, DRAWINGS)
    kit.segments(settings, BERTVIZ, _("BertViz view"), translate(DRAWINGS))
    attention_sentence.choose(settings, page.data, *CHOICES[settings[BERTVIZ]])
    hide_special(settings, page.data)


def draw(page: "kit.OpenPage[Trace]") -> kit.Saves:
    """The sliders for the part that is drawn, and the drawing in a frame."""
    settings, trace = page.settings, page.data
    if nothing_typed(settings, trace):
        kit.instruction()
        return []
    choose_part(settings, trace)
    with st.container(key="bertviz"):
        st.iframe(html(settings, trace), height="content")
    file = f"attention-{settings[MODEL]}-bertviz-{settings[BERTVIZ]}"
    part, hide = parts(settings, trace)[1], settings[HIDE]
    return [
        kit.Picture("bertviz", file),
        kit.Export(N_("Weights"), f"{file}.csv", lambda: _weights_table(trace, hide, part)),
    ]


def example(page: "kit.OpenPage[Trace]") -> kit.Example:
    """What the drawing shows most of, from Python: the strongest link of every token or head."""
    settings = page.settings
    source, hide = example_input(page), settings[HIDE]
    if settings[BERTVIZ] == "neurons":
        return kit.Example(
            examples.strongest_links,
            **source,
            layer=settings[LAYER],
            heads=[settings[HEAD]],
            hide_special=hide,
            merge_words=False,
            times_values=False,
        )
    if nothing_typed(settings, page.data):
        return kit.Example(examples.strongest_link_of_every_head, **source, layers=[], hide_special=hide)
    part = parts(settings, page.data)[1]
    return kit.Example(
        examples.strongest_link_of_every_head,
        **source,
        layers=list(part.layers),
        hide_special=hide,
        first=part.tokens[0],
        last=part.tokens[-1],
    )


def html(settings: kit.Settings, trace: "Trace") -> str:
    """The page in the frame, the same for the same view, so that other controls do not reload it."""
    from explorer.trace import captured

    encoding, attention = trace.encoding, captured(trace.attention)
    part = parts(settings, trace)[1]
    positions, pattern = _weights(trace, settings[HIDE], part)
    tokens = [kit.label(encoding, i) for i in positions]
    second = next((place for place, i in enumerate(positions) if encoding.side(i) == 1), None)
    tensors = {"attn": pattern}
    numbers: dict[str, Any] = {"include_layers": list(part.layers), "include_heads": list(part.heads)}
    if settings[BERTVIZ] == "neurons":
        layer, head = part.layers[0], part.heads[0]
        for name, vectors in (("queries", attention.queries), ("keys", attention.keys)):
            tensors[name] = vectors[layer, head, positions][None, None]
        numbers = {"chosen": _chosen(settings, trace, positions), "bidirectional": not attention.causal}
    view, colours = PAGES[settings[BERTVIZ]], frame.palette().name
    return _page(view, tensors, tokens, colours, second, kit.presenting(), language=language(), **numbers)


def _weights(trace: "Trace", hide: bool, part: Selection) -> tuple[list[int], "Tensor"]:
    """The positions of a part's tokens, and its weights [layer head query_pos key_pos]."""
    from explorer.analysis.attention.weights import patterns

    layers, heads, tokens = (slice(r.start, r.stop) for r in (part.layers, part.heads, part.tokens))
    every = patterns(trace, layers, hide)
    return [group[0] for group in every.groups[tokens]], every.pattern[:, heads, tokens, tokens]


def _chosen(settings: kit.Settings, trace: "Trace", positions: list[int]) -> int:
    """The token that the neuron view opens on, by its place: the selected one, else the last word."""
    selected = SelectedToken.read(settings[TOKEN])
    if selected and selected.position in positions:
        return positions.index(selected.position)
    words = [
        place
        for place, i in enumerate(positions)
        if not trace.encoding.special[i] and has_letters(trace.encoding.surface(i))
    ]
    return words[-1] if words else 0


def _weights_table(trace: "Trace", hide: bool, part: Selection) -> str:
    positions, pattern = _weights(trace, hide, part)
    rows = [
        (kit.head_name(layer, head), query, trace.tokens[query], key, trace.tokens[key], weight)
        for layer, heads in zip(part.layers, pattern.tolist())
        for head, weights in zip(part.heads, heads)
        for query, row in zip(positions, weights)
        for key, weight in zip(positions, row)
    ]
    return kit.table(COLUMNS, rows)


VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=lambda page: VIEW_TEXT.readings[page.settings[BERTVIZ]],
        change=lambda page: VIEW_TEXT.phrases[page.settings[BERTVIZ]],
    ),
    settings=(BERTVIZ, LAYERS, HEAD_RANGE, TOKENS),
    controls=controls,
    picture=draw,
    example=example,
)
