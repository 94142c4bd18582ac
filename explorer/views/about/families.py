"""The GPT models of the papers, from assets/texts/gpt-scale.json, and our own: figures, table and chart."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import log10
from pathlib import Path

from explorer import assets
from explorer.assets import TEXTS, read_once
from explorer.server.memory import short_label
from explorer.views import kit
from explorer.views.about import cards, record
from explorer.views.frame.sizes import sizes
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.types import go
from explorer.views.widgets.chart_look import REACH_PX, axes, below, blank, look, say, title
from explorer.views.widgets.curves import name_ends

FILE = TEXTS / "gpt-scale.json"


@dataclass(frozen=True)
class Member:
    """A published model: its parameters, and its zero-shot accuracy on LAMBADA in per cent, if given."""

    parameters: int
    lambada: float | None


@dataclass(frozen=True)
class FamilyMembers:
    """The models of one paper, the smallest first; `..._from` name the paper and table of a figure."""

    name: str
    year: int
    text: str
    text_from: str
    sizes_from: str
    scores_from: str
    members: list[Member]


@dataclass(frozen=True)
class Own:
    """A bundled model: its name, its parameters, and the tokens it read; None without a record."""

    name: str
    parameters: int
    tokens: int | None


@read_once
def published(path: Path = FILE) -> list[FamilyMembers]:
    """The first GPT, GPT-2 and GPT-3. Raises ExplorerError if the file is damaged."""
    try:
        return [
            FamilyMembers(members=[Member(**entry) for entry in family.pop("models")], **family)
            for family in assets.data(path)["families"]
        ]
    except (KeyError, TypeError) as error:
        raise assets.damaged(path) from error


@read_once
def papers(path: Path = FILE) -> dict[str, str]:
    """The papers by the year by which a figure cites them."""
    titles: dict[str, str] = assets.data(path)["papers"]
    return titles


def own() -> list[Own]:
    """The models that ship, the smallest first: parameters from their weights, tokens from their records."""
    models = []
    for name in cards.shipped():
        training = record.read(name)
        size = sizes(record.folder(name))
        models.append(Own(short_label(name), size.parameters, training.last.tokens if training else None))
    return sorted(models, key=lambda model: model.parameters)


HEADS = ["model", "year", "parameters", "text it read", "LAMBADA, zero-shot", "source"]


def accuracy_by_size() -> dict[str, dict[int, float | None]]:
    """Zero-shot accuracy on LAMBADA by the number of parameters, for each paper; ours were not tested."""
    from explorer.views.about import families

    published = {
        family.name: {
            one.parameters: None if one.lambada is None else one.lambada / 100 for one in family.members
        }
        for family in families.published()
    }
    return published | {f"{one.name}, ours": {one.parameters: None} for one in families.own()}


def cited() -> str:
    """The papers, as a line of HTML."""
    lines = " ".join(f"<b>{year}</b>: {escape(paper)}." for year, paper in papers().items())
    return f'<p class="rb-quiet">{lines}</p>'


def rows() -> list[list[str]]:
    """The families and our models in words: name, year, sizes, text, scores, and where each is from."""
    return [*map(_family_row, published()), *map(_own_row, own())]


def _family_row(family: FamilyMembers) -> list[str]:
    scores = [f"{one.lambada:.1f}%" for one in family.members if one.lambada is not None]
    return [
        family.name,
        str(family.year),
        _span([record.count(one.parameters) for one in family.members]),
        family.text,
        _span(scores) or "no number given",
        f"sizes: {family.sizes_from}; text: {family.text_from}; scores: {family.scores_from}",
    ]


def _own_row(one: Own) -> list[str]:
    read = "" if one.tokens is None else f"{record.count(one.tokens)} tokens"
    return [
        f"{one.name}{OURS}",
        "",
        record.count(one.parameters),
        read,
        "not tested",
        "its weights and its record",
    ]


def _span(values: list[str]) -> str:
    return " to ".join(dict.fromkeys([*values[:1], *values[-1:]]))


def scale_csv() -> str:
    """All models with their figures and sources, as CSV."""
    rows: list[list[str | int | float]] = []
    for family in published():
        for member in family.members:
            score = "" if member.lambada is None else member.lambada
            rows.append([family.name, family.year, member.parameters, family.text, score, family.scores_from])
    for mine in own():
        read = "" if mine.tokens is None else f"{mine.tokens} tokens"
        rows.append([f"{mine.name}{OURS}", "", mine.parameters, read, "", "the weights, and their record"])
    heads = ["model", "year", "parameters", "text", "LAMBADA, zero-shot, per cent", "source of the score"]
    return kit.table(heads, rows)


HEIGHT = 376
LANE = -0.2  # the place of what has no score, below 0%
UP, ACROSS = "last words of LAMBADA guessed right, zero-shot", "parameters"
OURS = ", ours"  # ends the name of a bundled model


def figure(scores: Mapping[str, Mapping[int, float | None]], palette: Palette) -> "go.Figure":
    """A line for each paper against the parameters, on a logarithmic axis.

    Models without a score are in a lane below 0%, and so are our own.
    """
    chart = blank()
    look(chart, palette, HEIGHT, margin={"l": 84, "r": 150, "t": 34, "b": 52}, hoverdistance=REACH_PX)
    axes(chart, palette)
    lines = [name for name in scores if not name.endswith(OURS)]
    largest = max(parameters for name in lines for parameters in scores[name])
    for number, name in enumerate(lines):
        colour, by_size = palette.senses[number], dict(sorted(scores[name].items()))
        heights = [LANE if score is None else score for score in by_size.values()]
        words = ["no score" if score is None else f"{score:.1%}" for score in by_size.values()]
        chart.add_scatter(
            x=list(by_size),
            y=heights,
            customdata=list(zip(map(record.count, by_size), words)),
            name=escape(name),
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"symbol": SENSE_SHAPES[number], "size": 12, "color": colour},
            hovertemplate=f"{escape(name)}, %{{customdata[0]}}<br><b>%{{customdata[1]}}</b><extra></extra>",
        )
        goes_on = max(by_size) < largest and heights[-1] != LANE  # another line goes on beside its end
        where = {"yanchor": "bottom", "yshift": 8} if goes_on else {"yanchor": "middle", "xshift": 14}
        end = [(f"<b>{escape(name)}</b>", heights[-1], colour)]
        # On a logarithmic axis an annotation is placed by the logarithm.
        name_ends(chart, end, HEIGHT - 86, palette, LANE, x=log10(max(by_size)), **where)
    ours = {name.removesuffix(OURS): min(scores[name]) for name in scores if name.endswith(OURS)}
    _mark_ours(chart, ours, palette)
    levels = [0, 0.2, 0.4, 0.6, 0.8, 1]
    words = ["no score", *(f"{level:.0%}" for level in levels)]
    chart.update_yaxes(range=[-0.27, 1.02], tickvals=[LANE, *levels], ticktext=words)
    ticks = [10**power for power in range(6, 12)]
    chart.update_xaxes(type="log", tickvals=ticks, ticktext=[record.count(tick) for tick in ticks])
    title(chart, UP, palette)
    below(chart, ACROSS, palette)
    return chart


def _mark_ours(chart: "go.Figure", sizes: Mapping[str, int], palette: Palette) -> None:
    """Draw our models as stars in the lane, with their names above the smallest."""
    chart.add_scatter(
        x=list(sizes.values()),
        y=[LANE] * len(sizes),
        customdata=[[name, record.count(size)] for name, size in sizes.items()],
        name="ours",
        mode="markers",
        marker={"symbol": "star", "size": 14, "color": palette.ink},
        hovertemplate=f"%{{customdata[0]}}{OURS}, %{{customdata[1]}}: not tested<extra></extra>",
    )
    names, middle = [escape(name) for name in sizes], (len(sizes) + 1) // 2
    text = ",<br>".join(", ".join(part) for part in (names[:middle], names[middle:]) if part)
    where = {"xanchor": "left", "yanchor": "bottom", "yshift": 8, "font": {"color": palette.ink}}
    say(chart, f"<b>ours</b>: {text}", palette, x=log10(min(sizes.values())), y=LANE, **where)
