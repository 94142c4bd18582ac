"""What was measured on our twenty questions, as bars: how often a search, or an answer, is right."""

from collections.abc import Mapping

from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.types import go

SEARCHES = {
    "minilm": "MiniLM",
    "bert-mini": N_("BERT mini, averaged"),
    "word2vec": N_("word2vec, averaged"),
    "tfidf": N_("Counts of words (TF‑IDF)"),
    "bm25": N_("Words (BM25)"),
}
PROMPTS = {
    "right": N_("with the right passage"),
    "search": N_("with the three that MiniLM found"),
    "none": N_("without a passage"),
    "wrong": N_("with a wrong passage"),
    "order": N_("right one, and an order"),
    "ignore": N_("right one, and “Ignore …”"),
    "claim": N_("right one, and a claim"),
}
NEAR = 3  # places in which a passage is among the first


def ranks_figure(palette: kit.Palette) -> "go.Figure":
    """How many right passages each search puts first, and among the first three."""
    from explorer.analysis.sentences import our_town

    ranks = our_town.measured()["ranks"]
    searches = translate(SEARCHES)
    first = {label: sum(rank == 1 for rank in ranks[name]) for name, label in searches.items()}
    near = {label: sum(rank <= NEAR for rank in ranks[name]) for name, label in searches.items()}
    what = N_("questions whose passage is found, of {total}")
    return _bars(palette, {N_("{count} among the first three"): near, N_("{count} first"): first}, what)


def answers_figure(palette: kit.Palette) -> "go.Figure":
    """How many answers are right, by what stands in the prompt."""
    from explorer.analysis.sentences import our_town

    answers = our_town.measured()["answers"]
    right = {
        label: sum(each["right"] for each in answers[name]) for name, label in translate(PROMPTS).items()
    }
    return _bars(palette, {N_("{count} right"): right}, N_("right answers, of {total}"))


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
    """Bars over one another, the pale ones behind, with their numbers; `what` says what they count."""
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
                f" {_(name, count=value)}" if at == 0 else f" {value} "
                for at, value in enumerate(values.values())
            ],
            textposition=["inside" if shade == 2 and value else "outside" for value in values.values()],
            cliponaxis=False,
            insidetextanchor="start",
            insidetextfont={"size": 20, "color": palette.ground},
            outsidetextfont={"size": 20, "color": palette.ink},
            hovertemplate="%{y}<br>"
            + _(name, count=_("<b>{count}</b> of {total}", count="%{x}", total=total))
            + "<extra></extra>",
        )
    kit.axes(chart, palette, autorange="reversed", showgrid=False, tickfont={"size": 18})
    chart.update_xaxes(range=[0, total], dtick=5, showgrid=True, gridcolor=palette.hairline)
    kit.below(chart, _(what, total=total), palette)
    return chart
