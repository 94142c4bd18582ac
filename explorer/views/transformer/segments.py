"""Transformer-XL: a long text in segments, with and without the keys and values of those before."""

import streamlit as st

from explorer.views import kit
from explorer.views.transformer import segments_chart
from explorer.views.transformer.layer_and_head import note_unread
from explorer.views.transformer.segments_chart import Bits
from explorer.views.transformer.settings import (
    MODEL,
    XL_FIRST,
    XL_MEMORY,
    XL_POSITIONS,
    XL_SEGMENT,
    XL_SHOW,
    XL_TEXT,
)
from explorer.views.types import LanguageModel, SegmentedText, Tensor

CHARTS = {"bits": "Surprisal", "reach": "How far it reaches"}
POSITIONS = {"continued": "Positions go on", "restarted": "Positions from 0"}
SEGMENTS, MEMORIES = (4, 8, 16, 24, 32, 48, 64), (0, 4, 8, 16, 24, 32, 48, 64, 96, 128)
FIRST_TOKENS = 4  # tokens at the beginning of a text, as StreamingLLM keeps them
MOST = 512  # tokens of a text: a model with room for more reads no further here

VIEW_TEXT = kit.view_text("transformer", "segments")


def controls(page: kit.OpenPage[None]) -> None:
    """The text; what is shown, how long segments and memory are, and how positions are counted."""
    settings = page.settings
    kit.text_box(settings, XL_TEXT, "A long text", "Type or paste a long text", lines=2)
    with st.container(horizontal=True, vertical_alignment="center"):
        kit.segments(settings, XL_SHOW, "What is shown", CHARTS, width="content")
        kit.stepped_slider(settings, XL_SEGMENT, "Segment, in tokens", SEGMENTS, width=150)
        kit.stepped_slider(settings, XL_MEMORY, "Memory, in tokens", MEMORIES, width=180)
        kit.switch(
            settings,
            XL_FIRST,
            f"Keep the first {FIRST_TOKENS}",
            disabled=not settings[XL_MEMORY],
            help=f"The memory also holds the text’s first {FIRST_TOKENS} tokens, to which GPT attends a lot",
            width="content",
        )
        kit.menu(
            settings,
            XL_POSITIONS,
            "Positions",
            POSITIONS,
            disabled=not settings[XL_MEMORY],
            label_visibility="collapsed",
            width=185,
        )


def _bits(settings: kit.Settings, model: "LanguageModel") -> "Bits":
    """The text read as a whole, in segments without a memory, and with the chosen one."""
    from explorer.errors import TextError

    if not settings[XL_TEXT].strip():
        raise TextError("There is no text.", "Type or paste a text of some hundred words.")
    text, segment = settings[XL_TEXT], settings[XL_SEGMENT]
    whole, forgotten = read(model, text, MOST, 0), read(model, text, segment, 0)
    remembered = read(model, text, *_sizes(settings)) if settings[XL_MEMORY] else None
    encoding = whole.encoding
    return segments_chart.Bits(
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
    kit.chart(segments_chart.figure(bits, kit.palette()), "segments/chart", least=640)
    return [
        kit.Picture("picture", "transformer-xl"),
        kit.Export("Surprisal", "transformer-xl.csv", lambda: _table(bits)),
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
    kit.chart(
        segments_chart.reach_figure(reached, alone, segment, kit.palette()), "segments/reach", least=820
    )
    return [
        kit.Picture("picture", "transformer-xl-reach"),
        kit.Export("Reach by layer", "transformer-xl-reach.csv", lambda: _reach_table(reached)),
    ]


def _summary(bits: "Bits") -> str:
    """The mean bits of the first tokens after the cuts: without a memory, with it, and in the uncut text."""
    if not bits.cuts:
        return "The text is no longer than one segment: nothing is cut."
    ways = {"without a memory": bits.forgotten, "with it": bits.remembered, "in the uncut text": bits.whole}
    means = [
        f"<b>{float(each[list(bits.cuts)].mean()):.2f}</b> {way}"
        for way, each in ways.items()
        if each is not None
    ]
    return f"The first token after a cut costs, in bits: {', '.join(means)}."


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
    text=VIEW_TEXT,
    settings=(XL_TEXT, XL_SHOW, XL_SEGMENT, XL_MEMORY, XL_FIRST, XL_POSITIONS),
    needs=("GENERATE",),
    model="gpt",
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
