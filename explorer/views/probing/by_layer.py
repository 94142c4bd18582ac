"""Layer by layer: how well a probe predicts each kind of fact from every layer of every model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import floor
from typing import Any

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, format_with, localised, translate
from explorer.server.memory import short_label
from explorer.views import kit
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.probing.settings import MODEL, MODELS, PROBE, SHOWN, TASK
from explorer.views.probing.words import TASKS, layer_name
from explorer.views.types import go
from explorer.views.widgets.chart_look import say
from explorer.views.widgets.layer_chart import Level, Line, figure
from explorer.views.widgets.numbers import per_cent

RIGHT = {"row": 1, "col": 2}
IN_RIGHT = {"xref": "x2", "yref": "y2", "xanchor": "left", "yanchor": "middle"}  # a text in it


@dataclass(frozen=True)
class Place:
    """The layers at which a model knows a kind of fact: centre of gravity, expected layer, layers' shares.

    `mark` is the number of the model's shape, which is in colour if the model is `chosen`.
    """

    fact: str
    model: str
    mark: int
    chosen: bool
    centre: float
    expected: float | None
    shares: Sequence[float]


def draw_places(fig: "go.Figure", places: Sequence[Place], palette: Palette) -> None:
    """Draw each fact's centre of gravity and expected layer in each model, in rows below the fact's name."""
    y, fact = 0.0, places[0].fact
    say(fig, escape(fact), palette, x=-0.1, y=0.95, font={"color": palette.ink}, **IN_RIGHT)
    for place in places:
        if place.fact != fact:
            y, fact = y - 1.4, place.fact
            say(fig, escape(fact), palette, x=-0.1, y=y + 0.95, font={"color": palette.ink}, **IN_RIGHT)
        _draw(fig, place, y, palette)
        y -= 1
    last = max(len(place.shares) for place in places) - 1
    fig.update_xaxes(range=[-0.3, last + 0.3], tickvals=list(range(last + 1)), **RIGHT)
    fig.update_yaxes(showticklabels=False, showgrid=False, zeroline=False, range=[y + 0.3, 1.6], **RIGHT)
    for layer in range(last + 1):
        fig.add_vline(x=layer, line={"color": palette.hairline, "width": 1}, layer="below", **RIGHT)
    legend, corner = _("● centre, ○ expected layer"), {"x": 1, "xref": "paper", "y": 1, "yref": "paper"}
    say(fig, legend, palette, yshift=6, **corner, xanchor="right", yanchor="bottom")


def _draw(fig: "go.Figure", place: Place, y: float, palette: Palette) -> None:
    colour = palette.accent if place.chosen else palette.quiet
    shape = SENSE_SHAPES[place.mark]
    name = f"{escape(place.fact)}, {escape(place.model)}"
    if place.expected is not None:
        expected = _("expected layer {number}", number="<b>%{x:.2f}</b>")
        fig.add_scatter(
            x=[place.centre, place.expected],
            y=[y, y],
            mode="lines",
            hoverinfo="skip",
            line={"color": colour, "width": 1.5},
            **RIGHT,
        )
        fig.add_scatter(
            x=[place.expected],
            y=[y],
            mode="markers",
            marker={"symbol": f"{shape}-open", "size": 11, "color": colour, "line": {"width": 2}},
            hovertemplate=f"{name}<br>{expected}<extra></extra>",
            **RIGHT,
        )
    shares = ", ".join(localised(f"{share:.2f}") for share in place.shares)
    centre = _("centre of gravity {number}", number="<b>%{x:.2f}</b>")
    fig.add_scatter(
        x=[place.centre],
        y=[y],
        mode="markers",
        marker={"symbol": shape, "size": 12, "color": colour},
        hovertemplate=f"{name}<br>{centre}<br>{_('shares {numbers}', numbers=shares)}<extra></extra>",
        **RIGHT,
    )


PROBES = {"linear": N_("Linear probe"), "mlp": N_("With a hidden layer")}
MEASURES = {"score": N_("Score"), "control": N_("Control task"), "selectivity": N_("Selectivity")}
AXES = {
    "tag": N_("share of right labels"),
    "relation": N_("share of right labels"),
    "entity": N_("F1 of the words in names"),
    "arcs": N_("share of right arcs (UUAS)"),
}
Figures = Mapping[str, Any]
HEIGHT = 376
RANK = "32"  # of the structural probe whose scores are compared

VIEW_TEXT = kit.view_text("probing", "layers")


def controls(page: kit.OpenPage[None]) -> None:
    """The task, the probe, and whether the score, the control task or the selectivity is shown."""
    settings = page.settings
    with st.container(key="probing-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        kit.segments(settings, TASK, _("Task"), translate(TASKS), width="content")
        if settings[TASK] == "arcs":
            return
        kit.segments(settings, SHOWN, _("What is shown"), translate(MEASURES), width="content")
        probes = {probe: _(PROBES[probe]) for probe in _probes(settings[TASK])}
        kit.menu(settings, PROBE, _("Probe"), probes, label_visibility="collapsed", width=210)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw the curves; beside them the layers at which facts sit, or the score of arcs by rank."""
    settings, measured = page.settings, analysis.probing.figures()
    task, chosen = settings[TASK], settings[MODEL]
    curves = shown_curves(settings[PROBE], settings[SHOWN], task)
    if not curves:
        st.html(f'<p class="rb-point">{_("These figures have not been measured.")}</p>')
        return []
    lines = [
        Line(short_label(name), values, MODELS.index(name), name == chosen) for name, values in curves.items()
    ]
    levels = _levels(settings, measured["baselines"][task])
    axis = _(AXES[task])
    if settings[SHOWN] == "selectivity" and task != "arcs":
        axis = _("score minus that of the control task")
    low, high = _span(lines, levels)
    plain = kit.for_class()
    start = kit.whole_percent(low) if plain else localised(f"{low:g}")
    if low > 0:
        axis = _("{axis}; the axis starts at {start}", axis=axis, start=start)
    pictures = {axis: (lines, levels)}
    places = _places(measured["models"], chosen) if task != "arcs" and not plain else []
    if task == "arcs":
        by_rank = [
            Line(_("rank {rank}", rank=rank), values, mark, rank == RANK)
            for mark, (rank, values) in enumerate(measured["models"][chosen]["arcs"].items())
        ]
        by = _("{model}, by the rank of the probe", model=short_label(chosen))
        pictures[by] = by_rank, levels
        low = min(low, _span(by_rank, levels)[0])
    fig = figure(pictures, kit.palette(), HEIGHT, (low, high), bool(places), plain)
    if places:
        draw_places(fig, places, kit.palette())
    kit.chart(fig, "probing/chart", least=820)
    kit.note_html(_best_layer_note(settings, curves, task))
    return [
        kit.Picture("picture", f"{task}-by-layer"),
        kit.Export(N_("Curves"), f"{task}-by-layer.csv", lambda: _table(curves)),
        kit.Export(N_("All figures"), "probes.json", _everything, "application/json"),
    ]


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read it."""
    from explorer.analysis.probing.shipped import config

    task, sentences = page.settings[TASK], config()["sentences"]
    if task == "arcs":
        train, test = sentences["treebank train"], sentences["treebank test"]
        return VIEW_TEXT.readings["arcs"].filled(train=train, test=test)
    return VIEW_TEXT.readings.get("score" if page.settings[SHOWN] == "score" else task, VIEW_TEXT.reading)


def shown_curves(probe: str, measure: str, task: str) -> dict[str, list[float]]:
    """For each model, a value for each layer: a probe's score, its control task's, or the difference.

    For arcs, the share of right ones by a structural probe of rank 32.
    """
    from explorer.analysis.probing import figures

    if task == "arcs":
        return {name: scores["arcs"]["32"] for name, scores in figures()["models"].items()}
    curves = {}
    for name, scores in figures()["models"].items():
        score, control = scores[task].get(probe), scores[task].get(f"{probe}-control")
        if measure == "score" and score:
            curves[name] = score
        elif measure == "control" and control:
            curves[name] = control
        elif measure == "selectivity" and score and control:
            curves[name] = [a - b for a, b in zip(score, control)]
    return curves


def _probes(task: str) -> list[str]:
    """The probes that have been measured on a task."""
    return [
        probe
        for probe in PROBES
        if task == "arcs" or any(of[task].get(probe) for of in analysis.probing.figures()["models"].values())
    ]


def _levels(settings: kit.Settings, baselines: Figures) -> list[Level]:
    """The dashed lines: baselines without a model."""
    if "neighbours" in baselines:
        return [Level(_("chain"), baselines["neighbours"])]
    if settings[SHOWN] == "control":
        return [Level(_("labels by heart"), baselines["by_word_control"])]
    if settings[SHOWN] == "selectivity":
        return []
    return [Level(_("the word alone"), baselines["by_word"])]


def _span(lines: Sequence[Line], levels: Sequence[Level]) -> tuple[float, float]:
    """The axis of scores: from a round number below the lowest to a little above the highest."""
    values = [value for line in lines for value in line.values] + [level.value for level in levels]
    low = floor(20 * min(values)) / 20
    return low, max(values) + 0.05 * (max(values) - low)


def _places(models: Figures, chosen: str) -> list[Place]:
    """The centre of gravity and the expected layer of each kind of fact in each model."""
    return [
        Place(
            _(TASKS[task]),
            short_label(name),
            MODELS.index(name),
            name == chosen,
            analysis.probing.centre_of_gravity(of[task]["shares"]),
            analysis.probing.expected_layer(of[task]["mix"]),
            of[task]["shares"],
        )
        for task in ("tag", "relation", "entity")
        for name, of in models.items()
        if "shares" in of[task]
    ]


def _best_layer_note(settings: kit.Settings, curves: Mapping[str, list[float]], task: str) -> str:
    """A line on the chosen model's best layer, beside its last one."""
    values = curves.get(settings[MODEL])
    if not values:
        return ""
    best = max(range(len(values)), key=values.__getitem__)
    write = per_cent if kit.for_class() else lambda value: format_with(value, ".3f")
    name, at_best = escape(short_label(settings[MODEL])), write(values[best])
    text = _("{model}: highest at {place}, {value}", model=name, place=layer_name(best), value=at_best)
    if best != len(values) - 1:
        text += _("; at the last layer {value}", value=write(values[-1]))
    return _("{text}.", text=text + _spread(settings, best, task))


def _spread(settings: kit.Settings, best: int, task: str) -> str:
    """The range of the best layer's scores over seeds, for a probe with a hidden layer."""
    if (settings[PROBE], settings[SHOWN]) != ("mlp", "score"):
        return ""
    seeds = analysis.probing.figures()["models"][settings[MODEL]].get(task, {}).get("mlp-seeds")
    if not seeds:
        return ""
    low, high = (localised(f"{end(seeds[best]):.3f}") for end in (min, max))
    return _("; from {count} seeds there, {low} to {high}", count=len(seeds[best]), low=low, high=high)


def _table(curves: Mapping[str, list[float]]) -> str:
    rows = [[name, layer, value] for name, values in curves.items() for layer, value in enumerate(values)]
    return kit.table(["model", "layer", "value"], rows)


def _everything() -> str:
    from explorer import assets

    return assets.text(assets.PROBES / "figures.json")


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading),
    settings=(PROBE, SHOWN),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        shown_curves, probe=page.settings[PROBE], measure=page.settings[SHOWN], task=page.settings[TASK]
    ),
)
