"""Sentences: each as one vector; the cosines of all pairs as squares, or the sentences as dots on a map."""

from typing import Any

import streamlit as st

from explorer import analysis
from explorer.errors import TextError
from explorer.files.lines import filled_lines
from explorer.views import kit
from explorer.views.search import examples, kinds, own_file, sentence_data
from explorer.views.search.sentence_data import Clusters
from explorer.views.search.settings import ENCODER, KIND
from explorer.views.types import SentenceVectors
from explorer.views.widgets import notes, word_map
from explorer.views.widgets.layer_chart import two_decimals
from explorer.views.widgets.wait_until import must_wait

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
TEXT = kit.Setting("sentences", OPENING, most=kit.LONGEST_OF_ALL)
LOCKED = kit.Setting("locked", "")  # the place of a line, from 0
PICTURE = kit.Setting("picture", "matrix")
PICTURES = {"matrix": "Matrix", "pca": "PCA", "tsne": "t‑SNE", "umap": "UMAP"}
MOST = 200
HEIGHT_PX = 384
NEAREST = 5

VIEW_TEXT = kit.view_text("search", "sentences")


def controls(page: kit.OpenPage[None]) -> None:
    """Which vectors, and how they are drawn."""
    settings = page.settings
    settings.restrict(PICTURE, PICTURES)
    with st.container(key="search-controls", horizontal=True, gap="small"):
        kinds.control(settings)
        kit.segments(settings, PICTURE, "Picture", PICTURES)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The sentences with the nearest of a clicked one, and beside them the squares or the map."""
    settings = page.settings
    left, right = st.columns([33, 67], gap="medium")
    with left.container(gap="xsmall"):
        label = "Sentences, one per line"
        kit.text_box(settings, TEXT, label, "One sentence per line", lines=8, resets=[LOCKED.to("")])
        own_file.button(settings, _take)
        panel = st.container(gap="xsmall")
    lines = filled_lines(settings[TEXT])
    if len(lines) < 2:
        raise TextError("One sentence has nothing to be compared with.", "Write two or more, one a line.")
    with right.container(gap="xxsmall"):
        vectors = kinds.read(page, lines[:MOST])
        clusters = sentence_data.clusters_of(vectors)
        locked = settings[LOCKED] if settings[LOCKED] in map(str, range(len(vectors.texts))) else ""
        near = vectors.nearest(int(locked), NEAREST) if locked else []
        if settings[PICTURE] == "matrix":
            _matrix(settings, vectors, clusters, locked)
            remarks = []
        else:
            remarks = [_map(settings, vectors, clusters, locked, [str(i) for i, _ in near])]
        notes.note(" ".join([*remarks, *_remarks(page, vectors, len(lines))]))
    with panel:
        key = "search/nearest"
        data: dict[str, Any] = {"label": "Nearest sentences", "height": 0, "hint": VIEW_TEXT.phrases["click"]}
        if locked:
            data["title"] = sentence_data.entry(vectors, clusters, int(locked))
            data["rows"] = [
                sentence_data.entry(vectors, clusters, i) | {"cosine": two_decimals(cosine)}
                for i, cosine in near
            ]
        kit.component("widgets/nearest")(
            key=key, data=data, on_lock_change=word_map.lock(settings, key, LOCKED)
        )
    rows = [[text, *row] for text, row in zip(vectors.texts, vectors.cosines.tolist())]
    return [
        kit.Picture("picture", "sentences"),
        kit.Export("Cosines", "sentences.csv", lambda: kit.table(["sentence", *vectors.texts], rows)),
    ]


def _take(settings: kit.Settings, texts: list[str]) -> None:
    """Put the sentences of a file into the box."""
    settings.set(TEXT.to("\n".join(" ".join(text.split()) for text in texts[:MOST])), LOCKED.to(""))


def _matrix(settings: kit.Settings, vectors: "SentenceVectors", clusters: Clusters, locked: str) -> None:
    """A square for each pair, in the order in which similar sentences stand side by side."""
    data = sentence_data.matrix(vectors, clusters, HEIGHT_PX)
    data |= {"theme": kit.palette().name, "locked": locked, "summary": VIEW_TEXT.phrases["point"]}
    key = "search/matrix"
    kit.component("widgets/cosine_matrix")(
        key=key, data=data, on_lock_change=word_map.lock(settings, key, LOCKED)
    )


def _map(
    settings: kit.Settings, vectors: "SentenceVectors", clusters: Clusters, locked: str, near: list[str]
) -> str:
    """The sentences as dots; returns what the map keeps of their vectors."""
    method = "pca" if must_wait(settings[PICTURE]) else settings[PICTURE]
    points = analysis.projection.project(vectors.dense, method)
    data = word_map.map_data(sentence_data.dots(vectors, clusters), points.coordinates, HEIGHT_PX) | {
        "label": f"Map of {len(vectors.texts)} sentences",
        "stretch": method != "pca",
        "marks": word_map.marks([""] * len(set(clusters) - {None})),
        "locked": locked,
        "near": near,
        "small": len(vectors.texts) > sentence_data.FEW,
    }
    word_map.draw_map(settings, "search/map", data, LOCKED)
    if points.explained is None:
        return points.note or word_map.kept(PICTURES[method], points, kit.for_class())
    return VIEW_TEXT.phrases["variance"].format(share=sum(points.explained))


def _remarks(page: kit.OpenPage[None], vectors: "SentenceVectors", count: int) -> list[str]:
    """What the vectors are, what is left out, and what cannot be read."""
    says, label = VIEW_TEXT.phrases, kinds.choices(page.settings)[page.settings[KIND]]
    remarks = [f"The first {MOST} of {count:,} sentences are shown."] if count > MOST else []
    if unknown := int((~vectors.dense.any(1)).sum()):
        remarks.append(f"Sentences without a known word: {unknown}; their cosines are 0.")
    if not (name := kinds.model_name(page.settings)):
        return [says["counts"].format(label=label), *remarks]
    model = kit.memory.get(name)
    pooling = analysis.sentences.pooling(model)
    pooled = ", joined with ".join(says[mode] for mode in pooling.modes)
    vector = says["vector"].format(label=label, size=vectors.vectors.shape[1], pooling=pooled)
    cut = [i for i, text in enumerate(vectors.texts, 1) if analysis.sentences.encode(model, text).truncated]
    remarks += [f"Of line {cut[0]} the model reads the beginning only."] if cut else []
    return [
        *([] if kit.for_class() else [vector]),
        *remarks,
        *([pooling.note] if page.settings[KIND] == ENCODER and pooling.note else []),
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same cosines from Python."""
    name = kinds.model_name(page.settings)
    texts = filled_lines(page.settings[TEXT])[:MOST]
    return kit.Example(examples.cosines_of_sentences, model=kit.Load(name) if name else None, texts=texts)


VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=lambda page: VIEW_TEXT.readings["matrix" if page.settings[PICTURE] == "matrix" else "map"]
    ),
    settings=(TEXT, LOCKED, PICTURE),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(panel=f'[data-testid="stColumn"]:has(.st-key-search-{TEXT}-box)', desk=".told"),
)
