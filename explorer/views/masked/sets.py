"""Compare sets: which of two sets of words a blank leans to, for each word of a slot."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import memory
from explorer.views.frame.page import picture
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.masked.line import listed, quiet
from explorer.views.widgets.bars import short
from explorer.views.widgets.registry import component, text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.fill import Probe
    from explorer.analysis.prediction.template_bias import Lean, Leanings
    from explorer.models import LanguageModel

MOST_FILLERS, MOST_WORDS = 14, 6
LIMITS = (1, 2, 3, 4, 6, 8, 12, 16, 24)  # bits from the middle to the end of the axis
MARKS = 3  # ticks on either side


def ask(settings: Settings) -> None:
    """The sentence with its slot, the words for it, the two sets."""
    text_box(
        settings, "template", "A sentence with [SLOT] and [MASK]", "The [SLOT] said that [MASK] was late."
    )
    columns = st.columns([50, 25, 25], gap="medium")
    for column, name, label, hint in zip(
        columns,
        ("fillers", "one", "other"),
        ("Words for [SLOT], with commas", "The first set for [MASK]", "The second set for [MASK]"),
        ("words for [SLOT]: doctor, nurse", "one set: he", "the other: she"),
    ):
        with column:
            text_box(settings, name, label, hint)


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The chart: a row for each word of the slot."""
    name = str(model.checkpoint)
    fillers, one, other = chosen(settings)
    found = compared(name, settings["template"], tuple(fillers), tuple(one), tuple(other))
    leans = sorted(found.leans, key=lambda lean: -lean.bits)
    titles = ", ".join(one), ", ".join(other)

    def opened() -> None:
        index = st.session_state["masked/leanings"].click
        if index is not None and index < len(leans):
            settings.set(view="predict", text=leans[index].text, words=[], blank=0, pinned="",
                         probe=", ".join([*one, *other][:3]))  # fmt: skip

    with picture():
        limit = reach(found)
        component("masked/template_bias")(
            key="masked/leanings",
            data={
                "label": f"{titles[0]} or {titles[1]}, for each word of the slot; a click opens its sentence",
                "one": titles[0],
                "other": titles[1],
                "limit": limit,
                "ticks": ticks(limit),
                "bare": _row(found.bare) if found.bare else None,
                "rows": [_row(lean) for lean in leans],
            },
            on_click_change=opened,
        )
        notes = _notes(settings, found)
        if found.bare:
            notes.insert(0, f"Dashed: the same sentence with [SLOT] masked too, {_ratio(found.bare)}.")
        if cut := max(model.encode(lean.text).cut for lean in leans):
            notes.append(f"The model reads the beginning alone: {cut:,} tokens were cut.")
        quiet(" ".join(notes))
    offer(settings, Export("Comparison", "compare-sets.csv", lambda: _table(leans, found.bare)))


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "A dot is a sentence: the further it stands to a side, the more probable that side’s words are than "
        "the other’s, all of a set together. A set’s word of several pieces is looked up in as many blanks, "
        "filled from left to right, and its number is the product. Click a row to open its sentence.",
        "It shows what this model took over from its texts, in this sentence: other wordings lean otherwise.",
    )


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same numbers from Python."""
    fillers, one, other = chosen(settings)
    return f"""import explorer
from explorer.analysis.prediction import template_bias

model = explorer.load({str(model.checkpoint)!r})
found = template_bias.leanings(
    model, {settings["template"]!r},
    {fillers!r},
    {one!r}, {other!r},
)
for lean in found.leans:
    print(f"{{lean.filler:16}} {{lean.bits:+.2f}} bits", *lean.sums)"""


def chosen(settings: Settings) -> tuple[list[str], list[str], list[str]]:
    """The words of the slot and of both sets, no more than are drawn."""
    words = listed(settings["fillers"], MOST_FILLERS)
    return words, listed(settings["one"], MOST_WORDS), listed(settings["other"], MOST_WORDS)


@st.cache_resource(max_entries=32, show_spinner=False)
def compared(
    name: str, template: str, fillers: tuple[str, ...], one: tuple[str, ...], other: tuple[str, ...]
) -> "Leanings":
    """One comparison, kept for all visitors. Raises TextError and AbilityError."""
    from explorer.analysis.prediction import template_bias

    return template_bias.leanings(memory.get(name), template, fillers, one, other)


def reach(found: "Leanings") -> int:
    """Bits from the middle of the axis to its end: a few steps, so that it seldom changes."""
    every = [*found.leans, *([found.bare] if found.bare else [])]
    most = max((abs(lean.bits) for lean in every if math.isfinite(lean.bits)), default=0.0)
    return next((limit for limit in LIMITS if limit >= most), LIMITS[-1])


def ticks(limit: int) -> list[dict[str, Any]]:
    """The marks of the axis, in bits, with the ratio they stand for.

    >>> [tick["text"] for tick in ticks(2)]
    ['4×', '2×', 'alike', '2×', '4×']
    """
    step = next(s for s in (1, 2, 3, 4, 6, 8) if limit / s <= MARKS)
    bits = list(range(step, limit + 1, step))
    marks = [{"bits": b, "text": times(2**b)} for b in bits]
    return [
        *reversed(marks),
        {"bits": 0, "text": "alike"},
        *(mark | {"bits": -mark["bits"]} for mark in marks),
    ]


def times(ratio: float) -> str:
    """How many times as probable, two significant figures.

    >>> times(1.04), times(3.14), times(64), times(4096)
    ('1.0×', '3.1×', '64×', '4,096×')
    """
    return f"{ratio:,.0f}×" if ratio >= 9.95 or ratio in (2, 4, 8) else f"{ratio:.1f}×"


def _ratio(lean: "Lean") -> str:
    if math.isfinite(lean.bits):
        return times(2 ** abs(lean.bits))
    return "only one"


def _row(lean: "Lean") -> dict[str, Any]:
    unknown = not any(lean.sums)
    return {
        "name": lean.filler or "this sentence",
        "bits": None if unknown else max(min(lean.bits, LIMITS[-1]), -LIMITS[-1]),
        "ratio": "unknown" if unknown else _ratio(lean),
        "tip": "; ".join(", ".join(map(_place, side)) for side in (lean.one, lean.other)),
    }


def _place(probe: "Probe") -> str:
    if probe.probability is None:
        return f"{probe.word} unknown"
    rank = f" (rank {probe.rank:,})" if probe.rank else f" ({len(probe.pieces)} pieces)"
    return f"{probe.word} {short(probe.probability)}{rank}"


def _notes(settings: Settings, found: "Leanings") -> list[str]:
    notes = []
    typed = len(listed(settings["fillers"]))
    if found.bare and typed > MOST_FILLERS:
        notes.append(f"Only the first {MOST_FILLERS} of {typed} words are drawn.")
    if not found.bare:
        notes.append("There is no [SLOT] in the sentence: write one where words are to be exchanged.")
    if max(len(listed(settings["one"])), len(listed(settings["other"]))) > MOST_WORDS:
        notes.append(f"Only the first {MOST_WORDS} words of a set count.")
    said = {probe.note for lean in found.leans[:1] for probe in [*lean.one, *lean.other] if probe.note}
    return notes + sorted(said)


def _table(leans: "Sequence[Lean]", bare: "Lean | None") -> str:
    rows = [
        [lean.filler or "[MASK]", lean.text, probe.word, side, probe.probability, probe.rank, lean.bits]
        for lean in [*leans, *([bare] if bare else [])]
        for side, probes in (("one", lean.one), ("other", lean.other))
        for probe in probes
    ]
    return table(["slot", "sentence", "word", "set", "probability", "rank", "bits"], rows)
