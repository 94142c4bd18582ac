"""What strengths gain and cost, on average over a text."""

from collections.abc import Sequence
from html import escape

from explorer.locale import N_, _, format_with
from explorer.views import kit
from explorer.views.types import Direction, Effect, LanguageModel, go

SPAN = (-1.5, -1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5)  # times the dial
COLUMNS = (-1.0, -0.5, 0.0, 0.5, 1.0)  # those of which a text is shown
HEIGHT = 205
LONG = 12  # letters of a list's name
MARGIN = {"l": 52, "r": 12, "t": 30, "b": 50}


@kit.kept(48, N_("Measuring strengths"))
def effects_of(
    model: "LanguageModel",
    prompt: list[int],
    written: list[int],
    steer: "tuple[Direction, Direction]",
    dial: float,
) -> "list[Effect]":
    """The effects of strengths along a text that the model wrote by itself."""
    from explorer.analysis import steering

    return steering.effects(model, prompt, written, steer, [share * dial for share in SPAN])


def figure(
    effects: "Sequence[Effect]", dial: float, names: tuple[str, str], palette: kit.Palette
) -> "go.Figure":
    """Gain on the left, cost on the right, by strength; marks at those of the five texts."""
    chart = kit.blank(rows=1, cols=2, horizontal_spacing=0.14)
    kit.look(chart, palette, HEIGHT, margin=MARGIN)
    kit.axes(chart, palette, rangemode="tozero", nticks=5)
    less, more = (escape(name if len(name) <= LONG else f"{name[: LONG - 1]}…") for name in names)
    xs = [one.strength for one in effects]
    lines = (
        (1, [one.away for one in effects], palette.difference[0], _("“{word}”", word=less), "%{y:.2%}"),
        (1, [one.toward for one in effects], palette.difference[2], _("“{word}”", word=more), "%{y:.2%}"),
        (2, [one.bits for one in effects], palette.ink, _("surprise"), _("{bits} bits", bits="%{y:.2f}")),
    )
    sizes = [9 * (share in COLUMNS) for share in SPAN]
    for column, ys, colour, name, number in lines:
        chart.add_scatter(
            x=xs,
            y=ys,
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={"size": sizes, "color": colour, "opacity": 1},
            hovertemplate=_("{name}, strength {number}", name=name, number="%{x:.3~f}")
            + f"<br><b>{number}</b><extra></extra>",
            row=1,
            col=column,
        )
    ticks = [share * dial for share in COLUMNS]
    chart.update_xaxes(
        tickvals=ticks,
        ticktext=[format_with(tick, "+g") if tick else "0" for tick in ticks],
    )
    chart.update_yaxes(tickformat="~%", col=1)
    left, right = (
        f'<b style="color:{palette.difference[side]}">{name}</b>' for side, name in ((0, less), (2, more))
    )
    kit.title(chart, _("gains: {less} and {more} words", less=left, more=right), palette)
    kit.title(chart, _("costs: surprise, in bits"), palette, 2)
    kit.say(chart, _("strength"), palette, x=0.5, xref="paper", y=0, yref="paper", yanchor="top", yshift=-28)
    return chart
