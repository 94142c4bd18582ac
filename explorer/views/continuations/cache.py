"""Why it is fast: a text is written with the key/value cache and without it, and what each step computes."""

from typing import Any

import streamlit as st

from explorer.locale import N_, _
from explorer.server import growing
from explorer.server.growing import Growing
from explorer.views import kit
from explorer.views.continuations.examples import cells_and_speed
from explorer.views.continuations.prompt_box import prompt_box, seed_and_length
from explorer.views.continuations.settings import LENGTH, MODEL, SEED, TEXT
from explorer.views.continuations.steps import listed, prompt
from explorer.views.types import LanguageModel

KEY, LONGEST, TEMPERATURE, SLICE_SECONDS = "continuations/cache", 100, 0.7, 0.4
COLUMNS = ["token", "computed with", "looked up", "seconds with", "computed without", "seconds without"]


class Writing(Growing[Any]):
    """The steps of a `CacheComparison`, which are taken while they are watched."""

    def __init__(self, request: Any, model: "LanguageModel", text: str, seed: int, length: int) -> None:
        from explorer.analysis.generation.caching import compare_caching
        from explorer.generation.sampling import Sampling

        sampling = Sampling(TEMPERATURE, seed=seed, max_new_tokens=length)
        with st.spinner(_("Reading the weights")):
            self.comparison = compare_caching(model, text, sampling)
        super().__init__(request, self.comparison, SLICE_SECONDS)


RUN = kit.Session[Writing | None]("continuations/caching", None)


def controls(page: kit.OpenPage[None]) -> None:
    """The prompt, the seed and the length."""
    prompt_box(page, TEXT)
    seed_and_length(page.settings, "cache-controls", LONGEST)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Two triangles of cells, which grow while the text is written twice."""
    settings = page.settings
    text, seed, length = settings[TEXT], settings[SEED], settings[LENGTH]
    request = (settings[MODEL], text, seed, length)
    run = growing.current(RUN, request, lambda: Writing(request, page.model, text, seed, length))
    if not run.count:
        run.extend()
    _draw_run(settings, run, length)
    return [
        kit.Picture("picture", "cache"),
        kit.Export(N_("Cells and seconds"), "cache.csv", lambda: kit.table(COLUMNS, rows(run))),
    ]


@st.fragment
def _draw_run(settings: kit.Settings, run: Writing, length: int) -> None:
    """The component; when it asks for more steps, only this part of the page is drawn again."""

    def more() -> None:
        if kit.component_value(KEY, "more", run.asked):
            run.extend()

    data = picture_data(settings, run, length)
    kit.component(KEY)(
        key=KEY, data=data, offline=lambda: data | {"total": data["count"]}, on_more_change=more
    )
    if run.finished:
        kit.data_table.follow(settings, run.number)


def picture_data(settings: kit.Settings, run: Writing, length: int) -> dict[str, Any]:
    """The cells and the seconds of all steps so far, and the bytes that a token reads."""
    with run.lock:
        comparison, generation = run.comparison, run.comparison.generation
        count = len(comparison.seconds)
        blocked = kit.blocklist.over(settings[MODEL], settings[TEXT])
        same = [one == other for one, other in zip(comparison.ids, generation.ids)]
        return {
            **run.asked,
            "count": run.count,
            "total": run.count if run.finished else length,
            "prompt": prompt(generation),
            "tokens": listed(generation, blocked)[:count],
            "cells": comparison.cells,
            "seconds": comparison.seconds,
            "differs": same.index(False) if False in same else -1,
            "cell": comparison.cell_bytes,
            "weights": weights(run),
            "plain": kit.for_class(),
        }


def weights(run: Writing) -> list[list[Any]]:
    """The bytes of all weights, as they are read and as float32; of a model on another machine none."""
    read = run.comparison.weights
    if read is None:
        return []
    if not read.bits:
        return [[_("all weights"), read.read]]
    packed = _("all weights, as {bits}-bit numbers", bits=_("- or ").join(map(str, read.bits)))
    return [[packed, read.read], [_("the same as 32-bit numbers"), read.stored]]


def rows(run: Writing) -> list[list[Any]]:
    """Cells and seconds of each step, as a table."""
    comparison = run.comparison
    steps = zip(comparison.generation.steps, comparison.cells, comparison.seconds)
    return [[step.token, a, looked, f"{s:.4f}", b, f"{t:.4f}"] for step, (a, looked, b), (s, t) in steps]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same sums from Python."""
    settings = page.settings
    return kit.Example(
        cells_and_speed,
        model=kit.Load(settings[MODEL]),
        prompt=settings[TEXT],
        temperature=TEMPERATURE,
        seed=settings[SEED],
        length=settings[LENGTH],
    )


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """How much the cache leaves to be computed."""
    question, one = _("With the cache, how many cells does a step compute?"), _("one")
    choices = (one, _("half of them"), _("all of them"))
    return [kit.Poll(kit.Question("choice", question, choices=choices), truth=one)]


VIEW = kit.View(
    text=kit.view_text("continuations", "cache"),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(covered=(".with .triangle, .sums, .bytes",), polls=asks),
)
