"""The GPT models of the papers, from assets/texts/gpt-scale.json, and those here: table and chart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import log10
from pathlib import Path

from explorer import assets
from explorer.assets import TEXTS, read_once
from explorer.catalogue.ability import Ability
from explorer.catalogue.manifest import manifests
from explorer.locale import N_, _, format_large_number, format_number, language, localised, percent
from explorer.server.memory import short_label
from explorer.views import kit
from explorer.views.about import cards, record
from explorer.views.frame.sizes import sizes
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.types import go
from explorer.views.widgets.chart_look import REACH_PX, axes, below, blank, look, say, title
from explorer.views.widgets.curves import name_ends
from explorer.views.widgets.numbers import per_cent

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
class Here:
    """A model that is here: its name, its parameters, and the tokens it read; None without a record."""

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


def here() -> list[Here]:
    """The models here that write, the smallest first: parameters from their weights, tokens from records."""
    models = []
    for name in cards.names():
        if name in manifests() and Ability.GENERATE in manifests()[name].abilities:
            training = record.read(name)
            tokens = training.last.tokens if training else None
            models.append(Here(short_label(name), sizes(record.folder(name)).parameters, tokens))
    return sorted(models, key=lambda model: model.parameters)


HEADS = [
    N_("model"),
    N_("year"),
    N_("parameters"),
    N_("text it read"),
    N_("last words guessed (LAMBADA, zero-shot)"),
    N_("source"),
]


def accuracy_by_size() -> dict[str, dict[int, float | None]]:
    """Zero-shot accuracy on LAMBADA by the number of parameters, for each paper; those here have none."""
    from explorer.views.about import families

    published = {
        family.name: {
            one.parameters: None if one.lambada is None else one.lambada / 100 for one in family.members
        }
        for family in families.published()
    }
    return published | {f"{one.name}, here": {one.parameters: None} for one in families.here()}


def cited() -> str:
    """The papers, as a line of HTML."""
    lines = " ".join(f"<b>{year}</b>: {escape(paper)}." for year, paper in papers().items())
    return f'<p class="rb-quiet">{lines}</p>'


def rows() -> list[list[str]]:
    """The families and the models here in words: name, year, sizes, text, scores, and where each is from."""
    return [*map(_family_row, published()), *map(_row_here, here())]


def _family_row(family: FamilyMembers) -> list[str]:
    scores = [_percent(one.lambada) for one in family.members if one.lambada is not None]
    return [
        family.name,
        str(family.year),
        _span([record.count(one.parameters) for one in family.members]),
        family.text,
        _span(scores) or _("no number given"),
        _(
            "sizes: {sizes}; text: {text}; scores: {scores}",
            sizes=family.sizes_from,
            text=family.text_from,
            scores=family.scores_from,
        ),
    ]


def _row_here(one: Here) -> list[str]:
    read = "" if one.tokens is None else _("{count} tokens", count=record.count(one.tokens))
    return [
        _("{model}, here", model=one.name),
        "",
        record.count(one.parameters),
        read,
        _("not tested"),
        _("its weights and its record"),
    ]


def _percent(number: float) -> str:
    return percent(localised(f"{number:.1f}"))


def _span(values: list[str]) -> str:
    least, most = values[:1], values[-1:]
    if least == most:
        return "".join(least)
    return _("{least} to {most}", least=least[0], most=most[0])


def scale_csv() -> str:
    """All models with their figures and sources, as CSV."""
    rows: list[list[str | int | float]] = []
    for family in published():
        for member in family.members:
            score = "" if member.lambada is None else member.lambada
            rows.append([family.name, family.year, member.parameters, family.text, score, family.scores_from])
    for one in here():
        read = "" if one.tokens is None else f"{one.tokens} tokens"
        rows.append([f"{one.name}{HERE}", "", one.parameters, read, "", "the weights, and their record"])
    heads = ["model", "year", "parameters", "text", "LAMBADA, zero-shot, per cent", "source of the score"]
    return kit.table(heads, rows)


HEIGHT = 376
LANE, LOWER = -0.13, -0.27  # the places of what was not tested, below 0%: of the papers, and of those here
COMPARED = 0.26  # the height of the bracket below the largest models of two papers
UP = N_("last word of a passage guessed right, without an example (a test called LAMBADA)")
ACROSS = N_("parameters")
HERE = ", here"  # ends the name of a model that is here


def figure(scores: Mapping[str, Mapping[int, float | None]], palette: Palette) -> "go.Figure":
    """A line for each paper against the parameters, on a logarithmic axis; a bracket compares the largest.

    Models without a score are in two lanes below 0%: those of the papers, and below them those here.
    """
    chart = blank()
    look(chart, palette, HEIGHT, margin={"l": 100, "r": 150, "t": 34, "b": 52}, hoverdistance=REACH_PX)
    axes(chart, palette)
    lines = [name for name in scores if not name.endswith(HERE)]
    largest = {name: max(scores[name]) for name in lines}
    for number, name in enumerate(lines):
        colour, by_size = palette.senses[number], dict(sorted(scores[name].items()))
        heights = [LANE if score is None else score for score in by_size.values()]
        words = [_("not tested") if score is None else _percent(100 * score) for score in by_size.values()]
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
        goes_on = largest[name] < max(largest.values()) and heights[-1] != LANE  # beside another line
        where = {"yanchor": "bottom", "yshift": 8} if goes_on else {"yanchor": "middle", "xshift": 14}
        end = [(f"<b>{escape(name)}</b>", heights[-1], colour)]
        # On a logarithmic axis an annotation is placed by the logarithm.
        name_ends(chart, end, HEIGHT - 86, palette, LANE, x=log10(largest[name]), **where)
    tested = sorted((size, scores[name][size]) for name, size in largest.items() if scores[name][size])
    if len(tested) > 1:
        _compare(chart, tested[-2:], palette)
    _mark_here(chart, {name: min(scores[name]) for name in scores if name.endswith(HERE)}, palette)
    levels = [0, 0.2, 0.4, 0.6, 0.8, 1]
    words = [_("not tested"), *(per_cent(level) for level in levels)]
    chart.update_yaxes(range=[-0.36, 1.02], tickvals=[(LANE + LOWER) / 2, *levels], ticktext=words)
    ticks = [10**power for power in range(6, 12)]
    chart.update_xaxes(type="log", tickvals=ticks, ticktext=[record.count(tick) for tick in ticks])
    title(chart, _(UP), palette)
    below(chart, _(ACROSS), palette)
    return chart


def _compare(chart: "go.Figure", ends: Sequence[tuple[int, float | None]], palette: Palette) -> None:
    """Draw a bracket between two models, with their sizes and how many times larger the second is."""
    (small, low), (large, high) = ends
    chart.add_scatter(
        x=[small, small, large, large],
        y=[low, COMPARED, COMPARED, high],
        mode="lines",
        line={"color": palette.ink, "width": 2, "dash": "dot"},
        hoverinfo="skip",
        name="compared",
    )
    ink = {"font": {"color": palette.ink}, "y": COMPARED}
    for size, side, shift in ((small, "right", -10), (large, "left", 10)):
        words = _("<b>{number} billion</b>", number=localised(f"{round(size / 1e9, 1):g}"))
        if language() == "zh":  # 15亿
            words = f"<b>{format_large_number(round(size, -8))}</b>"
        say(chart, words, palette, x=log10(size), xanchor=side, xshift=shift, yanchor="middle", **ink)
    times = format_number(round(float(f"{large / small:.1g}")))
    words = _("<b>about {times} times larger</b>", times=times)
    say(chart, words, palette, x=log10(small * large) / 2, yanchor="bottom", yshift=2, **ink)


def _mark_here(chart: "go.Figure", sizes: Mapping[str, int], palette: Palette) -> None:
    """Draw the models that are here as stars in the lower lane, each with its name."""
    sizes = {_("{model}, here", model=name.removesuffix(HERE)): size for name, size in sizes.items()}
    chart.add_scatter(
        x=list(sizes.values()),
        y=[LOWER] * len(sizes),
        customdata=[[name, record.count(size)] for name, size in sizes.items()],
        name=_("here"),
        mode="markers",
        marker={"symbol": "star", "size": 14, "color": palette.ink},
        hovertemplate="%{customdata[0]}, %{customdata[1]}: " + _("not tested") + "<extra></extra>",
    )
    where = {"y": LOWER, "xanchor": "left", "xshift": 12, "yanchor": "middle", "font": {"color": palette.ink}}
    for name, size in sizes.items():
        say(chart, f"<b>{escape(name)}</b>", palette, x=log10(size), **where)
