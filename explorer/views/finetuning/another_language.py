"""Another language: a classifier that is trained in English is tested in Chinese, layer by layer."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.locale import N_, _, localised, translate
from explorer.views import kit
from explorer.views.finetuning.settings import OTHER_MEANS, OTHER_TASK
from explorer.views.look.theme import Palette
from explorer.views.types import LanguageModel, go
from explorer.views.widgets import notes
from explorer.views.widgets.chart_look import axes, band, below, blank, look, title
from explorer.views.widgets.curves import name_ends

HEIGHT = 372
MARGIN = {"l": 56, "r": 118, "t": 34, "b": 60}
DASHES = ("dash", "dot", "dashdot")


Figures = dict[str, Any]  # of a line or a level
# The names that lines and levels have in the stored figures.
NAMES = (
    *(N_("Chinese"), N_("English"), N_("from English"), N_("from Chinese")),
    *(N_("Chance"), N_("one language"), N_("shared tokens")),
)


def figure(lines: Sequence[Figures], levels: Sequence[Figures], axis: str, palette: Palette) -> "go.Figure":
    """The chart of what `transfer.by_layer` has; its first line is the main one. `axis` says of what."""
    chart = blank()
    look(chart, palette, HEIGHT, margin=MARGIN)
    axes(chart, palette)
    last = len(lines[0]["values"]) - 1
    colours = [(palette.accent, "square"), (palette.senses[3], "diamond")]
    for dash, level in zip(DASHES, levels):
        share = localised(f"{level['value']:.1%}")
        chart.add_scatter(
            x=[-0.25, last + 0.25],
            y=[level["value"]] * 2,
            mode="lines",
            line={"color": palette.quiet, "width": 1.5, "dash": dash},
            hovertemplate=f"{shown(level['name'])}<br><b>{share}</b><extra></extra>",
        )
    for line, (colour, symbol) in reversed(list(zip(lines, colours))):  # the first one on top
        if line["ends"]:
            band(chart, range(last + 1), line["ends"], colour)
        chart.add_scatter(
            x=list(range(last + 1)),
            y=line["values"],
            customdata=[interval(*ends) for ends in line["ends"]] or [""] * (last + 1),
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={"symbol": symbol, "size": 11, "color": colour},
            hovertemplate=_("{name}, layer {layer}", name=shown(line["name"]), layer="%{x}")
            + "<br><b>%{y:.1%}</b>%{customdata}<extra></extra>",
        )
    names = [(shown(line["name"]), line["values"][-1], colour) for line, (colour, __) in zip(lines, colours)]
    names += [(shown(level["name"]), level["value"], palette.quiet) for level in levels]
    name_ends(chart, names, HEIGHT - MARGIN["t"] - MARGIN["b"], palette, x=1, xref="paper", xshift=12)
    chart.update_yaxes(range=[0, 1.02], tickformat=".0%")
    step = max(1, round(last / 12))
    chart.update_xaxes(range=[-0.25, last + 0.25], tickvals=list(range(0, last + 1, step)))
    title(chart, axis, palette)
    below(chart, _("layer (0: the embedding)"), palette)
    return chart


def shown(name: str) -> str:
    """A stored name in the language of whoever sees it; “chance” in small letters is that of a token."""
    return _("Chance").lower() if name == "chance" else _(name)


def interval(low: float, high: float) -> str:
    """The interval of a share, as a line of its own in a tooltip."""
    shares = _("95% interval {low} to {high}", low=kit.whole_percent(low), high=kit.whole_percent(high))
    return f"<br>{shares}"


def in_words(axis: str, lines: Sequence[Figures], levels: Sequence[Figures]) -> str:
    """The chart in words."""
    parts = [
        _(
            "{name}, from the embedding up: {shares}.",
            name=shown(line["name"]),
            shares=", ".join(map(kit.whole_percent, line["values"])),
        )
        for line in lines
    ]
    parts += [
        _("{name}: {share}.", name=shown(level["name"]), share=kit.whole_percent(level["value"]))
        for level in levels
    ]
    return " ".join([_("{text}.", text=axis), *parts])


MODEL = "bert-en-zh"
PAIRS = "pairs"
TASKS = {
    "topics": N_("Topics"),
    "feelings": N_("Feelings"),
    "bank": N_("The word bank"),
    PAIRS: N_("Translations"),
}
MEANS = N_("Subtract language means")
FOUND, CLASSIFIED = N_("translation found among 40"), N_("classified correctly")

VIEW_TEXT = kit.view_text("finetuning", "other")


def controls(settings: kit.Settings) -> None:
    """Sentences, and whether language means are subtracted."""
    kit.segments(settings, OTHER_TASK, _("Sentences"), translate(TASKS), width="content")
    kit.switch(settings, OTHER_MEANS, _(MEANS))


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The shares by layer as they were measured, and one sentence of each language."""
    task = page.settings[OTHER_TASK]
    figures = stored(page.settings)
    axis = _(FOUND if task == PAIRS else CLASSIFIED)
    kit.chart(figure(**figures, axis=axis, palette=kit.palette()), "finetuning/another-language", least=640)
    notes.spoken(in_words(axis, **figures))
    st.html(f'<p class="rb-point">{sentences(task)}</p>')
    stem = f"{task}-in-two-languages"
    return [
        kit.Picture("picture", stem),
        kit.Export(N_("By layer"), f"{stem}.csv", lambda: shares(**figures)),
    ]


def stored(settings: kit.Settings) -> dict[str, Any]:
    """The `lines` and `levels` of the chosen sentences."""
    from explorer.finetuning import transfer

    return transfer.by_layer(settings[OTHER_TASK], settings[OTHER_MEANS])


def sentences(task: str) -> str:
    """One sentence of each language, as HTML."""
    from explorer.finetuning import transfer

    if task == PAIRS:
        english, chinese = transfer.pairs()[0]
        text = N_("One of the pairs is “{english}” and “{chinese}”.")
        return _(text, english=kit.quoted(english), chinese=kit.quoted(chinese))
    examples = transfer.read(task)
    training, test = examples.english[0], examples.chinese[0]
    return _(
        "It learns from English, such as “{english}” ({label}), and is asked in Chinese, such as “{chinese}” "
        "({other}).",
        english=kit.quoted(training.text),
        label=training.label,
        chinese=kit.quoted(test.text),
        other=test.label,
    )


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the lines."""
    task = page.settings[OTHER_TASK]
    how, of_task = VIEW_TEXT.readings[PAIRS if task == PAIRS else "language"], VIEW_TEXT.phrases
    tokens = of_task["word" if task == "bank" else "sentence"]
    return how.filled(means=_(MEANS), tokens=tokens, alike=of_task["alike"] if task == "topics" else "")


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same figures from Python."""
    task, without_means = page.settings[OTHER_TASK], page.settings[OTHER_MEANS]
    if task == PAIRS:
        return kit.Example(translations_found, model=kit.Load(MODEL), without_means=without_means)
    return kit.Example(asked_in_chinese, model=kit.Load(MODEL), task=task, without_means=without_means)


def asked_in_chinese(
    model: "LanguageModel", task: str, without_means: bool
) -> list[tuple[float, float, float, float]]:
    """For each layer the accuracy in Chinese, its 95 % interval, and the accuracy in English."""
    from explorer.finetuning import transfer

    sentences = transfer.read(task)
    vectors = transfer.both_vectors(model, sentences)
    layers = transfer.classify_by_layer(sentences, *vectors, without_means)
    return [(layer.accuracy, *layer.interval, layer.home) for layer in layers]


def translations_found(model: "LanguageModel", without_means: bool) -> list[tuple[float, float]]:
    """For each layer the share of English sentences that find their translation, and of Chinese ones."""
    from explorer.finetuning import transfer

    return list(zip(*transfer.translations_found(model, without_means), strict=True))


def shares(lines: list[dict[str, Any]], levels: list[dict[str, Any]]) -> str:
    """Every share by layer, as a table."""
    rows: list[tuple[Any, ...]] = [
        (line["name"], layer, value, *(line["ends"][layer] if line["ends"] else ("", "")))
        for line in lines
        for layer, value in enumerate(line["values"])
    ]
    rows += [(level["name"], "", level["value"], "", "") for level in levels]
    return kit.table(["what", "layer", "share", "low95", "high95"], rows)
