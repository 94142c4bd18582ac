"""What was gained: how good each way of learning is after 10 to 1,000 examples."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.finetuning import gained_own, ways
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.gained_chart import figure, spread
from explorer.views.finetuning.settings import GAINED_OWN, GAINED_SET, GAINED_TUNED
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import Page, Reading, Saves, View

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OWN = "own"
UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"  # heard, not seen


def controls(page: Page[Bench]) -> None:
    """Which task."""
    from explorer.finetuning import library

    known = {name: ways.SETS[name] for name in ways.known(library.curves())} | {OWN: "My own, live"}
    if page.settings[GAINED_SET] not in known:
        page.settings.adjust(GAINED_SET.to(next(iter(known))))
    with st.container(horizontal=True, gap="large", vertical_alignment="center"):
        st.selectbox(
            "Task",
            list(known),
            key=page.settings.key(GAINED_SET, "Task", known.get),
            format_func=known.__getitem__,
            label_visibility="collapsed",
            width=360,
        )
        if page.settings[GAINED_SET] == OWN:
            gained_own.controls(page.settings)


def draw(page: Page[Bench]) -> Saves:
    """A line for each way, with the spread of its seeds. Raises NotFoundError where nothing was measured."""
    from explorer.finetuning import library

    name = page.settings[GAINED_SET]
    if name == OWN:
        gained_own.course(page.settings).check()
        gained_own.stage(page.settings)
        cells, measure = gained_own.drawn(page.settings), gained_own.measure(page.settings)
    else:
        found = library.curve(name)
        cells, measure = found["cells"], found["measure"]
        chart(figure(cells, measure, palette()), "finetuning/gained")
    if cells:
        st.html(f'<p style="{UNSEEN}">{said(cells)}</p>')
    rows = [
        (way, int(size), seed, value)
        for way, sizes in cells.items()
        for size, values in sizes.items()
        for seed, value in enumerate(values)
    ]
    return [
        Picture("picture", f"gained-{name}"),
        Export(
            "Every run",
            f"gained-{name}.csv",
            lambda: table(["way", "examples", "seed", measure], rows),
        ),
    ]


def reading(page: Page[Bench]) -> Reading:
    """How to read the lines."""
    if page.settings[GAINED_SET] == OWN:
        return Reading(
            "Further right: more of your examples learnt from; higher: more of those kept aside are right. "
            "The band goes from the worst to the best of three draws; the last point has all "
            "examples in each draw. A third of them is never learnt from.",
            "With few examples kept aside, one more right answer moves a point far: look at the bands.",
        )
    from explorer.finetuning import library

    tested = library.curve(page.settings[GAINED_SET])["test"]
    return Reading(
        "Further right: more examples learnt from; higher: more of the test set is right. The band goes "
        "from the worst to the best of five draws. Layers at random show what the architecture alone is "
        "worth; a bag of words, what the words are worth without any model.",
        f"Stored figures of the bundled bert, measured on {tested} examples; “Show the code” gives them.",
    )


def example(page: Page[Bench]) -> Example:
    """The stored figures from Python, or the live curves."""
    if page.settings[GAINED_SET] == OWN:
        return gained_own.example(page.settings)
    return Example(means, name=page.settings[GAINED_SET])


def means(name: str) -> "dict[str, dict[int, float]]":
    """The mean score of each way after so many examples, over all seeds."""
    from explorer.finetuning import library

    cells = library.curve(name)["cells"]
    return {
        way: {int(size): sum(values) / len(values) for size, values in sizes.items() if values}
        for way, sizes in cells.items()
    }


def said(cells: "Mapping[str, Mapping[str, Sequence[float]]]") -> str:
    """The chart in words, for those who hear the page."""
    parts = []
    for way, sizes in cells.items():
        at = [f"{spread(values).mean:.0%} after {size}" for size, values in sizes.items() if values]
        parts.append(f"{ways.NAMES[way]}: {', '.join(at)}")
    return "; ".join(parts) + "."


VIEW = View(
    label="What was gained",
    first=Hints(
        "Each line is a way to learn the task; each mark the mean of five draws of that many examples.",
        "Choose another task, and look where the bag of words still wins.",
    ),
    settings=(GAINED_SET, GAINED_OWN, GAINED_TUNED),
    presets=[],
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
