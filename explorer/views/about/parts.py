"""What each part is for: bert-mini trained briefly, each time with a part of BERT's training left out."""

from collections.abc import Sequence

import streamlit as st

from explorer.analysis import ablations
from explorer.views.about import parts_chart, presets
from explorer.views.about.choice import Training
from explorer.views.about.record import count
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.widgets.html_table import html_table

# Labels of the measures in `ablations.Row.pretraining`.
MEASURES = {
    "masked_top1": "masked word, first guess",
    "next_sentence": "next sentence",
    "next_word_top1": "next word, first guess",
}


def draw(page: OpenPage[Training]) -> Saves:
    """The chart."""
    results = ablations.stored()
    chart(parts_chart.figure(results, palette()), "models/parts", least=820)
    return [
        Picture("picture", "what-each-part-is-for"),
        Export("Scores", "what-each-part-is-for.csv", lambda: scores_csv(results)),
    ]


def below(page: OpenPage[Training]) -> None:
    """How often each run answered its own questions."""
    results = ablations.stored()
    heads = ("trained", *(f"{label}, held out" for label in MEASURES.values()))
    rows = [
        [parts_chart.label(kind), *(_share(row.pretraining.get(name)) for name in MEASURES)]
        for kind, row in results.rows.items()
        if row.pretraining
    ]
    st.html(html_table("rb-figures", heads, rows))


def reading(page: OpenPage[Training]) -> Reading:
    """How to read the chart."""
    results = ablations.stored()
    return Reading(
        f"Each run read {count(results.tokens)} tokens of the same text in the same order. As usual, of "
        "the words to be predicted 80% appear as [MASK], 10% as another word and 10% as they are. "
        "“Always [MASK]” shows all of them as [MASK]. “Left to right” predicts each word from those "
        "before it, and is not asked about next sentences either. “Random weights” have learnt "
        f"nothing. Then the weights were frozen, and a classifier learned from {count(results.learnt)} "
        "labelled examples to read an answer off their vectors. A small dot is one draw of those "
        "examples, the large one their mean, the bar one standard deviation.",
        f"One short training of each kind, and {count(results.test)} test sentences per task, so two "
        "points either way mean little. The vectors of “left to right” know nothing of what comes after a "
        "word’s first piece, and it learnt from every word, the others from 15 to 30% of the words. Masked "
        "words are counted with all of them shown as [MASK], which suits “always [MASK]”.",
    )


def example(page: OpenPage[Training]) -> Example:
    """The figures from Python."""
    return Example(means)


def means() -> dict[str, dict[str, float]]:
    """For each run the mean score of each head, as a share of 1."""
    from explorer.analysis import ablations
    from explorer.views.about import parts_chart

    return {
        parts_chart.label(kind): {name: ablations.spread(scores)[0] for name, scores in row.heads.items()}
        for kind, row in ablations.stored().rows.items()
    }


def scores_csv(results: ablations.Ablations) -> str:
    """A line for each score that was measured."""
    lines: list[Sequence[str | float]] = []
    for kind, row in results.rows.items():
        lines += [
            (parts_chart.label(kind), MEASURES[name], "", share) for name, share in row.pretraining.items()
        ]
        for name, scores in row.heads.items():
            lines += [
                (parts_chart.label(kind), parts_chart.TASKS[name], draw, score)
                for draw, score in enumerate(scores, 1)
            ]
    return table(["trained", "measure", "draw", "score"], lines)


def _share(value: float | None) -> str:
    return "not asked" if value is None else f"{value:.1%}"


VIEW = View(
    label="What each part is for",
    audience="For those who ask what each part of BERT’s training contributes.",
    first=Hints(
        "The same small BERT, trained four times: as usual, and each time with one part of the training "
        "left out.",
        "Compare “without next sentence” with the dotted line, which is the usual training. Then compare "
        "“left to right” with it.",
    ),
    presets=presets.PRESETS,
    model="bert-mini",
    draw=draw,
    below=below,
    reading=reading,
    example=example,
)
