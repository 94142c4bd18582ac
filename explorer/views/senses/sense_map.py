"""The map on the word senses page: what is chosen above it, the dots with their player, the neighbours."""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.settings import Settings
from explorer.views.senses import from_python
from explorer.views.senses import map_data as charts
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.senses.layer_maps import METHODS, Grouping, LayerMaps, grouping, layer_maps
from explorer.views.senses.presets import PRESETS
from explorer.views.widgets.marks import entry
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from explorer.models import LanguageModel

__all__ = [
    "DEFAULTS", "PRESETS", "beside", "code", "controls", "draw", "fit", "how", "lock", "nearest", "says",
    "show",
]  # fmt: skip

DEFAULTS: dict[str, Any] = {}  # those of the page are all that it needs
MAP_PX = 364
PANEL_PX = 148
NEIGHBOURS = 4
PARTS = ("motion", "dots", "names", "player", "touch")  # of the component's JavaScript


def fit(settings: Settings, model: "LanguageModel") -> None:
    """Bring settings that the model or the page cannot have to the nearest that they can."""
    settings.set(layer=min(max(settings["layer"], ALONE), model.config.layers))
    if settings["projection"] not in METHODS:
        settings.set(projection="pca")
    if settings["axes"] not in (2, 3):
        settings.set(axes=2)


def controls(settings: Settings, occurrences: WordOccurrences | None) -> None:
    """How the map is made, in one row."""
    with st.container(key="senses-controls", horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.segmented_control(
            "Projection", list(METHODS), key=settings.key("projection"), format_func=METHODS.get,
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        st.segmented_control(
            "Dimensions", [2, 3], key=settings.key("axes"), format_func="{}-D".format,
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        if occurrences is None or any(occurrences.senses):
            st.toggle("Senses", key=settings.key("senses"))
        st.toggle("Contours", key=settings.key("contours"), disabled=settings["axes"] == 3)


def draw(settings: Settings, occurrences: WordOccurrences) -> None:
    """The dots at every layer, the names of their groups, and the layer's player."""
    with st.container(key="senses-map", gap=None):
        busy = st.container(key="senses-busy").empty()
        _draw(settings, occurrences, busy)


def _draw(settings: Settings, occurrences: WordOccurrences, busy: "DeltaGenerator") -> None:
    method = _ready(settings["projection"])
    axes, layer = settings["axes"], settings["layer"]
    if method != "pca":  # seconds, where dots are many; PCA is there at once
        busy.html(f'<p class="rb-point">{METHODS[method]} places {len(occurrences.found)} dots…</p>')
    groups = grouping(occurrences, settings["senses"])
    made = layer_maps(occurrences, method, axes, layer)
    busy.empty()
    contours = _contours(made, groups) if settings["contours"] and axes == 2 else None
    show(settings, occurrences, groups, made, says(occurrences, groups, made, method), axes=axes, contours=contours)


def show(
    settings: Settings, occurrences: WordOccurrences, groups: Grouping, made: LayerMaps, said: list[str],
    key: str = "senses/map", axes: int = 2, **told: Any,
) -> None:  # fmt: skip
    """The pictures with their player; `said` has a line for every stop, `told` more for the component."""
    unit = max(made.reach)
    at = occurrences.index(settings["locked"])

    def step() -> None:
        if (chosen := st.session_state[key].layer) is not None:
            settings.set(layer=min(max(int(chosen), ALONE), occurrences.layers))

    data = {
        "label": f"Map of {len(occurrences.found)} occurrences of {occurrences.word}",
        "height": MAP_PX,
        "axes": axes,
        "unit": unit / charts.GRAIN,
        "dots": charts.dots(occurrences, groups),
        "marks": charts.marks(groups),
        "names": charts.names(groups),
        "stops": charts.stops(occurrences),
        "frames": charts.frames(made.planes, unit),
        "contours": None,
        "says": said,
        "first": ALONE,
        "layer": settings["layer"],
        "locked": "" if at is None else settings["locked"],
        "near": [] if at is None else [[i for i, _ in nearest(occurrences, stop, at)] for stop in occurrences.stops],
    }
    component("senses/sense_map", *PARTS)(
        key=key, data=data | told, on_lock_change=lock(settings, key), on_layer_change=step
    )


def beside(settings: Settings, occurrences: WordOccurrences) -> None:
    """What is locked, and its nearest neighbours among the model's own vectors."""
    key, at = "senses/neighbours", occurrences.index(settings["locked"])
    data: dict[str, Any] = {
        "label": "Nearest neighbours",
        "height": PANEL_PX,
        "hint": "Click a dot: the occurrences most like it, by cosine, are listed here.",
    }
    if at is not None:
        groups = grouping(occurrences, settings["senses"])
        data["title"] = entry(occurrences, groups, at)
        data["rows"] = [
            entry(occurrences, groups, i) | {"cosine": f"{cosine:.2f}"}
            for i, cosine in nearest(occurrences, settings["layer"], at)
        ]
    component("senses/neighbours")(key=key, data=data, on_lock_change=lock(settings, key))


def how(settings: Settings, occurrences: WordOccurrences | None, model: "LanguageModel") -> tuple[str, str]:
    """What colours and nearness mean; what the map cannot show, and what the model cannot see."""
    from explorer.trace import Ability

    if occurrences is not None and any(occurrences.senses) and settings["senses"]:
        given = "that your text gives" if settings["own"] else "you wrote after #"
        said = (
            f"Colour and shape are the sense {given}, which the model never sees. "
            "Where dots of one sense gather, the model keeps that sense apart."
        )
    else:
        said = (
            "Colour and shape are groups that the model's own vectors fall into; the words beside them are "
            "those that set a group's sentences apart."
        )
    caveat = (
        f"No picture shows {model.config.d_model} dimensions: near on the map is a hint, a far dot no proof; "
        "the cosines in the list and the matrix are the model's own."
    )
    if Ability.GENERATE in model.abilities:
        caveat += " This model reads from left to right: a dot knows only the words before it."
    return said, caveat


def code(settings: Settings) -> str:
    """The map's numbers from Python, with the settings as they are."""
    alone, method, axes = settings["layer"] == ALONE, settings["projection"], settings["axes"]
    vectors = "senses.alone(model, texts, found)" if alone else f"found.vectors[:, {settings['layer']}]"
    if method == "lda":
        picture = f"""if parted := discriminant.discriminant(vectors, known, axes={axes}):
    print(parted.coordinates, parted.accuracy, parted.shuffled)"""
    else:
        picture = f"print(projection.project(vectors, {method!r}, axes={axes}).coordinates)"
    return f"""import explorer
from explorer.analysis import {"discriminant" if method == "lda" else "projection"}, senses
from explorer.analysis.senses import separation

{from_python.occurrences(settings)}

vectors = {vectors}
{picture}
if apart := separation.separation(found.vectors, known):
    print(apart.accuracy, apart.best_layer)"""


def nearest(occurrences: WordOccurrences, stop: int, index: int, top: int = NEIGHBOURS) -> list[tuple[int, float]]:
    """The occurrences most similar to one by the model's own vectors, nearest first, with their cosines."""
    import torch.nn.functional as F

    unit = F.normalize(occurrences.at(stop), dim=-1)
    cosines = (unit @ unit[index]).tolist()
    others = (i for i in range(len(cosines)) if i != index)
    return [(i, cosines[i]) for i in sorted(others, key=lambda i: (-round(cosines[i], 6), i))[:top]]


def _contours(made: LayerMaps, groups: Grouping) -> list[Any]:
    unit = max(made.reach)
    return [
        [] if plane is None else charts.contours(plane, groups, made.reach[:2], unit) for plane in made.planes
    ]


def says(occurrences: WordOccurrences, groups: Grouping, made: LayerMaps, method: str) -> list[str]:
    """A line or two for every stop: what the layer knows, what the picture keeps, what was left out."""
    known = [""] * len(made.says) if method == "lda" else _verdicts(occurrences, groups)
    return [" ".join(filter(None, [*lines, *occurrences.notes])) for lines in zip(known, made.says)]


def _verdicts(occurrences: WordOccurrences, groups: Grouping) -> list[str]:
    """How well each stop keeps the known senses apart, and where the untagged occurrences would go."""
    sep = occurrences.separation
    if groups.found:
        return [groups.says] * len(occurrences.stops)
    if sep is None or not sep.judged:
        return ["Tag sentences of two senses or more to see how well a layer keeps them apart."] * len(
            occurrences.stops
        )
    best = "the embedding" if sep.best_layer == 0 else f"layer {sep.best_layer}"
    said = ["Before a sentence is read, each spelling of the word has one vector."]
    for layer in range(occurrences.layers + 1):
        if (occurrences.at(layer) == occurrences.at(layer)[0]).all():  # a guess among equals would be the first sense
            said.append("Nothing tells one sense from another here.")
            continue
        right = round(float(sep.accuracy[layer]) * sep.judged)
        line = f"Leave-one-out nearest centroid: {right} of {sep.judged} right; best: {best}."
        guesses = Counter(g for g, sense in zip(sep.guesses[layer], occurrences.senses) if sense is None)
        named = [f"{s} ({n})" if guesses.total() > 1 else s for s, n in guesses.most_common()]
        said.append(f"{line} Untagged: nearest to {', '.join(named)}." if named else line)
    return said


def _ready(method: str) -> str:
    """The method asked for, or PCA as long as UMAP is compiling itself."""
    from explorer.analysis import projection

    if method == "umap" and not projection.umap_ready():
        _await_umap()
        return "pca"
    return method


@st.fragment(run_every=1.0)
def _await_umap() -> None:
    """Say that UMAP is on its way, and bring it in as soon as it is there."""
    from explorer.analysis import projection

    if projection.umap_ready():
        st.rerun()
    st.html('<p class="rb-point">UMAP is getting ready, for half a minute at most: this is PCA.</p>')


def lock(settings: Settings, key: str) -> Callable[[], None]:
    """A callback for a component that locks an occurrence or releases it."""

    def locked() -> None:
        if (chosen := st.session_state[key].lock) is not None:
            settings.set(locked=chosen)

    return locked
