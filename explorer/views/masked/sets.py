"""He or she? Which of two sets of words the model prefers in a blank, for each word in a slot."""

import math
from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.locale import N_, _, format_number, localised, translate
from explorer.views import kit
from explorer.views.masked.sentence import PageText, listed
from explorer.views.masked.settings import (
    BLANK,
    FILLERS,
    ONE,
    OTHER,
    PINNED,
    PROBE,
    TEMPLATE,
    TEXT,
    VIEW_NAME,
    WORDS,
)
from explorer.views.types import Bias, Model, Probe, TemplateBias

MOST_FILLERS, MOST_WORDS = 14, 6
LIMITS = (1, 2, 3, 4, 6, 8, 12, 16, 24)  # bits from the middle to the end of the axis
MARKS = 3  # ticks on either side


def ask(settings: kit.Settings) -> None:
    """Draw the boxes of the sentence with its slot, of the words for the slot, and of the two sets."""
    kit.text_box(
        settings,
        TEMPLATE,
        _("A sentence with [SLOT] and [MASK]"),
        "The [SLOT] said that [MASK] was late.",
        blanks=True,
    )
    columns = st.columns([50, 25, 25], gap="medium")
    for column, name, label, hint in zip(
        columns,
        (FILLERS, ONE, OTHER),
        (_("Words for [SLOT], with commas"), _("The first set for [MASK]"), _("The second set for [MASK]")),
        (_("words for [SLOT]: doctor, nurse"), _("one set: he"), _("the other: she")),
    ):
        with column:
            kit.text_box(settings, name, label, hint)


def draw(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw a row for each word of the slot."""
    settings, model = page.settings, page.model
    fillers, first_set, second_set = chosen(settings)
    comparison = comparison_of(model, settings[TEMPLATE], tuple(fillers), tuple(first_set), tuple(second_set))
    biases = sorted(comparison.biases, key=lambda bias: -bias.bits)
    titles = ", ".join(first_set), ", ".join(second_set)

    def opened() -> None:
        index = kit.component_value("masked/sets", "click", range(len(biases)))
        if index is not None:
            probe = ", ".join([*first_set, *second_set][:3])
            settings.set(
                VIEW_NAME.to("predict"),
                TEXT.to(biases[index].text),
                WORDS.to([]),
                BLANK.to(0),
                PINNED.to(""),
                PROBE.to(probe),
            )

    if kit.for_class():
        st.html(f'<p class="rb-about rb-sentence">{kit.quoted(sentence(page))}</p>')
    limit = reach(comparison)
    kit.component("masked/template_bias")(
        key="masked/sets",
        data={
            "label": _(
                "{one} or {other}, for each word of the slot; a press opens its sentence",
                one=titles[0],
                other=titles[1],
            ),
            "one": titles[0],
            "other": titles[1],
            "limit": limit,
            "ticks": ticks(limit),
            "bare": _row(comparison.prior) if comparison.prior else None,
            "rows": [_row(bias, comparison.beyond_prior(bias)) for bias in biases],
        },
        on_click_change=opened,
    )
    notes = _notes(settings, comparison)
    if comparison.prior:
        from explorer.trace import Ability

        both = Ability.FILL in model.abilities
        text = N_("Dashed line: the same sentence with the model’s own word in place of [SLOT], {ratio}.")
        if both:
            text = N_("Dashed line: the same sentence with [SLOT] masked too, {ratio}.")
        if both and kit.for_class():
            text = N_("Dashed line: the same sentence with that word hidden too, {ratio}.")
        notes.insert(0, _(text, ratio=_ratio(comparison.prior)))
    if cut := max(model.encode(bias.text).truncated for bias in biases):
        notes.append(
            _("The model reads only the beginning: {count} tokens were cut.", count=format_number(cut))
        )
    kit.note(" ".join(notes))
    return [
        kit.Picture("picture", "he-or-she"),
        kit.Export(N_("Comparison"), "he-or-she.csv", lambda: _table(biases, comparison)),
    ]


def example(page: kit.OpenPage[PageText]) -> kit.Example:
    """The same numbers from Python."""
    fillers, one, other = chosen(page.settings)
    return kit.Example(
        bits_by_filler,
        model=kit.Load(str(page.model.checkpoint)),
        template=page.settings[TEMPLATE],
        fillers=fillers,
        one=one,
        other=other,
    )


def bits_by_filler(
    model: "Model", template: str, fillers: list[str], one: list[str], other: list[str]
) -> dict[str, float]:
    """By how many bits the first set is more probable than the other, for each word of the slot."""
    from explorer.analysis.prediction import template_bias

    comparison = template_bias.compare_sets(model, template, fillers, one, other)
    return {bias.filler: bias.bits for bias in comparison.biases}


def sentence(page: kit.OpenPage[PageText]) -> str:
    """The template as a class reads it, with a gap for the sets and dots for the slot."""
    return page.settings[TEMPLATE].replace("[SLOT]", "…").replace(kit.MASK, kit.GAP)


def chosen(settings: kit.Settings) -> tuple[list[str], list[str], list[str]]:
    """The words of the slot and of both sets, as many as are drawn."""
    words = listed(settings[FILLERS], MOST_FILLERS)
    return words, listed(settings[ONE], MOST_WORDS), listed(settings[OTHER], MOST_WORDS)


@kit.kept(32)
def comparison_of(
    model: "Model", template: str, fillers: tuple[str, ...], one: tuple[str, ...], other: tuple[str, ...]
) -> "TemplateBias":
    """The comparison of the two sets, cached for all visitors. Raises TextError and AbilityError."""
    from explorer.analysis.prediction import template_bias

    return template_bias.compare_sets(model, template, fillers, one, other)


def reach(comparison: "TemplateBias") -> int:
    """Bits from the middle of the axis to its end: one of LIMITS, so that the axis seldom changes."""
    biases = [*comparison.biases, *([comparison.prior] if comparison.prior else [])]
    largest = max((abs(bias.bits) for bias in biases if math.isfinite(bias.bits)), default=0.0)
    return next((limit for limit in LIMITS if limit >= largest), LIMITS[-1])


def ticks(limit: int) -> list[dict[str, Any]]:
    """The ticks of the axis, in bits, each with the ratio that it means.

    >>> [tick["text"] for tick in ticks(2)]
    ['4×', '2×', 'equal', '2×', '4×']
    """
    step = next(s for s in (1, 2, 3, 4, 6, 8) if limit / s <= MARKS)
    bits = list(range(step, limit + 1, step))
    return [
        *({"bits": b, "text": times(2**b)} for b in reversed(bits)),
        {"bits": 0, "text": _("equal")},
        *({"bits": -b, "text": times(2**b)} for b in bits),
    ]


def times(ratio: float) -> str:
    """A ratio of probabilities in two significant figures.

    >>> times(1.04), times(3.14), times(64), times(4096)
    ('1.0×', '3.1×', '64×', '4,096×')
    """
    if ratio >= 9.95 or ratio in (2, 4, 8):
        return f"{ratio:,.0f}×".replace(",", _(","))
    return localised(f"{ratio:.1f}×")


def _ratio(bias: "Bias") -> str:
    if math.isfinite(bias.bits):
        return times(2 ** abs(bias.bits))
    return _("only one")


def _row(bias: "Bias", beyond: float | None = None) -> dict[str, Any]:
    unknown = not any(bias.sums)
    tips = [_("; ").join(_(", ").join(map(_place, side)) for side in (bias.one, bias.other))]
    if beyond is not None and not unknown:
        bits = localised(f"{beyond:+.2f}").replace("-", "\u2212")
        tips.append(_("minus the dashed line: {bits} bits (Kurita et al. 2019)", bits=bits))
    return {
        "name": bias.filler or _("this sentence"),
        "bits": None if unknown else max(min(bias.bits, LIMITS[-1]), -LIMITS[-1]),
        "ratio": _("unknown") if unknown else _ratio(bias),
        "tip": "\n".join(tips),
    }


def _place(probe: "Probe") -> str:
    if probe.probability is None:
        return _("{word} unknown", word=probe.word)
    text = "{word} {probability}"
    if probe.rank:
        text = N_("{word} {probability} (rank {rank})")
    elif len(probe.pieces) > 1:
        text = N_("{word} {probability} ({count} pieces)")
    fields = {"word": probe.word, "probability": kit.short(probe.probability), "count": len(probe.pieces)}
    return _(text, rank=format_number(probe.rank or 0), **fields)


def _notes(settings: kit.Settings, comparison: "TemplateBias") -> list[str]:
    notes = []
    filler_count = len(listed(settings[FILLERS]))
    if comparison.prior and filler_count > MOST_FILLERS:
        notes.append(
            _("Only the first {most} of {count} words are drawn.", most=MOST_FILLERS, count=filler_count)
        )
    if not comparison.prior:
        notes.append(_("There is no [SLOT] in the sentence: write [SLOT] where these words should go."))
    if max(len(listed(settings[ONE])), len(listed(settings[OTHER]))) > MOST_WORDS:
        notes.append(_("Only the first {most} words of a set count.", most=MOST_WORDS))
    probe_notes = {
        translate(probe.note)
        for bias in comparison.biases[:1]
        for probe in [*bias.one, *bias.other]
        if probe.note
    }
    return notes + sorted(probe_notes)


def _table(biases: "Sequence[Bias]", comparison: "TemplateBias") -> str:
    rows = [
        [bias.filler or "[MASK]", bias.text, probe.word, side, probe.probability, probe.rank, *both]
        for bias in [*biases, *([comparison.prior] if comparison.prior else [])]
        for both in [(bias.bits, comparison.beyond_prior(bias))]
        for side, probes in (("one", bias.one), ("other", bias.other))
        for probe in probes
    ]
    heads = ["slot", "sentence", "word", "set", "probability", "rank", "bits", "bits minus prior"]
    return kit.table(heads, rows)


VIEW = kit.View(
    text=kit.view_text("masked", "sets"),
    settings=(TEMPLATE, FILLERS, ONE, OTHER),
    needs=("FILL", "GENERATE"),
    boxes=ask,
    picture=draw,
    example=example,
    stage=kit.Stage(text=sentence),
)
