"""Sentences: each as one vector; the cosines of all pairs as squares, or the sentences as dots on a map.

They are the visitor's lines, or our own sentences in many languages, with lines of the visitor's among them.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer import analysis
from explorer.catalogue.manifest import manifests
from explorer.errors import TextError
from explorer.files.lines import filled_lines
from explorer.locale import N_, _, format_number, translate
from explorer.views import kit
from explorer.views.search import examples, kinds, own_file, sentence_data
from explorer.views.search.sentence_data import Clusters
from explorer.views.search.settings import ENCODER, KIND
from explorer.views.types import SentenceVectors, TranslatedSentence
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
COLLECTION = kit.Setting("collection", "own")
COLLECTIONS = {"own": N_("Your lines"), "translations": N_("24 languages")}
ADDED = kit.Setting("added", "", most=2_000)  # among the translations
COLOUR = kit.Setting("colour", "meaning")
COLOURS = {"meaning": N_("Meaning"), "language": N_("Language")}
LOCKED = kit.Setting("locked", "")  # the place of a line, from 0
PICTURE = kit.Setting("picture", "matrix")
PICTURES = {"matrix": N_("Matrix"), "pca": "PCA", "tsne": "t‑SNE", "umap": "UMAP"}
MAPS = {method: PICTURES[method] for method in ("tsne", "umap", "pca")}
MOST = 200
HEIGHT_PX = 384
NEAREST = 5

VIEW_TEXT = kit.view_text("search", "sentences")


def controls(page: kit.OpenPage[None]) -> None:
    """Which vectors, and how they are drawn."""
    settings = page.settings
    with st.container(key="search-controls", horizontal=True, gap="small"):
        kinds.control(settings)
        ours = settings[COLLECTION] == "translations"
        kit.segments(settings, PICTURE, _("Picture"), translate(MAPS if ours else PICTURES))
        if ours:
            kit.segments(settings, COLOUR, _("Colour"), translate(COLOURS))


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The sentences with the nearest of a clicked one, and beside them the squares or the map."""
    settings = page.settings
    ours = analysis.sentences.translations() if settings[COLLECTION] == "translations" else ()
    left, right = st.columns([33, 67], gap="medium")
    with left.container(gap="xsmall"):
        kit.segments(settings, COLLECTION, _("Sentences"), translate(COLLECTIONS))
        if ours:
            label, hint = _("Your own among them, one per line"), _("Add a sentence, in any language")
            kit.text_box(settings, ADDED, label, hint, lines=2, resets=[LOCKED.to(str(len(ours)))])
        else:
            label, hint = _("Sentences, one per line"), _("One sentence per line")
            kit.text_box(settings, TEXT, label, hint, lines=8, resets=[LOCKED.to("")])
            own_file.button(settings, _take)
        panel = st.container(gap="xsmall")
    lines = [*(each.text for each in ours), *filled_lines(settings[ADDED if ours else TEXT])]
    if len(lines) < 2:
        raise TextError(
            _("One sentence has nothing to be compared with."), _("Write two or more, one a line.")
        )
    with right.container(gap="xxsmall"):
        vectors = kinds.read(page, lines[:MOST])
        colours = [getattr(each, settings[COLOUR]) for each in ours]
        groups = list(dict.fromkeys(colours))
        clusters = (
            [*map(groups.index, colours), *[None] * (len(vectors.texts) - len(ours))]
            if ours
            else sentence_data.clusters_of(vectors)
        )
        locked = settings[LOCKED] if settings[LOCKED] in map(str, range(len(vectors.texts))) else ""
        near = vectors.nearest(int(locked), NEAREST) if locked else []
        if settings[PICTURE] == "matrix":
            _matrix(settings, vectors, clusters, locked)
            remarks = []
        else:
            places = [str(i) for i, __ in near]
            remarks = [_map(settings, vectors, clusters, locked, places, groups, ours)]
        if ours:
            remarks[:0] = _neighbours(settings, vectors)
        notes.note(" ".join([*remarks, *_remarks(page, vectors, len(lines))]))
    with panel:
        key = "search/nearest"
        data: dict[str, Any] = {
            "label": _("Nearest sentences"),
            "height": 0,
            "hint": VIEW_TEXT.phrases["click"],
        }

        def entry(i: int) -> dict[str, Any]:
            language = {"sense": ours[i].language} if i < len(ours) else {}
            return sentence_data.entry(vectors, clusters, i) | language

        if locked:
            data["title"] = entry(int(locked))
            data["rows"] = [entry(i) | {"cosine": two_decimals(cosine)} for i, cosine in near]
        kit.component("widgets/nearest")(
            key=key, data=data, on_lock_change=word_map.lock(settings, key, LOCKED)
        )
    if ours:
        numbers = kit.Export(N_("Nearest"), "translations.csv", lambda: _nearest_table(vectors, ours))
    else:
        rows = [[text, *row] for text, row in zip(vectors.texts, vectors.cosines.tolist())]
        numbers = kit.Export(
            N_("Cosines"), "sentences.csv", lambda: kit.table(["sentence", *vectors.texts], rows)
        )
    return [kit.Picture("picture", "sentences"), numbers]


def _neighbours(settings: kit.Settings, vectors: "SentenceVectors") -> list[str]:
    """What is nearest to each translation, and a model that reads them all if the chosen one does not."""
    counts = VIEW_TEXT.phrases["nearest"].format(**analysis.sentences.neighbours(vectors)._asdict())
    model = manifests().get(kinds.model_name(settings))
    reads_all = model is None or model.how_many() >= manifests()["e5"].how_many()
    return [counts] if reads_all else [counts, VIEW_TEXT.phrases["reader"]]


def _nearest_table(vectors: "SentenceVectors", ours: "Sequence[TranslatedSentence]") -> str:
    """Each sentence with its language and what it says, and the nearest to it."""
    about = [*ours, *[("", "")] * (len(vectors.texts) - len(ours))]
    rows = []
    for i, text in enumerate(vectors.texts):
        [(other, cosine)] = vectors.nearest(i, 1)
        rows.append([text, *about[i][-2:], vectors.texts[other], *about[other][-2:], cosine])
    columns = ["sentence", "language", "meaning", "nearest", "its language", "its meaning", "cosine"]
    return kit.table(columns, rows)


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
    settings: kit.Settings,
    vectors: "SentenceVectors",
    clusters: Clusters,
    locked: str,
    near: list[str],
    groups: list[str],
    ours: "Sequence[TranslatedSentence]",
) -> str:
    """The sentences as dots, ours named by language; returns what the map keeps of their vectors."""
    method = "pca" if must_wait(settings[PICTURE]) else settings[PICTURE]
    points = analysis.projection.project(vectors.dense, method)
    dots = sentence_data.dots(vectors, clusters, [each.language for each in ours])
    data = word_map.map_data(dots, points.coordinates, HEIGHT_PX) | {
        "label": _("Map of {count} sentences", count=len(vectors.texts)),
        "stretch": method != "pca",
        "marks": word_map.marks([""] * len(set(clusters) - {None})),
        "legend": list(enumerate(groups)),
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
    remarks = []
    if count > MOST:
        remarks.append(
            _("The first {most} of {count} sentences are shown.", most=MOST, count=format_number(count))
        )
    if unknown := int((~vectors.dense.any(1)).sum()):
        remarks.append(_("Sentences without a known word: {count}; their cosines are 0.", count=unknown))
    if not (name := kinds.model_name(page.settings)):
        return [says["counts"].format(label=label), *remarks]
    model = kit.memory.get(name)
    pooling = analysis.sentences.pooling(model)
    pooled = _(", joined with ").join(says[mode] for mode in pooling.modes)
    vector = says["vector"].format(label=label, size=vectors.vectors.shape[1], pooling=pooled)
    cut = [i for i, text in enumerate(vectors.texts, 1) if analysis.sentences.encode(model, text).truncated]
    remarks += [_("Of line {number} the model reads the beginning only.", number=cut[0])] if cut else []
    return [
        *([] if kit.for_class() else [vector]),
        *remarks,
        *([translate(pooling.note)] if page.settings[KIND] == ENCODER and pooling.note else []),
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same cosines from Python."""
    name = kinds.model_name(page.settings)
    if page.settings[COLLECTION] == "translations":
        return kit.Example(examples.nearest_translations, model=kit.Load(name) if name else None)
    texts = filled_lines(page.settings[TEXT])[:MOST]
    return kit.Example(examples.cosines_of_sentences, model=kit.Load(name) if name else None, texts=texts)


def _reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the squares, the map, or that of the translations."""
    settings = page.settings
    of_lines = "matrix" if settings[PICTURE] == "matrix" else "map"
    return VIEW_TEXT.readings[of_lines if settings[COLLECTION] == "own" else settings[COLLECTION]]


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=_reading),
    settings=(TEXT, COLLECTION, ADDED, COLOUR, LOCKED, PICTURE),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(panel=f'[data-testid="stColumn"]:has(.st-key-search-{TEXT}-box)', desk=".told"),
)
