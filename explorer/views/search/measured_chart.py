"""What was measured on our twenty questions, as bars: how often a search, or an answer, is right."""

from collections.abc import Mapping

from explorer.views import kit
from explorer.views.types import go

SEARCHES = {
    "minilm": "MiniLM",
    "bert-mini": "BERT mini, averaged",
    "word2vec": "word2vec, averaged",
    "tfidf": "Counts of words (TF‑IDF)",
    "bm25": "Words (BM25)",
}
PROMPTS = {
    "right": "with the right passage",
    "search": "with the three that MiniLM found",
    "none": "without a passage",
    "wrong": "with a wrong passage",
    "order": "right one, and an order",
    "ignore": "right one, and “Ignore …”",
    "claim": "right one, and a claim",
}
NEAR = 3  # places in which a passage is among the first


def ranks_figure(palette: kit.Palette) -> "go.Figure":
    """How many right passages each search puts first, and among the first three."""
    from explorer.analysis.sentences import our_town

    ranks = our_town.measured()["ranks"]
    first = {label: sum(rank == 1 for rank in ranks[name]) for name, label in SEARCHES.items()}
    near = {label: sum(rank <= NEAR for rank in ranks[name]) for name, label in SEARCHES.items()}
    return _bars(palette, {"among the first three": near, "first": first}, "questions whose passage is found")


def answers_figure(palette: kit.Palette) -> "go.Figure":
    """How many answers are right, by what stands in the prompt."""
    from explorer.analysis.sentences import our_town

    answers = our_town.measured()["answers"]
    right = {label: sum(each["right"] for each in answers[name]) for name, label in PROMPTS.items()}
    return _bars(palette, {"right": right}, "right answers")


def ranks_table() -> str:
    """The place of the right passage of each question in each search."""
    from explorer.analysis.sentences import our_town

    ranks = our_town.measured()["ranks"]
    rows = [
        [each.question, *(ranks[name][i] for name in SEARCHES)] for i, each in enumerate(our_town.questions())
    ]
    return kit.table(["question", *SEARCHES.values()], rows)


def answers_table() -> str:
    """What was written for each question, and whether it is right."""
    from explorer.analysis.sentences import our_town

    answers = our_town.measured()["answers"]
    rows = [
        [each.question, label, answers[name][i]["text"], answers[name][i]["right"]]
        for i, each in enumerate(our_town.questions())
        for name, label in PROMPTS.items()
    ]
    return kit.table(["question", "prompt", "answer", "right"], rows)


def _bars(palette: kit.Palette, counts: Mapping[str, Mapping[str, int]], what: str) -> "go.Figure":
    """Bars over one another, the pale ones behind, with their numbers."""
    from explorer.analysis.sentences import our_town

    total, chart = len(our_town.questions()), kit.blank()
    kit.look(
        chart, palette, 380, margin={"l": 280, "r": 150, "t": 8, "b": 56}, barmode="overlay", bargap=0.35
    )
    for shade, (name, values) in enumerate(counts.items(), 3 - len(counts)):
        chart.add_bar(
            y=list(values),
            x=list(values.values()),
            orientation="h",
            marker={"color": palette.accent, "opacity": [0, 0.4, 1][shade]},
            text=[
                f" {value} {name}" if at == 0 else f" {value} " for at, value in enumerate(values.values())
            ],
            textposition=["inside" if shade == 2 and value else "outside" for value in values.values()],
            cliponaxis=False,
            insidetextanchor="start",
            insidetextfont={"size": 20, "color": palette.ground},
            outsidetextfont={"size": 20, "color": palette.ink},
            hovertemplate=f"%{{y}}<br><b>%{{x}}</b> of {total} {name}<extra></extra>",
        )
    kit.axes(chart, palette, autorange="reversed", showgrid=False, tickfont={"size": 18})
    chart.update_xaxes(range=[0, total], dtick=5, showgrid=True, gridcolor=palette.hairline)
    kit.below(chart, f"{what}, of {total}", palette)
    return chart
