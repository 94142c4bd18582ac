"""What was gained: how good each way of learning is after 10 to 1,000 examples."""

from collections.abc import Mapping, Sequence

import streamlit as st

from explorer.views.finetuning import choices, own_learning_curves, ways
from explorer.views.finetuning.learning_curves_chart import figure, spread
from explorer.views.finetuning.settings import GAINED_OWN, GAINED_SET, GAINED_TUNED
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.widgets import notes

OWN = "own"


def controls(page: OpenPage[None]) -> None:
    """Which task."""
    from explorer.finetuning import library

    titles = {name: ways.SETS[name] for name in ways.in_order(library.curves())} | {OWN: "My own, live"}
    with st.container(horizontal=True, gap="large", vertical_alignment="center"):
        choices.examples_box(page.settings, GAINED_SET, titles, label="Task", width=360)
        if page.settings[GAINED_SET] == OWN:
            own_learning_curves.controls(page.settings)


def draw(page: OpenPage[None]) -> Saves:
    """A line for each way, with the spread of its draws. Raises ExplorerError if nothing was measured."""
    from explorer.finetuning import library

    name = page.settings[GAINED_SET]
    if name == OWN:
        cells, measure = own_learning_curves.draw(page.settings, page.model)
    else:
        stored = library.curve(name)
        cells, measure = stored["cells"], stored["measure"]
        chart(figure(cells, measure, palette()), "finetuning/gained", least=480)
    if cells:
        notes.spoken(in_words(cells))
    rows = [
        (way, int(size), seed, value)
        for way, sizes in cells.items()
        for size, values in sizes.items()
        for seed, value in enumerate(values)
    ]
    heads = ["way", "examples", "seed", measure]
    return [
        Picture("picture", f"gained-{name}"),
        Export("Every run", f"gained-{name}.csv", lambda: table(heads, rows)),
    ]


def reading(page: OpenPage[None]) -> Reading:
    """How to read the lines."""
    if page.settings[GAINED_SET] == OWN:
        return Reading(
            "Further right, the head has learnt from more of your examples. Higher, more of the held-out "
            "ones are right. The band goes from the worst to the best of three draws, and the last point "
            "uses all examples each time. A third of them is held out.",
            "With few held-out examples, one more right answer moves a point a lot, so look at the bands.",
        )
    from explorer.finetuning import library

    count = library.curve(page.settings[GAINED_SET])["test"]
    return Reading(
        "Further right, the model has learnt from more examples. Higher, more of the test set is right. "
        "The band goes from the worst to the best of five draws. Random layers show what the architecture "
        "alone is worth, and a bag of words shows what the words are worth without any model.",
        f"These are stored figures of the bundled bert, measured on {count} test examples.",
    )


def example(page: OpenPage[None]) -> Example:
    """The stored figures from Python, or the live curves."""
    if page.settings[GAINED_SET] == OWN:
        return own_learning_curves.example(page.settings)
    return Example(means, name=page.settings[GAINED_SET])


def means(name: str) -> "dict[str, dict[int, float]]":
    """The mean score of each way after so many examples, over all seeds."""
    from explorer.finetuning import library

    cells = library.curve(name)["cells"]
    return {
        way: {int(size): sum(values) / len(values) for size, values in sizes.items()}
        for way, sizes in cells.items()
    }


def in_words(cells: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """The chart in words."""
    parts = []
    for way, sizes in cells.items():
        scores = [f"{spread(values).mean:.0%} after {size}" for size, values in sizes.items()]
        parts.append(f"{ways.NAMES[way]}: {', '.join(scores)}")
    return "; ".join(parts) + "."


VIEW = View(
    label="What was gained",
    audience="For those who ask how many examples a task needs.",
    first=Hints(
        "Each mark is the mean of five draws. With 1,000 examples, fine-tuning is best. With 50, a head "
        "on frozen layers is.",
        "Choose another task. Where does a bag of words still win?",
    ),
    settings=(GAINED_SET, GAINED_OWN, GAINED_TUNED),
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
