"""Transformer-XL: a long text in segments, with and without the keys and values of those before."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from explorer.locale import N_, _, format_with, localised, translate
from explorer.views import kit
from explorer.views.transformer.layer_and_head import note_unread
from explorer.views.transformer.plots import legend, side_by_side
from explorer.views.transformer.settings import (
    MODEL,
    XL_FIRST,
    XL_MEMORY,
    XL_POSITIONS,
    XL_SEGMENT,
    XL_SHOW,
    XL_TEXT,
)
from explorer.views.types import LanguageModel, SegmentedText, Tensor, go

HEIGHT = 350
GROUPS = {  # places after a cut, counted from 1, and the number of tokens between
    "1": (0, 0),
    "2": (1, 1),
    "3–4": (2, 3),
    "5–8": (4, 7),
    "9–16": (8, 15),
    "17–32": (16, 31),
    "33–64": (32, 63),
}


@dataclass(frozen=True, eq=False)
class Bits:
    """The surprisal of every token of one text, in bits: as a whole, without a memory, and with one.

    `offsets` says how many tokens of its segment come before each. `memory` is None without one.
    """

    tokens: Sequence[str]
    cuts: Sequence[int]
    offsets: "Tensor"
    whole: "Tensor"
    forgotten: "Tensor"
    remembered: "Tensor | None"

    def by_place(self, bits: "Tensor") -> dict[str, float]:
        """The mean bits of the tokens in each of `GROUPS`; tokens before the first cut are left out."""
        first = self.cuts[0] if self.cuts else len(bits)
        offsets, bits = self.offsets[first:], bits[first:]
        return {
            name: float(bits[(offsets >= low) & (offsets <= high)].mean())
            for name, (low, high) in GROUPS.items()
            if (offsets >= low).any()
        }


def figure(bits_of_text: Bits, palette: kit.Palette) -> "go.Figure":
    """How many bits more than in the uncut text a token costs, by its place after a cut."""
    chart, plain = side_by_side(palette, HEIGHT, [1]), kit.for_class()
    write = times_less if plain else lambda bits: format_with(bits, "+.1f")
    series = [(_("without a memory"), bits_of_text.forgotten, palette.senses[4])]
    if bits_of_text.remembered is not None:
        series.append((_("with the memory"), bits_of_text.remembered, palette.probability[1]))
    for name, bits, colour in series:
        extra = bits_of_text.by_place(bits - bits_of_text.whole)
        says = _("{series}, place {n}: {bits} bits more", series=name, n="%{x}", bits="<b>%{y:.2f}</b>")
        chart.add_bar(
            x=list(extra),
            y=list(extra.values()),
            marker={"color": colour},
            text=[write(value) for value in extra.values()],
            textposition="outside",
            cliponaxis=False,
            hovertemplate=f"{says}<extra></extra>",
        )
    names = legend((colour, f"■ {name}") for name, __, colour in series)
    chart.update_layout(barmode="group", bargap=0.3)
    chart.update_xaxes(type="category")
    chart.update_yaxes(zeroline=True, zerolinecolor=palette.quiet)
    kit.below(chart, _("place after a cut"), palette)
    chart.update_yaxes(showticklabels=not plain)
    what = N_("bits per token, more than in the uncut text: {names}")
    if plain:
        what = N_("how many times less probable a token is than in the uncut text: {names}")
    kit.title(chart, _(what, names=names), palette)
    return chart


def times_less(bits: float) -> str:
    """How many times less probable a token is that costs so many bits more.

    >>> times_less(1.0)
    '2.0×'
    """
    return localised(f"{2**bits:.1f}×")


def reach_figure(reached: "Tensor", alone: "Tensor", segment: int, palette: kit.Palette) -> "go.Figure":
    """Which states the last token's can depend on, by layer: those of its segment, and through the memory."""
    chart = side_by_side(palette, HEIGHT, [1])
    layers, tokens = len(reached) - 1, reached.shape[1]
    shades = [palette.hairline, palette.attention[1], palette.query]
    scale = [
        [0, shades[0]],
        [1 / 3, shades[0]],
        [1 / 3, shades[1]],
        [2 / 3, shades[1]],
        [2 / 3, shades[2]],
        [1, shades[2]],
    ]
    chart.add_heatmap(
        z=(reached.int() + alone.int()).tolist(),
        x=list(range(1, tokens + 1)),
        y=list(range(layers + 1)),
        zmin=0,
        zmax=2,
        colorscale=scale,
        showscale=False,
        ygap=4,
        hovertemplate=_("token {n}, layer {layer}", n="%{x}", layer="%{y}") + "<extra></extra>",
    )
    for cut in range(segment, tokens, segment):
        chart.add_vline(x=cut + 0.5, line={"color": palette.ground, "width": 2})
    for layer in range(layers):
        oldest = int(reached[layer].nonzero()[0]) + 1
        kit.say(
            chart,
            _("{count} back", count=tokens - oldest) + " ",
            palette,
            x=oldest - 0.5,
            y=layer,
            xanchor="right",
            font={"color": palette.ink},
            bgcolor=palette.ground,
            opacity=0.85,
        )
    names = [_("embedding"), *(_("layer {n}", n=layer) for layer in range(1, layers + 1))]
    chart.update_yaxes(tickvals=list(range(layers + 1)), ticktext=names, showgrid=False)
    kit.below(chart, _("token of the text"), palette)
    chart.update_layout(margin_l=104)
    kinds = legend([(shades[2], f"■ {_('its segment')}"), (shades[1], f"■ {_('through the memory')}")])
    title = _("what the state of the last token, at the top, can depend on: {kinds}", kinds=kinds)
    kit.title(chart, title, palette)
    return chart


CHARTS = {"bits": N_("Surprisal"), "reach": N_("How far it reaches")}
POSITIONS = {"continued": N_("Positions go on"), "restarted": N_("Positions from 0")}
SEGMENTS, MEMORIES = (4, 8, 16, 24, 32, 48, 64), (0, 4, 8, 16, 24, 32, 48, 64, 96, 128)
FIRST_TOKENS = 4  # tokens at the beginning of a text, as StreamingLLM keeps them
MOST = 512  # tokens of a text: a model with room for more reads no further here

VIEW_TEXT = kit.view_text("transformer", "segments")


def controls(page: kit.OpenPage[None]) -> None:
    """The text; what is shown, how long segments and memory are, and how positions are counted."""
    settings = page.settings
    kit.text_box(settings, XL_TEXT, _("A long text"), _("Type or paste a long text"), lines=2)
    with st.container(horizontal=True, vertical_alignment="center"):
        kit.segments(settings, XL_SHOW, _("What is shown"), translate(CHARTS), width="content")
        kit.stepped_slider(settings, XL_SEGMENT, _("Segment, in tokens"), SEGMENTS, width=150)
        kit.stepped_slider(settings, XL_MEMORY, _("Memory, in tokens"), MEMORIES, width=180)
        kit.switch(
            settings,
            XL_FIRST,
            _("Keep the first {count}", count=FIRST_TOKENS),
            disabled=not settings[XL_MEMORY],
            help=_(
                "The memory also holds the text’s first {count} tokens, to which GPT attends a lot",
                count=FIRST_TOKENS,
            ),
            width="content",
        )
        kit.menu(
            settings,
            XL_POSITIONS,
            _("Positions"),
            translate(POSITIONS),
            disabled=not settings[XL_MEMORY],
            label_visibility="collapsed",
            width=185,
        )


def _bits(settings: kit.Settings, model: "LanguageModel") -> "Bits":
    """The text read as a whole, in segments without a memory, and with the chosen one."""
    from explorer.errors import TextError

    if not settings[XL_TEXT].strip():
        raise TextError(_("There is no text."), _("Type or paste a text of some hundred words."))
    text, segment = settings[XL_TEXT], settings[XL_SEGMENT]
    whole, forgotten = read(model, text, MOST, 0), read(model, text, segment, 0)
    remembered = read(model, text, *_sizes(settings)) if settings[XL_MEMORY] else None
    encoding = whole.encoding
    return Bits(
        tokens=[encoding.surface(i) for i in range(len(encoding))],
        cuts=forgotten.cuts,
        offsets=forgotten.offsets,
        whole=whole.bits,
        forgotten=forgotten.bits,
        remembered=None if remembered is None else remembered.bits,
    )


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The surprisal, or how far each layer reaches."""
    settings = page.settings
    bits = _bits(settings, page.model)
    if settings[XL_SHOW] == "reach":
        return _draw_reach(page, bits)
    if not kit.for_class():
        st.html(f'<p class="rb-how" style="max-width:none;margin:0">{_summary(bits)}</p>')
    note_unread(read(page.model, settings[XL_TEXT], MOST, 0).encoding)
    kit.chart(figure(bits, kit.palette()), "segments/chart", least=640)
    return [
        kit.Picture("picture", "transformer-xl"),
        kit.Export(N_("Surprisal"), "transformer-xl.csv", lambda: _table(bits)),
    ]


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read it."""
    if page.settings[XL_SHOW] == "reach":
        return VIEW_TEXT.readings["reach"]
    return (
        VIEW_TEXT.readings["rotary"] if page.model.input_parameters().positions is None else VIEW_TEXT.reading
    )


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same numbers from Python."""
    settings = page.settings
    segment, remembered, positions, first = _sizes(settings)
    return kit.Example(
        surprisals,
        model=kit.Load(settings[MODEL]),
        text=settings[XL_TEXT],
        segment=segment,
        memory=remembered,
        positions=positions,
        first=first,
    )


def surprisals(
    model: "LanguageModel", text: str, segment: int, memory: int, positions: str, first: int
) -> list[tuple[str, float]]:
    """Each token of a text that is read in segments, with its surprisal in bits."""
    from explorer.analysis.reach.segments import read_in_segments

    result = read_in_segments(model, text, segment, memory, positions, first)
    return list(zip(result.encoding.tokens, result.bits.tolist()))


@kit.kept(64)
def read(
    model: "LanguageModel",
    text: str,
    segment: int,
    remembered: int,
    positions: str = "continued",
    first: int = 0,
) -> "SegmentedText":
    """A text in segments, kept for all visitors. Raises AbilityError."""
    from explorer.analysis.reach.segments import read_in_segments

    return read_in_segments(model, text, segment, remembered, positions, first, MOST)


def _sizes(settings: kit.Settings) -> tuple[int, int, str, int]:
    first = FIRST_TOKENS if settings[XL_FIRST] else 0
    return settings[XL_SEGMENT], settings[XL_MEMORY], settings[XL_POSITIONS], first


def _draw_reach(page: kit.OpenPage[None], bits: "Bits") -> kit.Saves:
    from explorer.analysis.reach.segments import reach

    segment, remembered, _, first = _sizes(page.settings)
    layers, tokens = page.model.config.layers, len(bits.tokens)
    reached, alone = reach(layers, tokens, segment, remembered, first), reach(layers, tokens, segment, 0)
    kit.chart(reach_figure(reached, alone, segment, kit.palette()), "segments/reach", least=820)
    return [
        kit.Picture("picture", "transformer-xl-reach"),
        kit.Export(N_("Reach by layer"), "transformer-xl-reach.csv", lambda: _reach_table(reached)),
    ]


def _summary(bits: "Bits") -> str:
    """The mean bits of the first tokens after the cuts: without a memory, with it, and in the uncut text."""
    if not bits.cuts:
        return _("The text is no longer than one segment: nothing is cut.")
    ways = {
        N_("{bits} without a memory"): bits.forgotten,
        N_("{bits} with it"): bits.remembered,
        N_("{bits} in the uncut text"): bits.whole,
    }
    means = [
        _(way, bits=localised(f"<b>{float(each[list(bits.cuts)].mean()):.2f}</b>"))
        for way, each in ways.items()
        if each is not None
    ]
    return _("The first token after a cut costs, in bits: {means}.", means=_(", ").join(means))


def _table(bits: "Bits") -> str:
    columns = {"uncut": bits.whole, "no_memory": bits.forgotten, "memory": bits.remembered}
    columns_with_values = {name: bits.tolist() for name, bits in columns.items() if bits is not None}
    rows = [
        [i + 1, token, int(bits.offsets[i]), *(bits[i] for bits in columns_with_values.values())]
        for i, token in enumerate(bits.tokens)
    ]
    return kit.table(
        ["place", "token", "place_in_segment", *(f"bits_{name}" for name in columns_with_values)], rows
    )


def _reach_table(reached: "Tensor") -> str:
    rows = [[depth, int(row.sum()), int(row.nonzero()[0]) + 1] for depth, row in enumerate(reached)]
    return kit.table(["layer", "tokens", "from_token"], rows)


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading),
    settings=(XL_TEXT, XL_SHOW, XL_SEGMENT, XL_MEMORY, XL_FIRST, XL_POSITIONS),
    needs=("GENERATE",),
    model="gpt",
    controls=controls,
    picture=draw,
    example=example,
)
