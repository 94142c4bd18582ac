"""Positions: what the order of words changes, and how a model knows it: sines, learnt tables, rotation."""

from collections.abc import Iterator
from typing import Any

import streamlit as st

import explorer
from explorer.locale import N_, _, format_number, translate
from explorer.views import kit
from explorer.views.transformer import position_charts, shuffle
from explorer.views.transformer.settings import (
    POSITIONS_AT,
    POSITIONS_LENGTH,
    POSITIONS_PART,
    POSITIONS_SHIFT,
    POSITIONS_WIDTH,
    SHUFFLE_OTHER,
    SHUFFLE_SEED,
    SHUFFLE_TEXT,
)
from explorer.views.types import LanguageModel, Rotary, Tensor

PARTS = {
    "shuffle": N_("Shuffled words"),
    "table": N_("Table"),
    "shift": N_("Shift"),
    "products": N_("Dot products"),
    "rotation": N_("Rotation"),
}
ROTARY, ROTARY_HEAD = "smollm2", (3, 4)  # a head that reads the word before
ROTARY_TEXT = (
    "The old ferry left the harbour before the storm came, and the children who had waited on the bank "
    "went home."
)
SCHEMATIC_WIDTH = 64


VIEW_TEXT = kit.view_text("transformer", "positions")


def controls(page: kit.OpenPage[None]) -> None:
    """The part that is drawn, and the sizes that it depends on."""
    settings = page.settings
    settings.restrict(POSITIONS_PART, PARTS)
    part = settings[POSITIONS_PART]
    with st.container(horizontal=True, vertical_alignment="center"):
        kit.segments(settings, POSITIONS_PART, _("Look at"), translate(PARTS), width="content")
        if part != "shuffle":
            _sliders(settings, part)
    if part == "shuffle":
        shuffle.controls(settings)


def _sliders(settings: kit.Settings, part: str) -> None:
    _slider(settings, POSITIONS_LENGTH, _("Positions"), 16, 256, 8)
    if part != "rotation":
        _slider(settings, POSITIONS_WIDTH, _("Dimensions"), 8, 128, 2)
    last = settings[POSITIONS_LENGTH] - 1
    if part == "shift":
        _slider(settings, POSITIONS_SHIFT, _("Shift k"), 1, min(32, last - 1))
        last -= settings[POSITIONS_SHIFT]
    if part in ("table", "shift"):
        _slider(settings, POSITIONS_AT, _("Position"), 0, last)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The chosen part as one chart, and its numbers to save."""
    from explorer.analysis.positions import sinusoids

    settings = page.settings
    if settings[POSITIONS_PART] == "shuffle":
        return [kit.Picture("picture", "shuffled"), shuffle.draw(settings)]
    vectors = sinusoids.table(settings[POSITIONS_LENGTH], _even(settings[POSITIONS_WIDTH]))
    part = settings[POSITIONS_PART]
    at, steps = settings[POSITIONS_AT], settings[POSITIONS_SHIFT]
    if part == "table":
        kit.chart(position_charts.table(vectors, at, kit.palette()), "positions/table", least=640)
        export = _rows("positions.csv", "position", vectors)
    elif part == "shift":
        export = _shift(vectors, steps, at)
    elif part == "rotation":
        export = _rotation(vectors)
    else:
        tables = _tables(vectors)
        figure, description = position_charts.products(tables, kit.palette())
        kit.chart(figure, "positions/products", least=640)
        kit.spoken(description)
        export = _comparison(tables)
    return [kit.Picture("picture", f"positions-{part}"), export]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The numbers of the part from Python."""
    settings, width = page.settings, _even(page.settings[POSITIONS_WIDTH])
    part, length = settings[POSITIONS_PART], settings[POSITIONS_LENGTH]
    if part == "shuffle":
        return shuffle.example(settings)
    if part == "table":
        return kit.Example(position_vector, position=settings[POSITIONS_AT], d_model=width)
    if part == "shift":
        at, steps = settings[POSITIONS_AT], settings[POSITIONS_SHIFT]
        return kit.Example(largest_error, length=length, width=width, steps=steps, at=at)
    if part == "products":
        return kit.Example(cosines_by_distance, model=kit.Load("bert"), length=length, width=width)
    return kit.Example(scores_by_distance, d_head=SCHEMATIC_WIDTH, length=length)


def position_vector(position: int, d_model: int) -> list[float]:
    """One row of the table: PE(pos, 2i) = sin(pos / 10000^(2i/d)), and the cosine at 2i + 1."""
    import torch

    two_i = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = position / 10000 ** (two_i / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=1).flatten().tolist()


def largest_error(length: int, width: int, steps: int, at: int) -> float:
    """The largest error at any position of the shift matrix that is computed at one position."""
    from explorer.analysis.positions import sinusoids

    vectors = sinusoids.table(length, width)
    return float(sinusoids.shift(vectors, steps, at).errors.max())


def cosines_by_distance(model: "LanguageModel", length: int, width: int) -> dict[str, list[float]]:
    """The mean cosine of position vectors at a distance of 0, 1, 2, ...: computed, and learnt."""
    from explorer.analysis.positions import learnt, sinusoids

    tables = {"computed": sinusoids.table(length, width), "learnt": learnt.learnt(model, length)}
    return {
        name: learnt.by_distance(learnt.products(vectors, unit=True)).mean.tolist()
        for name, vectors in tables.items()
    }


def scores_by_distance(d_head: int, length: int) -> list[float]:
    """The score of a query and a key of ones at a distance of 0, 1, 2, ..., both rotated."""
    import torch

    from explorer.analysis.positions import learnt, rotations
    from explorer.models.rotary import Rotary

    ones = torch.ones(d_head)
    return learnt.by_distance(rotations.scores(ones, ones, Rotary(d_head), length)).mean.tolist()


def _slider(
    settings: kit.Settings, name: kit.Setting[int], label: str, least: int, most: int, step: int = 1
) -> None:
    """A slider that shows the nearest value that fits."""
    nearest = min(max(settings[name], least), most)
    settings.show_instead(name.to(nearest - (nearest - least) % step))
    kit.slider(settings, name, label, least, most, step=step, width=104)


def _even(width: int) -> int:
    return max(2, width - width % 2)


def _shift(vectors: "Tensor", steps: int, at: int) -> kit.Export:
    """Draw the chart of a shift, with a note on its error at all other positions."""
    from explorer.analysis.positions import sinusoids

    shift_matrix = sinusoids.shift(vectors, steps, at)
    kit.chart(position_charts.shift(vectors, shift_matrix, at, kit.palette()), "positions/shift", least=820)
    line = _(
        "Computed between positions {start} and {end}, applied to all {count}: the largest error is {error}, "
        "mere rounding.",
        start=at,
        end=at + steps,
        count=len(shift_matrix.errors),
        error=position_charts.power(float(shift_matrix.errors.max())),
    )
    kit.note(f"{line} {position_charts.circles_legend(vectors, steps, at)}")
    return _rows("shift.csv", "dimension", shift_matrix.matrix)


def _rotation(sines: "Tensor") -> kit.Export:
    """Draw the chart of a rotation, with a note on the source of its query and key."""
    import torch

    from explorer.analysis.positions import learnt, rotations
    from explorer.models.rotary import Rotary

    if ROTARY in map(str, explorer.available()):
        layer, head = ROTARY_HEAD
        rotary, query, key = _rotary_head(kit.memory.get(ROTARY), layer, head)
        column = f"{ROTARY}, head {kit.head_name(layer, head)}"
        name = _("{model}, head {head}", model=ROTARY, head=kit.head_name(layer, head))
        source = N_("{name}: the mean of its queries and of its keys over a sentence; base {base}.")
    else:
        rotary, query, key = Rotary(SCHEMATIC_WIDTH), *[torch.ones(SCHEMATIC_WIDTH)] * 2
        column, source = N_("Schematic"), N_("{name}: a query and a key of ones; base {base}.")
        name = _(column)
    length = len(sines)
    compared = {
        _("Sines: two rows"): learnt.by_distance(learnt.products(sines)),
        _("Rotation: {name}", name=name): learnt.by_distance(rotations.scores(query, key, rotary, length)),
    }
    angles = rotations.angles(rotary, length)
    kit.chart(position_charts.rotation(angles, compared, kit.palette()), "positions/rotation", least=820)
    band = max(float((products.largest - products.smallest).max()) for products in compared.values())
    line = _("Pairs of one distance differ by up to {band}, mere rounding.", band=position_charts.power(band))
    kit.note(f"{_(source, name=name, base=format_number(rotary.base))} {line}")
    rows = [[d, *(float(products.mean[d]) for products in compared.values())] for d in range(length)]
    columns = ["distance", "Sines: two rows", f"Rotation: {column}"]
    return kit.Export(N_("Numbers"), "rotation.csv", lambda: kit.table(columns, rows))


@kit.kept(4)
def _rotary_head(model: "LanguageModel", layer: int, head: int) -> "tuple[Rotary, Tensor, Tensor]":
    """The rotation of a head, and its mean query and key, computed once for all visitors."""
    from explorer.analysis.positions import rotations

    return rotations.rotary_of(model, layer), *rotations.mean_query_and_key(model, ROTARY_TEXT, layer, head)


def _tables(computed: "Tensor") -> "dict[str, Tensor]":
    """The three tables, by the names in the charts."""
    from explorer.analysis.positions import learnt

    tables = {N_("Sines and cosines, computed"): computed}
    for name, checkpoint in ((N_("BERT, learnt"), "bert"), (N_("GPT, learnt"), "gpt")):
        tables[name] = learnt.learnt(kit.memory.get(checkpoint), len(computed))
    return tables


def _rows(file: str, of_rows: str, matrix: "Tensor") -> kit.Export:
    names = [f"dimension {number}" for number in range(matrix.shape[1])]
    rows = [[place, *row] for place, row in enumerate(matrix.tolist())]
    return kit.Export(N_("Numbers"), file, lambda: kit.table([of_rows, *names], rows))


def _comparison(tables: "dict[str, Tensor]") -> kit.Export:
    def rows() -> Iterator[list[Any]]:
        from explorer.analysis.positions import learnt

        for name, vectors in tables.items():
            distances = learnt.by_distance(learnt.products(vectors, unit=True))
            lines = [distances.mean, distances.smallest, distances.largest]
            columns = zip(*(line.tolist() for line in lines))
            yield from ([name, at, *column] for at, column in enumerate(columns))

    columns = ["table", "distance", "mean cosine", "smallest", "largest"]
    return kit.Export(N_("Numbers"), "positions-products.csv", lambda: kit.table(columns, rows()))


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=lambda page: VIEW_TEXT.readings[page.settings[POSITIONS_PART]]),
    settings=(
        *(POSITIONS_PART, POSITIONS_LENGTH, POSITIONS_WIDTH, POSITIONS_AT, POSITIONS_SHIFT),
        *(SHUFFLE_TEXT, SHUFFLE_OTHER, SHUFFLE_SEED),
    ),
    controls=controls,
    picture=draw,
    example=example,
)
