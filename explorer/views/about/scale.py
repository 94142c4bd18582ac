"""GPT's scale: size, text and a zero-shot score from GPT to GPT-3, and our own models beside them."""

from html import escape

import streamlit as st

from explorer.views.about import families, presets, scale_chart
from explorer.views.about.choice import Training
from explorer.views.about.record import count
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.widgets.html_table import html_table


def draw(page: OpenPage[Training]) -> Saves:
    """The chart."""
    figure = scale_chart.figure(families.published(), families.own(), palette())
    chart(figure, "models/scale", least=820)
    return [
        Picture("picture", "gpt-scale"),
        Export("Sizes and scores", "gpt-scale.csv", families.scale_csv),
    ]


def below(page: OpenPage[Training]) -> None:
    """What each paper says, and where."""
    heads = ("model", "year", "parameters", "text it read", "LAMBADA, zero-shot", "source")
    rows = [_family(family) for family in families.published()] + [_own(one) for one in families.own()]
    cited = " ".join(f"<b>{year}</b>: {escape(paper)}." for year, paper in families.papers().items())
    st.html(f'{html_table("rb-figures rb-sourced", heads, rows)}<p class="rb-quiet">{cited}</p>')


READING = Reading(
    "Further right is larger, higher is better. In LAMBADA one guesses the last word of a passage; "
    "zero-shot means that the model gets no example and no training for it. The axis of sizes is "
    "logarithmic: each mark is ten times the one before.",
    "The two papers do not test in quite the same way: GPT-2’s figures leave out stop words as answers. "
    "Our models were not tested on LAMBADA.",
)


def example(page: OpenPage[Training]) -> Example:
    """The published figures from Python."""
    return Example(sizes_and_scores)


def sizes_and_scores() -> dict[str, list[tuple[int, float | None]]]:
    """For each paper the parameters of its models, and their zero-shot accuracy on LAMBADA in per cent."""
    from explorer.views.about import families

    return {
        family.name: [(one.parameters, one.lambada) for one in family.members]
        for family in families.published()
    }


def _family(family: families.FamilyMembers) -> list[str]:
    parameters = [count(one.parameters) for one in family.members]
    scores = [f"{one.lambada:.1f}%" for one in family.members if one.lambada is not None]
    return [
        family.name,
        str(family.year),
        _span(parameters),
        family.text,
        _span(scores) or "no number given",
        f"sizes: {family.sizes_from}; text: {family.text_from}; scores: {family.scores_from}",
    ]


def _own(one: families.Own) -> list[str]:
    read = "" if one.tokens is None else f"{count(one.tokens)} tokens"
    return [one.name, "", count(one.parameters), read, "not tested", "its weights and its record"]


def _span(values: list[str]) -> str:
    return " to ".join(dict.fromkeys([*values[:1], *values[-1:]]))


VIEW = View(
    label="GPT’s scale",
    audience="For those who ask how much larger other models are.",
    first=Hints(
        "From GPT to GPT-3: the larger the model, the more it gets right. Ours are at the far left.",
        "Point at a dot to read its figures.",
    ),
    presets=presets.PRESETS,
    draw=draw,
    below=below,
    reading=READING,
    example=example,
)
