"""In parallel: how many steps an LSTM and attention need one after another, and the time that this takes."""

from typing import Any

import streamlit as st

from explorer import assets
from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.look.theme import MONO, mix, text_on
from explorer.views.transformer.plots import side_by_side
from explorer.views.transformer.settings import WAIT_STEP, WAIT_WORDS
from explorer.views.types import Tensor, go
from explorer.views.widgets.chart_look import words


def grid(steps: "Tensor", name: str, now: int, palette: kit.Palette) -> "go.Figure":
    """A square for each state, with the step in which it can be computed; finished ones are filled."""
    layers, length = steps.shape
    chart = side_by_side(palette, 92 + 30 * layers, [1])
    shades = [palette.panel, mix(palette.layers, 0.55), palette.probability[1]]
    newest = 1 if kit.for_class() else 2
    state = [[0 if step > now else 1 if step < now else newest for step in row] for row in steps.tolist()]
    says = _("word {word}, layer {layer}: step {step}", word="%{x}", layer="%{y}", step="%{text}")
    chart.add_heatmap(
        z=state,
        x=list(range(1, length + 1)),
        y=list(range(1, layers + 1)),
        zmin=0,
        zmax=2,
        colorscale=[[i / 2, shade] for i, shade in enumerate(shades)],
        showscale=False,
        xgap=4,
        ygap=4,
        hovertemplate=f"{says}<extra></extra>",
        text=steps.tolist(),
    )
    inks = [palette.quiet, text_on(shades[1]), text_on(shades[2])]
    numbers = [
        words(str(step), palette, x=word, y=layer, font={"color": inks[kind], "family": MONO})
        for layer, (row, kinds) in enumerate(zip(steps.tolist(), state), 1)
        for word, (step, kind) in enumerate(zip(row, kinds), 1)
    ]
    chart.update_layout(annotations=numbers)
    ticks = range(1, length + 1) if length <= 12 else range(2, length + 1, 2)
    chart.update_xaxes(tickvals=list(ticks), linewidth=0, ticklen=2)
    kit.below(chart, _("word"), palette)
    chart.update_yaxes(
        tickvals=list(range(1, layers + 1)),
        ticktext=[_("layer {n}", n=layer) for layer in range(1, layers + 1)],
        showgrid=False,
    )
    chart.update_layout(margin={"l": 70, "r": 8, "t": 34, "b": 52})
    title = N_("{network}: {steps} steps; after step {now}: {ready} of {total} done")
    if kit.for_class():
        title = N_("{network}: {steps} steps")
    ready = {"now": now, "ready": int((steps <= now).sum()), "total": steps.numel()}
    kit.title(chart, _(title, network=f"<b>{name}</b>", steps=int(steps.max()), **ready), palette)
    return chart


def times(stored: dict[str, Any], palette: kit.Palette) -> "go.Figure":
    """Milliseconds by the number of words, with each network's name at the end of its curve."""
    chart = side_by_side(palette, 360, [1])
    lengths = stored["words"]
    for number, (name, milliseconds) in enumerate(stored["milliseconds"].items()):
        says = _("{network}, {n} words: {time} ms", network=_(name), n="%{x}", time="<b>%{y:.0f}</b>")
        chart.add_scatter(
            x=lengths,
            y=milliseconds,
            mode="lines",
            line={"color": palette.senses[number], "width": 4},
            hovertemplate=f"{says}<extra></extra>",
        )
        font = {"size": 20, "color": palette.senses[number]}
        end = words(f"<b>{_(name)}</b>", palette, x=lengths[-1], y=milliseconds[-1], font=font)
        chart.add_annotation(end | {"xanchor": "right", "yanchor": "bottom"})
    chart.update_xaxes(tickvals=lengths[-3:], range=[0, 1.02 * lengths[-1]])
    kit.below(chart, _("words"), palette)
    chart.update_yaxes(rangemode="tozero", nticks=4)
    chart.update_layout(margin={"l": 48, "r": 8, "t": 34, "b": 52})
    if kit.for_class():
        chart.update_yaxes(showticklabels=False)
    title = _("<b>Time</b> for a text") if kit.for_class() else _("<b>Milliseconds</b> for a text")
    kit.title(chart, title, palette)
    return chart


MEASURED = (N_("attention"), N_("one core of an Intel Xeon Processor"))  # what is said of the stored times
LAYERS = {"elmo": 2, "bert": 6}  # of the bundled models
WORDS = (2, 24)


def controls(page: kit.OpenPage[None]) -> None:
    """How many words, and which step."""
    settings = page.settings
    last = max(settings[WAIT_WORDS] + LAYERS["elmo"] - 1, LAYERS["bert"])  # when both have all states
    settings.show_instead(WAIT_STEP.to(min(settings[WAIT_STEP], last)))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.slider(_("Words"), *WORDS, key=settings.key(WAIT_WORDS, _("Words")), width=240)
        kit.slider(settings, WAIT_STEP, _("Step"), 1, last, width=320)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The two grids, and beside them the times that were measured once."""
    from explorer.analysis.reach import waiting

    words, now = page.settings[WAIT_WORDS], page.settings[WAIT_STEP]
    grids = {
        N_("An LSTM (ELMo)"): waiting.recurrent(words, LAYERS["elmo"]),
        N_("Attention (BERT)"): waiting.attention(words, LAYERS["bert"]),
    }
    stored = assets.data(assets.WAITING)
    left, right = st.columns([64, 36], gap="medium")
    with left:
        for name, steps in grids.items():
            kit.chart(grid(steps, _(name), now, kit.palette()), f"waiting/{name}", least=480)
    with right:
        kit.chart(times(stored, kit.palette()), "waiting/times")
        machine = _(stored["machine"])
        kit.note(_("Measured once, on {machine}. Both networks have ten million weights.", machine=machine))
    return [
        kit.Picture("picture", "one-after-another"),
        kit.Export(N_("The times"), "milliseconds.csv", lambda: _times_table(stored)),
        kit.Export(N_("The steps"), "steps.csv", lambda: _steps_table(grids)),
    ]


def sequential_steps(words: int) -> dict[str, int]:
    """The number of sequential steps for a text of this many words."""
    from explorer.analysis.reach import waiting

    return {
        "LSTM, steps": int(waiting.recurrent(words, layers=2).max()),
        "attention, steps": int(waiting.attention(words, layers=6).max()),
    }


def _times_table(stored: dict[str, Any]) -> str:
    milliseconds = stored["milliseconds"]
    return kit.table(["words", *milliseconds], zip(stored["words"], *milliseconds.values()))


def _steps_table(grids: "dict[str, Tensor]") -> str:
    rows = [
        [name, layer, word, step]
        for name, steps in grids.items()
        for layer, row in enumerate(steps.tolist(), 1)
        for word, step in enumerate(row, 1)
    ]
    return kit.table(["network", "layer", "word", "step"], rows)


VIEW = kit.View(
    text=kit.view_text("transformer", "waiting"),
    settings=(WAIT_WORDS, WAIT_STEP),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(sequential_steps, words=page.settings[WAIT_WORDS]),
)
