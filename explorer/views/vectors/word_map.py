"""Map: typed groups of words or the most frequent ones on a plane, by a projection or on typed axes."""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer import analysis
from explorer.errors import TextError
from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.types import LanguageModel, Neighbour, Projection, Tensor, Vectors
from explorer.views.vectors import examples, ratios
from explorer.views.vectors.settings import (
    DOWN,
    JOBS_AND_FEELINGS,
    LEFT,
    LOCKED,
    MODEL,
    OF,
    PAIR,
    PROJECTION,
    RIGHT,
    TEXT,
    UP,
    WORDS,
)
from explorer.views.vectors.word_table import display, group_words, nearest_line, rows, table
from explorer.views.widgets import word_map
from explorer.views.widgets import word_map as charts
from explorer.views.widgets.wait_until import must_wait

if TYPE_CHECKING:
    from explorer.analysis.projection.methods import Method


SOURCES = {"chosen": N_("My words"), "frequent": N_("500 most frequent")}
METHODS = {"pca": "PCA", "tsne": "t‑SNE", "umap": "UMAP", "axes": N_("My axes"), "ratio": N_("Counts")}
ENDS = (LEFT, RIGHT, DOWN, UP)
AXIS_ENDS = {
    LEFT: N_("Axis, left end"),
    RIGHT: N_("Axis, right end"),
    DOWN: N_("Axis, down end"),
    UP: N_("Axis, up end"),
}
MOST = 500
HEIGHT_PX = 424
NEIGHBOURS = 6

VIEW_TEXT = kit.view_text("vectors", "map")


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The list of words and the neighbours of a clicked one, the map beside them."""
    settings = page.settings
    settings.restrict(PROJECTION, METHODS)
    if settings[PROJECTION] == "ratio":
        return _draw_ratios(settings)
    if settings[PROJECTION] == "axes" and settings.chosen(WORDS) == WORDS.default:
        settings.show_instead(
            WORDS.to(JOBS_AND_FEELINGS)
        )  # the groups of the opening lean to none of the ends
    embeddings = table(page.model)
    left, right = st.columns([32, 68], gap="medium")
    with left.container(gap="xsmall"):
        kit.segments(settings, OF, _("Words"), translate(SOURCES))
        if settings[OF] == "chosen":
            kit.text_box(settings, WORDS, _("Words, one group per line"), _("one group per line"), lines=6)
        if settings[PROJECTION] == "axes":
            _ends(settings)
        words, member, names, missing = _words(settings, embeddings)
        blocked = kit.blocklist.over(settings[MODEL], settings[WORDS], settings[LOCKED])
        _panel(settings, embeddings, blocked)
    with right.container(gap="xxsmall"):
        kit.segments(settings, PROJECTION, _("Projection"), translate(METHODS))
        points, says = _points(page, embeddings, words)
        _map(page, embeddings, words, member, names, points, blocked)
        lost = _("No vector for {words}.", words=", ".join(map(kit.quoted, missing))) if missing else ""
        st.html(f'<p class="rb-point">{escape(says)}{" " * bool(lost)}{lost}</p>')
    places = [
        [display(word, blocked), names[group] if group >= 0 else "", x, y]
        for word, group, (x, y) in zip(words, member, points.tolist())
    ]
    return [
        kit.Picture("picture", "word-map"),
        kit.Export(N_("Coordinates"), "word-map.csv", lambda: kit.table(["word", "group", "x", "y"], places)),
    ]


def _draw_ratios(settings: kit.Settings) -> kit.Saves:
    """In place of the map, what GloVe counts first: the words near either of two."""
    if kit.for_class():  # the box is for the desk
        left, right = st.container(), st.container()
    else:
        left, right = st.columns([32, 68], gap="medium")
    with left:
        kit.text_box(settings, PAIR, _("Two words of the text"), _("Two words of the text"))
    with right.container(gap="xxsmall"):
        kit.segments(settings, PROJECTION, _("Projection"), translate(METHODS))
        return ratios.draw(settings)


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the picture."""
    from explorer.analysis.vectors.cooccurrence import LEAST

    chosen = VIEW_TEXT.readings.get(page.settings[PROJECTION], VIEW_TEXT.reading)
    return chosen.filled(least=LEAST)


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same places from Python."""
    if page.settings[PROJECTION] == "ratio":
        return ratios.example(page)
    settings, model = page.settings, kit.Load(page.settings[MODEL])
    chosen = settings[OF] == "chosen"
    words = group_words(table(page.model), settings[WORDS], MOST)[0] if chosen else MOST
    if settings[PROJECTION] == "axes":
        ends = {str(end): settings[end].strip() for end in ENDS}
        return kit.Example(examples.map_on_axes, model=model, words=words, **ends)
    return kit.Example(examples.map_of_words, model=model, words=words, method=settings[PROJECTION])


def _words(
    settings: kit.Settings, embeddings: "Vectors"
) -> tuple[list[str], list[int], list[str], list[str]]:
    """The words on the map, the group of each (-1: none), the groups' names; typed words without a vector.

    Raises TextError where none of the typed words has one.
    """
    if settings[OF] == "frequent":
        words = analysis.vectors.frequent(embeddings, MOST)
        return words, [-1] * len(words), [], []
    words, member, names, missing = group_words(embeddings, settings[WORDS], MOST)
    if not words:
        raise TextError(
            _("None of these words has a vector here."), _("One group per line: food: bread cheese")
        )
    return words, member, names, missing


def _ends(settings: kit.Settings) -> None:
    for (one, other), arrow in ((ENDS[:2], "→"), (ENDS[2:], "↑")):
        columns = st.columns([5, 1, 5], vertical_alignment="center", gap="xsmall")
        with columns[0]:
            kit.text_box(settings, one, _(AXIS_ENDS[one]), _("a word"))
        columns[1].html(f'<p style="margin:0;text-align:center">{arrow}</p>')
        with columns[2]:
            kit.text_box(settings, other, _(AXIS_ENDS[other]), _("a word"))


def _points(page: kit.OpenPage[None], embeddings: "Vectors", words: list[str]) -> "tuple[Tensor, str]":
    """A place for each word, and a line on how much of the variance the map shows."""
    settings = page.settings
    if settings[PROJECTION] == "axes":
        import torch

        from explorer.analysis import vectors

        left, right, down, up = (settings[end].strip() for end in ENDS)
        ends = ((left, right), (down, up))
        return torch.stack([vectors.along(embeddings, words, *pair) for pair in ends], 1), ""
    chosen: Method = settings[PROJECTION]
    method: Method = "pca" if must_wait(chosen) else chosen
    projection = _projected(page.model, method, tuple(words))
    caveat = word_map.kept(METHODS[method], projection, kit.for_class())
    if projection.explained is not None:
        share = kit.whole_percent(sum(projection.explained))
        caveat = _("This plane keeps {share} of the variance of these words.", share=share)
        caveat = "" if kit.for_class() else caveat
    return projection.coordinates, projection.note or caveat


@kit.kept(64)
def _projected(model: "LanguageModel", method: "Method", words: tuple[str, ...]) -> "Projection":
    return analysis.projection.project(table(model).unit(words), method)


@kit.kept(16)
def _nearest(model: "LanguageModel", words: tuple[str, ...]) -> "list[list[Neighbour]]":
    return analysis.vectors.nearest_to_each(table(model), words)


def _map(
    page: kit.OpenPage[None],
    embeddings: "Vectors",
    words: list[str],
    member: list[int],
    names: list[str],
    points: "Tensor",
    blocked: kit.blocklist.Blocklist,
) -> None:
    """The component, with everything it draws."""
    settings = page.settings
    many = len(words) > 120
    dots: list[dict[str, Any]] = [
        {
            "id": word,
            "text": display(word, blocked),
            "mark": group,
            "tip": _tip(names, group, near, blocked),
            "size": 0.8 if group >= 0 else 0.45 if many else 0.6,
        }
        for word, group, near in zip(words, member, _nearest(page.model, tuple(words)))
    ]
    # The typed words' names choose their places first.
    order = sorted(range(len(dots)), key=lambda i: dots[i]["mark"] < 0)
    data = charts.map_data([dots[i] for i in order], points[order], HEIGHT_PX)
    selected, near = settings[LOCKED], []
    if selected in embeddings:
        from explorer.analysis import vectors

        near = [n.word for n in vectors.nearest(embeddings, selected, NEIGHBOURS)]
    data["stretch"] = settings[PROJECTION] != "pca"  # no other picture's scale means anything
    if settings[PROJECTION] == "axes":
        data |= {"axes": [[settings[end].strip() for end in pair] for pair in (ENDS[:2], ENDS[2:])]}
        data |= {"reach": [max(1.05, reach) for reach in data["reach"]]}
    data |= {
        "label": _("Map of {count} words", count=len(words)),
        "marks": charts.marks(names),
        "legend": charts.legend(names, member),
        "locked": selected,
        "near": near,
        "small": many,
    }
    charts.draw_map(settings, "vectors/map", data, LOCKED)


def _tip(names: list[str], group: int, near: "list[Neighbour]", blocked: kit.blocklist.Blocklist) -> str:
    nearest = nearest_line((display(n.word, blocked), n.cosine) for n in near)
    return "\n".join([*([names[group]] if group >= 0 else []), nearest])


def _panel(settings: kit.Settings, embeddings: "Vectors", blocked: kit.blocklist.Blocklist) -> None:
    """The selected word's nearest words in the original space."""
    word = settings[LOCKED]
    if word not in embeddings:
        press = _("Press a dot: its nearest words, by cosine, are listed here.")
        st.html(f'<p class="rb-quiet">{press}</p>')
        return
    neighbours = analysis.vectors.nearest(embeddings, word, NEIGHBOURS)
    nearest = _("Nearest to <b>{word}</b>, by cosine", word=kit.quoted(display(word, blocked)))
    st.html(f'<p class="rb-how">{nearest}</p>')
    kit.bars(
        rows(neighbours, blocked),
        "vectors/near",
        _("Words nearest to {word}", word=word),
        lambda index: settings.set(LOCKED.to(neighbours[index].word)),
        visible=NEIGHBOURS,
    )


VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=reading, change=lambda page: VIEW_TEXT.phrases.get(page.settings[PROJECTION], "")
    ),
    settings=(OF, PROJECTION, LEFT, RIGHT, DOWN, UP, TEXT, PAIR),
    picture=draw,
    example=example,
    stage=kit.Stage(
        panel=f'[data-testid="stColumn"]:has(.st-key-vectors-{WORDS}-box)',
        desk=f".st-key-vectors-{PROJECTION}",
    ),
)
