"""The matrix: every occurrence of the word against every other, at one layer, by sense or by likeness."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.page import Preset, palette
from explorer.views.frame.settings import Settings
from explorer.views.senses import from_python, by_model
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.widgets.marks import mark, order, parts
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.models import LanguageModel

ORDERS = {"sense": "By sense", "likeness": "By likeness"}
MATRIX_PX = 300
BEFORE, AFTER = 13, 9  # characters beside the word, in a row's label
MOST = 160  # rows that still are squares to point at
GRAIN = 1000  # cosines are sent as whole numbers
DEFAULTS: dict[str, Any] = {"order": "sense", "baseline": False}
PRESETS = [
    Preset("Blocks", "Dark squares along the diagonal: each sense is like itself and unlike the others.",
           {"view": "matrix"}),
    Preset("Who sits with whom?", "Ordered by likeness alone, the senses still gather, but for a stray one.",
           {"view": "matrix", "order": "likeness"}),
    Preset("All alike?", "In GPT's layer 3 every cosine is high, and so it is between any two words: "
           "take that away, and little is left.",
           {"view": "matrix", "model": "gpt", "layer": 3, "baseline": True}),
]  # fmt: skip


def controls(settings: Settings, occurrences: WordOccurrences | None) -> None:
    """The order, and whether what any two words have is taken away."""
    if settings["order"] not in ORDERS:
        settings.set(order="sense")
    with st.container(
        key="senses-matrix-controls", horizontal=True, vertical_alignment="center", gap="small"
    ):
        st.segmented_control(
            "Order", list(ORDERS), key=settings.key("order"), format_func=ORDERS.get,
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        st.toggle(
            "Less what random words have", key=settings.key("baseline"),
            help=f"The layer's baseline: the mean cosine of {by_model.RANDOM_WORDS} words drawn at random "
            "(Ethayarajh 2019)",
        )  # fmt: skip


def draw(settings: Settings, occurrences: WordOccurrences) -> None:
    """The squares, the layer's slider, and two sentences at a time."""
    layer = min(max(settings["layer"], 0), occurrences.layers)
    rows = _shown(occurrences)
    cosines = _cosines(occurrences, layer, rows)
    base = _baseline(settings, layer)
    ordered, groups = _order(settings, occurrences, layer, rows, cosines)
    pairs = cosines[*_lower(len(rows))]
    low, high = _span(settings, occurrences, rows)

    def shade(cosine: "Tensor | float") -> "Tensor | float":
        return (cosine - (base or 0.0) - low) / max(high - low, 1e-6)

    key = "senses/matrix"

    def step() -> None:
        if (chosen := st.session_state[key].layer) is not None:
            settings.set(layer=min(max(int(chosen), 0), occurrences.layers))

    marks = {sense: mark(number) for number, sense in enumerate(order(occurrences.senses))}
    with st.container(key="senses-matrix", gap=None):
        component("senses/cosine_matrix")(
            key=key,
            data={
                "label": f"Cosines of {len(rows)} occurrences of {occurrences.word}, two at a time",
                "height": MATRIX_PX,
                "theme": palette().name,
                "rows": [
                    {
                        "id": occurrences.name(i),
                        "sense": occurrences.senses[i] or "",
                        "parts": parts(occurrences.text(i), occurrences.found.span[i], BEFORE, AFTER),
                        "whole": parts(occurrences.text(i), occurrences.found.span[i]),
                        **marks.get(occurrences.senses[i], mark(None)),
                    }
                    for i in rows
                ],
                "order": ordered,
                "groups": [
                    {**group, "colour": marks.get(group["name"], mark(None))["colour"]} for group in groups
                ],
                "cosines": (pairs * GRAIN).round().int().tolist(),
                "shades": (shade(pairs) * GRAIN).round().int().tolist(),
                "itself": shade(1.0),
                "baseline": base,
                "ends": [_number(low), _number(high)],
                "layer": layer,
                "last": occurrences.layers,
                "says": _says(occurrences, rows, cosines, base),
            },
            on_layer_change=step,
        )


def how(settings: Settings, occurrences: WordOccurrences | None, model: "LanguageModel") -> tuple[str, str]:
    """What a square is, and what a high cosine may mean."""
    said = (
        "Each square is the cosine of two occurrences: the darker, the more alike the model has them. "
        "Rows and columns stand in the same order, so the diagonal is each with itself."
    )
    if settings["baseline"]:
        return said, (
            "Taken away is the mean cosine of words drawn at random at this layer: at 0, two occurrences are "
            "no more alike than any two words."
        )
    return said, (
        "A high cosine alone says little: where any two words have 0.9, so have these. The switch takes "
        "the layer's own level away."
    )


def code(settings: Settings) -> str:
    """The matrix and the order from Python."""
    layer = max(settings["layer"], 0)
    less = ""
    if settings["baseline"]:
        less = f"""
ours = [sentence.text for word in senses.library_words() for sentence in senses.library(word)]
drawn = contextuality.random_words(model, ours, {by_model.RANDOM_WORDS})
cosines = cosines - drawn.similarity[{layer}]"""
    ordered = (
        "seriation.by_sense(known)" if settings["order"] == "sense" else "seriation.by_likeness(cosines)"
    )
    return f"""import explorer
from explorer.analysis import senses
from explorer.analysis.senses import contextuality
from explorer.analysis.senses import seriation

{from_python.occurrences(settings)}

cosines = senses.cosine_matrix(found, {layer})
order = {ordered}{less}
print(cosines[order][:, order])
print(seriation.within_and_across(cosines, known))"""


def _shown(occurrences: WordOccurrences) -> list[int]:
    """The occurrences that the matrix has room for: all, or some of each sense alike."""
    from explorer.analysis.senses.seriation import by_sense

    n = len(occurrences.found)
    if n <= MOST:
        return list(range(n))
    ordered = by_sense(occurrences.senses)
    return sorted(ordered[k * n // MOST] for k in range(MOST))


def _cosines(occurrences: WordOccurrences, layer: int, rows: list[int]) -> "Tensor":
    import torch.nn.functional as F

    unit = F.normalize(occurrences.at(layer)[rows], dim=-1)
    return (unit @ unit.T).clamp(-1, 1)


def _lower(n: int) -> "Tensor":
    """Row and column of every square below the diagonal, row by row."""
    import torch

    return torch.tril_indices(n, n, -1)


def _baseline(settings: Settings, layer: int) -> float | None:
    """What any two words have at this layer, where it is asked for."""
    if not settings["baseline"]:
        return None
    return float(by_model.random_words(settings["model"]).similarity[layer])


def _span(settings: Settings, occurrences: WordOccurrences, rows: list[int]) -> tuple[float, float]:
    """The lowest and the highest figure on any layer: the colours keep their meaning from layer to layer."""
    levels = [_baseline(settings, layer) or 0.0 for layer in range(occurrences.layers + 1)]
    lowest = [float(_cosines(occurrences, layer, rows).min()) - level for layer, level in enumerate(levels)]
    return min(lowest), 1 - min(levels)


def _order(
    settings: Settings, occurrences: WordOccurrences, layer: int, rows: list[int], cosines: "Tensor"
) -> tuple[list[int], list[dict[str, Any]]]:
    """The rows in order, and the groups that stand apart with their names."""
    from explorer.analysis.senses import seriation

    if settings["order"] == "likeness":
        return _by_likeness(f"{occurrences.key}\0{layer}", cosines), []
    known = [occurrences.senses[i] for i in rows]
    names = [*order(known), None] if None in known else order(known)
    groups = [{"name": name or ("?" if len(names) > 1 else ""), "size": known.count(name)} for name in names]
    return seriation.by_sense(known), groups


@st.cache_resource(max_entries=128, show_spinner=False)
def _by_likeness(key: str, _cosines: "Tensor") -> list[int]:
    from explorer.analysis.senses import seriation

    return seriation.by_likeness(_cosines)


def _says(occurrences: WordOccurrences, rows: list[int], cosines: "Tensor", base: float | None) -> str:
    """What the whole picture comes to in a line."""
    from explorer.analysis.senses.seriation import within_and_across

    said = []
    known = [occurrences.senses[i] for i in rows]
    within, across = within_and_across(cosines, known)
    level = base or 0.0
    if within == within and across == across:
        said.append(
            f"Two of one sense: {_number(within - level)}; of different senses: {_number(across - level)}."
        )
    if base is not None:
        said.append(f"Any two words, which is taken away: {_number(base)}.")
    if len(rows) < len(occurrences.found):
        said.append(f"{len(rows)} of {len(occurrences.found):,} occurrences, some of each sense.")
    return " ".join(said) or "Point at a square: its two sentences are told here."


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
