"""Sentences: each as one vector; the cosines of all pairs as squares, or the sentences as dots on a map."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.files.lines import filled_lines
from explorer.views.frame.example import Example, Load
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import memory
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import view_text
from explorer.views.search import examples, kinds, sentence_data
from explorer.views.search.settings import ENCODER, KIND
from explorer.views.settings.setting import LONGEST_OF_ALL, Setting
from explorer.views.settings.settings import Settings
from explorer.views.widgets import word_map
from explorer.views.widgets.controls import segments
from explorer.views.widgets.layer_chart import two_decimals
from explorer.views.widgets.registry import component, component_value
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.umap_wait import must_wait

if TYPE_CHECKING:
    from explorer.analysis.sentences import SentenceVectors

OPENING = """\
It is raining heavily.
What a downpour!
Nobody enjoyed this movie.
The film was awful.
A child is laughing.
The kid giggles.
The dog bit the man.
The man bit the dog.
The shop opens at nine.
The shop closes at nine.
We sat on the bank, fishing.
We sat in the bank, waiting."""
TEXT = Setting("sentences", OPENING, most=LONGEST_OF_ALL)
LOCKED = Setting("locked", "")  # the number of a line
PICTURE = Setting("picture", "matrix")
PICTURES = {"matrix": "Matrix", "pca": "Map: PCA", "tsne": "t‑SNE", "umap": "UMAP"}
MOST = 200
HEIGHT_PX = 400
NEAREST = 5
FEW_NAMES = 30  # of a map, in larger letters

VIEW_TEXT = view_text("search", "sentences")


def controls(page: OpenPage[None]) -> None:
    """Which vectors, and how they are drawn."""
    settings = page.settings
    settings.restrict(PICTURE, PICTURES)
    with st.container(key="search-controls", horizontal=True, gap="small"):
        kinds.control(settings)
        segments(settings, PICTURE, "Picture", PICTURES)


def draw(page: OpenPage[None]) -> Saves:
    """The sentences with the nearest of a clicked one, and beside them the squares or the map."""
    settings = page.settings
    left, right = st.columns([36, 64], gap="medium")
    with left.container(gap="xsmall"):
        label = "Sentences, one per line"
        text_box(settings, TEXT, label, "One sentence per line", lines=8, resets=[LOCKED.to("")])
        lines = filled_lines(settings[TEXT])
        panel = st.container(gap="xsmall")
    if len(lines) < 2:
        raise TextError("One sentence has nothing to be compared with.", "Write two or more, one a line.")
    texts = lines[:MOST]
    with right.container(gap="xxsmall"):
        vectors = kinds.read(page, texts)
        groups = sentence_data.groups(vectors)
        locked = int(settings[LOCKED]) if settings[LOCKED] in map(str, range(len(texts))) else None
        if settings[PICTURE] == "matrix":
            _matrix(settings, vectors, groups, locked)
            says = ""
        else:
            says = _map(settings, vectors, groups, locked)
        st.html(f'<p class="rb-point">{says} {_remarks(page, vectors, len(lines))}</p>')
    with panel:
        _nearest(settings, vectors, groups, locked)
    cosines = vectors.cosines.tolist()
    return [
        Picture("picture", "sentences"),
        Export(
            "Cosines",
            "sentences.csv",
            lambda: table(["sentence", *texts], [[text, *row] for text, row in zip(texts, cosines)]),
        ),
    ]


def _matrix(
    settings: Settings, vectors: "SentenceVectors", groups: list[int | None], locked: int | None
) -> None:
    """A square for each pair, in the order in which similar sentences stand side by side."""
    data = sentence_data.matrix(vectors, groups) | {
        "height": HEIGHT_PX,
        "theme": palette().name,
        "locked": "" if locked is None else str(locked),
        "summary": VIEW_TEXT.phrases["point"],
    }
    key = "search/matrix"
    component("widgets/cosine_matrix")(key=key, data=data, on_lock_change=_lock(settings, key))


def _map(settings: Settings, vectors: "SentenceVectors", groups: list[int | None], locked: int | None) -> str:
    """The sentences as dots; returns what the map keeps of their vectors."""
    from explorer.analysis import projection

    method = "pca" if must_wait(settings[PICTURE]) else settings[PICTURE]
    points = projection.project(vectors.dense, method)
    data = word_map.map_data(sentence_data.dots(vectors, groups), points.coordinates, HEIGHT_PX) | {
        "label": f"Map of {len(vectors.texts)} sentences",
        "stretch": method != "pca",
        "marks": word_map.marks([""] * len(set(groups) - {None})),
        "locked": "" if locked is None else str(locked),
        "near": [] if locked is None else [str(i) for i, _ in vectors.nearest(locked, NEAREST)],
        "small": len(vectors.texts) > FEW_NAMES,
    }
    word_map.draw_map(settings, "search/map", data, LOCKED)
    if points.explained is None:
        return points.note or VIEW_TEXT.phrases["neighbours"]
    return VIEW_TEXT.phrases["variance"].format(share=sum(points.explained))


def _nearest(
    settings: Settings, vectors: "SentenceVectors", groups: list[int | None], locked: int | None
) -> None:
    """The sentences that are nearest to the clicked one."""
    key = "search/nearest"
    data: dict[str, Any] = {"label": "Nearest sentences", "height": 0, "hint": VIEW_TEXT.phrases["click"]}
    if locked is not None:
        data["title"] = sentence_data.entry(vectors, groups, locked)
        data["rows"] = [
            sentence_data.entry(vectors, groups, i) | {"cosine": two_decimals(cosine)}
            for i, cosine in vectors.nearest(locked, NEAREST)
        ]
    component("widgets/nearest")(key=key, data=data, on_lock_change=_lock(settings, key))


def _lock(settings: Settings, key: str) -> Callable[[], None]:
    """A callback for a component in which a sentence is clicked, or released."""

    def clicked() -> None:
        if (line := component_value(key, "lock", LOCKED.takes)) is not None:
            settings.set(LOCKED.to(line))

    return clicked


def _remarks(page: OpenPage[None], vectors: "SentenceVectors", lines: int) -> str:
    """What is left out, what cannot be read, and how the model pools if its files do not say."""
    from explorer.analysis import sentences

    remarks = [f"The first {MOST} of {lines:,} sentences are shown."] if lines > MOST else []
    if unknown := sum(not row for row in vectors.dense.any(1).tolist()):
        remarks.append(f"{unknown} of them hold no word that is known here: their cosines are 0.")
    if name := kinds.model_name(page.settings):
        model = memory.get(name)
        remarks += [sentences.pooling(model).note] if page.settings[KIND] == ENCODER else []
    return " ".join(filter(None, remarks))


def example(page: OpenPage[None]) -> Example:
    """The same cosines from Python."""
    texts = filled_lines(page.settings[TEXT])[:MOST]
    if name := kinds.model_name(page.settings):
        return Example(examples.cosines_of_sentences, model=Load(name), texts=texts)
    return Example(examples.cosines_of_counts, texts=texts)


VIEW = View(
    text=VIEW_TEXT,
    settings=(TEXT, LOCKED, PICTURE),
    controls=controls,
    draw=draw,
    example=example,
    reading=lambda page: VIEW_TEXT.readings["matrix" if page.settings[PICTURE] == "matrix" else "map"],
)
