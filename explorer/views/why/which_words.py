"""Which words mattered: the words of a sentence coloured by their part in one prediction, by four methods."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING

import streamlit as st

from explorer.catalogue.ability import Ability
from explorer.locale import N_, _, format_number, ngettext, translate
from explorer.views import kit
from explorer.views.types import Curves, LanguageModel, Model, Tensor, go
from explorer.views.why import examples, prompts
from explorer.views.why.settings import FIRST, MODEL, WHICH_OF, WHICH_STEPS
from explorer.views.why.which_rows import draw_row, scale_html, signed
from explorer.views.why.which_values import (
    METHODS,
    UNSIGNED,
    Question,
    curves_of,
    predicted,
    question_of,
    values_of,
)

if TYPE_CHECKING:
    from explorer.analysis.attribution.prediction import Prediction

HEIGHT = 360
MARGIN = {"l": 56, "r": 12, "t": 40, "b": 96}


def figure(curves: "Curves", names: Mapping[str, str], palette: kit.Palette) -> "go.Figure":
    """A line for each method, and the mean of random orders with a band of one standard deviation."""
    chart = kit.blank(rows=1, cols=1)
    kit.look(chart, palette, HEIGHT, margin=MARGIN)
    kit.axes(chart, palette)
    xs = list(curves.counts)
    mean, deviation = curves.random.mean(0), curves.random.std(0, correction=0)
    ends = [*(mean + deviation).tolist(), *(mean - deviation).flip(0).tolist()]
    chart.add_scatter(
        x=[*xs, *reversed(xs)],
        y=ends,
        mode="lines",
        fill="toself",
        fillcolor=palette.hairline,
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
    )
    lines = [(_("random words"), mean, palette.quiet, "line-ns")]
    lines += [
        (_(names[method]), values, palette.senses[i], kit.SENSE_SHAPES[i])
        for i, (method, values) in enumerate(curves.methods.items())
    ]
    for name, values, colour, shape in lines:
        chart.add_scatter(
            x=xs,
            y=values.tolist(),
            mode="lines+markers",
            name=name,
            line={"color": colour, "width": 2.5, "dash": "dot" if colour == palette.quiet else "solid"},
            marker={"symbol": shape, "size": 11, "color": colour},
            hovertemplate=_(
                "{name}, {count} taken away<br><b>{value}</b> nats",
                name=name,
                count="%{x}",
                value="%{y:.3f}",
            )
            + "<extra></extra>",
        )
    chart.update_xaxes(tickvals=xs)
    chart.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.14, "yanchor": "top", "x": 0})
    if kit.for_class():
        chart.update_yaxes(showticklabels=False)
    plain = kit.for_class()
    heading = (
        _("the prediction, by words taken away") if plain else _("prediction in nats, by words taken away")
    )
    kit.title(chart, heading, palette)
    return chart


READY = {"sst2": N_("The feeling of a review"), "intents": N_("What a request is for")}
READY_MODEL = "bert"


def controls(page: kit.OpenPage[None]) -> None:
    """What is predicted, rather than what, and the steps of integrated gradients."""
    settings, choices = page.settings, choices_of(page.model)
    settings.restrict(WHICH_OF, choices)
    with st.container(key="which-controls", horizontal=True, vertical_alignment="bottom"):
        if len(choices) > 1:
            kit.menu(settings, WHICH_OF, _("What is predicted"), choices, width=230)
        least, most = WHICH_STEPS.least, WHICH_STEPS.most
        kit.slider(settings, WHICH_STEPS, _("Steps of integrated gradients"), least, most, width=230)


def choices_of(model: "Model") -> dict[str, str]:
    """What can be predicted: a class by the classifier in the model's files, a word, a ready head's class."""
    from explorer.finetuning.checkpoint_head import checkpoint_head

    own = {"own": _("Its class of the text")} if checkpoint_head(model) is not None else {}
    word = {"word": _("A word")} if model.abilities & (Ability.FILL | Ability.GENERATE) or not own else {}
    return own | word | (translate(READY) if str(model.checkpoint) == READY_MODEL else {})


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """A row of coloured words for each method; under them their agreement, and the test of faithfulness."""
    settings, model = page.settings, page.model
    if not settings[FIRST].strip():
        kit.instruction()
        return []
    question = question_of(page)
    prediction = predicted(model, question)
    _headline(model, question, prediction)
    rows, missing = {}, 0.0
    if kit.presenting() and not kit.for_class():
        words, test = st.columns([58, 42], gap="medium")
    else:
        words, test = st.container(gap="medium" if kit.for_class() else "xsmall"), st.container(gap="xsmall")
    with words:
        for method in METHODS:
            rows[method], error = values_of(model, question, method, settings[WHICH_STEPS])
            missing = error if method == "integrated" else missing
            draw_row(method, rows[method], prediction)
        _notes(prediction, missing, settings[WHICH_STEPS])
    curves = curves_of(model, question, settings[WHICH_STEPS])
    with test:
        if not kit.presenting():  # there it would push the chart over the lower edge
            st.html(_agreement(rows))
        if not kit.for_class():  # which method is right is another question
            kit.chart(figure(curves, METHODS, kit.palette()), "why/faithfulness", least=480)
    file = f"{settings[MODEL]}-which-words"
    names = [kit.label(prediction.encoding, position) for position in prediction.judged]
    return [
        kit.Picture("picture", file),
        kit.Export(N_("Each word’s part"), f"{file}.csv", lambda: _values_table(names, rows)),
        kit.Export(N_("Words taken away"), f"{file}-curves.csv", lambda: _curves_table(curves)),
    ]


def _headline(model: "LanguageModel", question: Question, prediction: "Prediction") -> None:
    """What is predicted, and how probable it is."""
    from explorer.analysis.attribution.prediction import nats

    def probability(choice: int) -> str:
        value = nats(replace(prediction, answer=choice, instead=None), [prediction.encoding])
        return kit.short(float(value.exp()))

    answer = _name(model, question, prediction.answer)
    if prediction.instead is None:
        name = kit.quoted(kit.memory.short_label(str(model.checkpoint)))
        says = _(
            "What makes {answer} probable? {model} gives it {probability}.",
            answer=answer,
            model=name,
            probability=probability(prediction.answer),
        )
    else:
        instead = _name(model, question, prediction.instead)
        says = _(
            "What speaks for {answer} rather than {instead}? They have {p} and {q}.",
            answer=answer,
            instead=instead,
            p=probability(prediction.answer),
            q=probability(prediction.instead),
        )
    st.html(f'<p class="rb-how">{says}{scale_html()}</p>')


def _name(model: "LanguageModel", question: Question, choice: int) -> str:
    """An answer in words; dots for a word that is not to be shown."""
    if question.head:
        from explorer.finetuning import library

        return kit.quoted(translate(library.head(question.head, model).task.labels[choice]))
    left, __, right = question.text.partition("[MASK]")
    token = model.tokenizer.readable(choice)
    blocked = kit.blocklist.over(str(model.checkpoint), question.text, question.answer, question.instead)
    hidden = kit.blocklist.covers(blocked, left, token, right)
    shown = model.tokenizer.whole_or_bytes(choice, kit.visible(token))
    return kit.quoted(kit.blocklist.DOTS if hidden else _("“{word}”", word=shown))


def _notes(prediction: "Prediction", missing: float, steps: int) -> None:
    words = [
        ngettext(
            "Integrated gradients with {count} step: their sum misses the whole change by {missing} nats "
            "(completeness).",
            "Integrated gradients with {count} steps: their sum misses the whole change by {missing} nats "
            "(completeness).",
            steps,
            missing=signed(missing, 3),
        )
    ] * (not kit.for_class())
    if prediction.mask is None:
        words.append(_("The first token is not judged: this model rests its attention there."))
    if prediction.encoding.truncated:
        left = prediction.encoding.truncated
        words.append(
            ngettext(
                "{count} token of the text did not fit and was not read.",
                "{count} tokens of the text did not fit and were not read.",
                left,
                count=format_number(left),
            )
        )
    kit.note_html(" ".join(filter(None, [*words, kit.unread(prediction.encoding)])))


def _agreement(rows: "dict[str, Tensor]") -> str:
    """The table of rank correlations, as HTML."""
    correlations = rank_correlations(rows, unsigned=[UNSIGNED])
    first, *others = METHODS

    def cell(pair: tuple[str, str]) -> str:
        return "" if pair not in correlations else "–" if isnan(rho := correlations[pair]) else signed(rho)

    cells = [[_(METHODS[one]), *(cell((one, other)) for other in others)] for one in [first, *others[:-1]]]
    return kit.html_table("rb-ranks", [_("Rank correlation"), *(_(METHODS[name]) for name in others)], cells)


def rank_correlations(
    methods: "Mapping[str, Tensor]", unsigned: Collection[str] = ()
) -> dict[tuple[str, str], float]:
    """Spearman's correlation of every two methods' values, -1 to 1; nan if all values of one are equal.

    An `unsigned` method, such as attention, is compared with the sizes of the other's values.
    """
    import torch
    from scipy.stats import rankdata

    correlations = {}
    for (first, a), (second, b) in combinations(methods.items(), 2):
        sizes = first in unsigned or second in unsigned
        ranks = [torch.tensor(rankdata(values.abs() if sizes else values)) for values in (a, b)]
        correlations[first, second] = float(torch.corrcoef(torch.stack(ranks))[0, 1])
    return correlations


def _values_table(names: list[str], rows: "dict[str, Tensor]") -> str:
    return kit.table(
        ["word", *rows],
        [[name, *values] for name, *values in zip(names, *(v.tolist() for v in rows.values()))],
    )


def _curves_table(curves: "Curves") -> str:
    lines = [[name, *values.tolist()] for name, values in curves.methods.items()]
    lines += [[f"random {i + 1}", *values.tolist()] for i, values in enumerate(curves.random)]
    return kit.table(["order", *map(str, curves.counts)], lines)


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The numbers of all four rows from Python."""
    text, head, answer, instead = question_of(page)
    return kit.Example(
        examples.which_words_mattered,
        model=kit.Load(page.settings[MODEL]),
        text=text,
        head=head,
        answer=answer,
        instead=instead,
        steps=page.settings[WHICH_STEPS],
        limit=kit.LIVE_TOKENS,
    )


VIEW = kit.View(
    text=kit.view_text("why", "which"),
    settings=(WHICH_OF, WHICH_STEPS),
    boxes=prompts.ask_for_words,
    controls=controls,
    picture=draw,
    example=example,
    needs=("ATTENTION FILL", "ATTENTION GENERATE"),
    model=kit.WRITER,
    stage=kit.Stage(text=FIRST, panel=".st-key-why-prompts"),
)
