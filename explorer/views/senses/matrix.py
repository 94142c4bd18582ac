"""Matrix: the cosines of all pairs of occurrences at one layer, ordered by sense or by similarity."""

from typing import Any

import streamlit as st

from explorer.locale import N_, _, format_number, translate
from explorer.views import kit
from explorer.views.senses import by_model, files
from explorer.views.senses.examples import WordExample
from explorer.views.senses.search import Search
from explorer.views.senses.settings import BASELINE, LAYER, ORDER
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.types import Model, Occurrences, Tensor
from explorer.views.widgets.layer_chart import two_decimals
from explorer.views.widgets.marks import order

ORDERS = {"sense": N_("By sense"), "likeness": N_("By likeness")}
MATRIX_PX = 300
BEFORE, AFTER = 13, 9  # characters beside the word, in a row's label
MOST = 160  # rows whose squares are still large enough to point at
GRAIN = 1000  # cosines are sent as whole numbers


def controls(settings: kit.Settings) -> None:
    """The order of the rows, and whether the random baseline is subtracted."""
    kit.segments(settings, ORDER, _("Order"), translate(ORDERS))
    kit.switch(
        settings,
        BASELINE,
        _("Subtract the random baseline"),
        help=_(
            "The mean cosine of {count} words drawn at random, at this layer (Ethayarajh 2019)",
            count=by_model.RANDOM_WORDS,
        ),
    )


def draw(page: kit.OpenPage[Search]) -> kit.Saves:
    """Draw the squares, the layer's slider, and the two sentences of a square."""
    settings, occurrences = page.settings, page.data.occurrences
    layer = min(max(settings[LAYER], 0), occurrences.layers)
    settings.label(LAYER, _("Layer"))
    rows = _rows(occurrences)
    cosines = _cosines(occurrences, layer, rows)
    base = _baseline(page, layer)
    ordered, groups = _order(settings, occurrences, layer, rows, cosines)
    pairs = cosines[*_lower(len(rows))]
    low, high = _span(page, occurrences, rows)

    def shade(cosine: "Tensor") -> "Tensor":
        return (cosine - (base or 0.0) - low) / max(high - low, 1e-6)

    key = "senses/matrix"

    def step() -> None:
        if (chosen := kit.component_value(key, "layer", int)) is not None:
            settings.set(LAYER.to(min(max(chosen, 0), occurrences.layers)))

    marks = {sense: kit.mark(number) for number, sense in enumerate(order(occurrences.senses))}
    with st.container(key="senses-matrix", gap=None):
        kit.component("widgets/cosine_matrix")(
            key=key,
            data={
                "label": _(
                    "Cosines of {count} occurrences of {word}, two at a time",
                    count=len(rows),
                    word=occurrences.word,
                ),
                "height": MATRIX_PX,
                "theme": kit.palette().name,
                "rows": [
                    {
                        "id": occurrences.name(i),
                        "sense": occurrences.senses[i] or "",
                        "parts": kit.parts(occurrences.text(i), occurrences.matches.span[i], BEFORE, AFTER),
                        "whole": kit.parts(occurrences.text(i), occurrences.matches.span[i]),
                        **marks.get(occurrences.senses[i] or "", kit.mark(None)),
                    }
                    for i in rows
                ],
                "order": ordered,
                "groups": [
                    {**group, "colour": marks.get(group["name"], kit.mark(None))["colour"]}
                    for group in groups
                ],
                "cosines": (pairs * GRAIN).round().int().tolist(),
                "shades": (shade(pairs) * GRAIN).round().int().tolist(),
                "itself": float(shade(pairs.new_ones(()))),
                "baseline": base,
                "ends": [two_decimals(low), two_decimals(high)],
                "layer": layer,
                "last": occurrences.layers,
                "summary": _summary(occurrences, rows, cosines, base),
            },
            on_layer_change=step,
        )
    picture, coordinates, pairwise, *others = files.saves(page)
    return [picture, pairwise, coordinates, *others]


def example(page: kit.OpenPage[Search]) -> WordExample:
    """The matrix in the order of the picture."""
    settings = page.settings
    return WordExample(
        page,
        ordered_cosines,
        *("model", "occurrences", "labels"),
        layer=min(max(settings[LAYER], 0), page.data.occurrences.layers),
        order=settings[ORDER],
        baseline=settings[BASELINE],
    )


def ordered_cosines(
    model: "Model",
    occurrences: "Occurrences",
    labels: list[str | None],
    layer: int,
    order: str,
    baseline: bool,
) -> "tuple[Tensor, tuple[float, float]]":
    """The cosines of all pairs of occurrences in order, and their means within a sense and between senses."""
    from explorer.analysis import senses
    from explorer.analysis.senses import contextuality, seriation

    cosines = senses.cosine_matrix(occurrences, layer)
    rows = seriation.order_by_sense(labels) if order == "sense" else seriation.order_by_similarity(cosines)
    if baseline:  # the mean cosine of random words
        ours = [sentence.text for word in senses.library_words() for sentence in senses.library(word)]
        cosines = cosines - contextuality.random_words(model, ours, count=200).similarity[layer]
    return cosines[rows][:, rows], seriation.within_and_across(cosines, labels)


def _rows(occurrences: WordOccurrences) -> list[int]:
    """The occurrences that the matrix has room for: all, or the same share of each sense."""
    from explorer.analysis.senses.seriation import order_by_sense

    n = len(occurrences.matches)
    if n <= MOST:
        return list(range(n))
    ordered = order_by_sense(occurrences.senses)
    return sorted(ordered[k * n // MOST] for k in range(MOST))


def _cosines(occurrences: WordOccurrences, layer: int, rows: list[int]) -> "Tensor":
    import torch.nn.functional as F

    unit = F.normalize(occurrences.at(layer)[rows], dim=-1)
    return (unit @ unit.T).clamp(-1, 1)


def _lower(n: int) -> "Tensor":
    """Row and column of every square below the diagonal, row by row."""
    import torch

    return torch.tril_indices(n, n, -1)


def _baseline(page: kit.OpenPage[Search], layer: int) -> float | None:
    """The mean cosine of random words at this layer, or None if it is not subtracted."""
    if not page.settings[BASELINE]:
        return None
    return float(by_model.random_words(page.model).similarity[layer])


def _span(page: kit.OpenPage[Search], occurrences: WordOccurrences, rows: list[int]) -> tuple[float, float]:
    """The lowest and the highest cosine at any layer, so that colours mean the same at all layers."""
    levels = [_baseline(page, layer) or 0.0 for layer in range(occurrences.layers + 1)]
    lowest = [float(_cosines(occurrences, layer, rows).min()) - level for layer, level in enumerate(levels)]
    return min(lowest), 1 - min(levels)


def _order(
    settings: kit.Settings, occurrences: WordOccurrences, layer: int, rows: list[int], cosines: "Tensor"
) -> tuple[list[int], list[dict[str, Any]]]:
    """The rows in order, and the names and sizes of the groups; none if ordered by similarity."""
    from explorer.analysis.senses import seriation

    if settings[ORDER] == "likeness":
        return _by_likeness(f"{occurrences.key}\0{layer}", cosines), []
    labels = [occurrences.senses[i] for i in rows]
    names = [*order(labels), None] if None in labels else order(labels)
    groups = [{"name": name or ("?" if len(names) > 1 else ""), "size": labels.count(name)} for name in names]
    return seriation.order_by_sense(labels), groups


@kit.kept(128)
def _by_likeness(key: str, _cosines: "Tensor") -> list[int]:
    from explorer.analysis.senses import seriation

    return seriation.order_by_similarity(_cosines)


def _summary(occurrences: WordOccurrences, rows: list[int], cosines: "Tensor", base: float | None) -> str:
    """A line that sums up the matrix."""
    from explorer.analysis.senses.seriation import within_and_across

    parts = []
    within, across = within_and_across(cosines, [occurrences.senses[i] for i in rows])
    level = base or 0.0
    if within == within and across == across:
        parts.append(
            _(
                "Mean within a sense: {within}; between senses: {across}.",
                within=two_decimals(within - level),
                across=two_decimals(across - level),
            )
        )
    if base is not None:
        parts.append(_("Random baseline, subtracted: {cosine}.", cosine=two_decimals(base)))
    if len(rows) < len(occurrences.matches):
        parts.append(
            _(
                "{shown} of {all} occurrences are shown, some of each sense.",
                shown=len(rows),
                all=format_number(len(occurrences.matches)),
            )
        )
    return " ".join(parts) or _("Point at a square to see its two sentences here.")
