"""ULMFiT's way as one picture: which layer learns at each step, and how fast."""

from explorer.locale import N_, _, localised
from explorer.views import kit
from explorer.views.types import Tensor, go
from explorer.views.widgets.layer_names import block_name

LAYERS, EPOCH = 6, 8  # of our gpt; steps of an epoch of 60 messages, in batches of 8
HEIGHT = 340
FADING = 0.35  # the colour is this power of the rate: the lowest layers' would be too faint to see


def draw() -> kit.Export:
    """The schedule of all layers, with the highest rate above it."""
    from explorer.finetuning import ulmfit

    language, classifier = ulmfit.layer_rates(LAYERS, EPOCH)
    kit.chart(schedule(language, classifier, kit.palette()), "finetuning/ulmfit", least=640)
    rows = [
        [stage, step, block_name(layer), rate]
        for stage, rates in (("language model", language), ("classifier", classifier))
        for layer, row in enumerate(rates.tolist())
        for step, rate in enumerate(row, 1)
    ]
    heads = ["stage", "step", "layer", "share of the highest rate"]
    return kit.Export(N_("The schedule"), "ulmfit.csv", lambda: kit.table(heads, rows))


def example() -> kit.Example:
    """The schedule from Python."""
    return kit.Example(highest_rates, layers=LAYERS, epoch=EPOCH)


def highest_rates(layers: int, epoch: int) -> list[tuple[float, int]]:
    """For each layer, the lowest first: its highest rate as a classifier, and at how many steps it learns."""
    from explorer.finetuning.ulmfit import layer_rates

    __, classifier = layer_rates(layers, epoch)
    return list(zip(classifier.amax(1).tolist(), (classifier > 0).sum(1).tolist(), strict=True))


def schedule(language: "Tensor", classifier: "Tensor", palette: kit.Palette) -> "go.Figure":
    """The chart of the rates by layer and step of both stages; a layer that waits is left blank."""
    import torch

    rates = torch.cat([language, classifier], 1)
    layers, steps = rates.shape
    first = language.shape[1]
    figure = kit.blank(rows=2, cols=1, shared_xaxes=True, row_heights=[0.28, 0.72], vertical_spacing=0.04)
    kit.look(figure, palette, HEIGHT, margin={"l": 84, "r": 90, "t": 40, "b": 52})
    kit.axes(figure, palette)
    at = list(range(1, steps + 1))
    figure.add_scatter(
        x=at,
        y=[*slanted(first), *slanted(steps - first)],
        mode="lines",
        line={"color": palette.accent, "width": 3},
        hovertemplate=_("step {step}: {share} of the highest rate", step="%{x}", share="<b>%{y:.0%}</b>")
        + "<extra></extra>",
        row=1,
        col=1,
    )
    figure.add_heatmap(
        x=at,
        y=list(range(1, layers + 1)),
        z=[[rate or None for rate in row] for row in rates.pow(FADING).tolist()],
        text=[[localised(f"{rate:.1%}") for rate in row] for row in rates.tolist()],
        zmin=0,
        zmax=1,
        colorscale=[[0, palette.panel], [1, palette.accent]],
        showscale=False,
        xgap=1,
        ygap=4,
        hovertemplate=_(
            "step {step}, layer {layer}: {share} of the highest rate",
            step="%{x}",
            layer="%{y}",
            share="<b>%{text}</b>",
        )
        + "<extra></extra>",
        row=2,
        col=1,
    )
    figure.add_vline(first + 0.5, line={"color": palette.ink, "width": 1.5})
    stages = {_("next word"): 1, _("classifier"): first + 1}
    for name, left in stages.items():
        kit.say(
            figure, f"<b>{name}</b>", palette, x=left, xanchor="left", y=1.02, yref="paper", yanchor="bottom"
        )
    for layer, highest in enumerate(rates.amax(1).tolist()):
        right = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 8}
        kit.say(figure, localised(f"{highest:.1%}"), palette, y=layer + 1, yref="y2", **right)
    names = [block_name(layer) for layer in range(layers)]
    figure.update_yaxes(tickvals=list(range(1, layers + 1)), ticktext=names, showgrid=False, row=2, col=1)
    figure.update_yaxes(range=[0, 1.05], tickvals=[0, 1], tickformat=".0%", row=1, col=1)
    figure.update_xaxes(range=[0.5, steps + 0.5], row=1, col=1, showticklabels=False)
    kit.below(figure, _("step"), palette)
    return figure


def slanted(steps: int) -> list[float]:
    """The rate of each step of a stage, as a share of the highest."""
    from explorer.finetuning.ulmfit import slanted_triangle

    return [slanted_triangle(step, steps) for step in range(steps)]
