"""The word senses page's parts: the word and its sentences, the map, the neighbours, the matrix."""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views import look
from explorer.views.charts import senses as charts
from explorer.views.components import component, text_box
from explorer.views.frame import palette, show_error
from explorer.views.look import Look
from explorer.views.presets import senses as presets
from explorer.views.settings import Settings

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.projection import Projection
    from explorer.models import LanguageModel

MAP_PX = 412
PANEL_PX = 152
NEIGHBOURS = 4
METHODS = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}


def word_box(settings: Settings) -> None:
    """The word, and our own examples."""
    key = "senses/library"

    def take() -> None:
        if word := st.session_state[key]:
            settings.set(word=word, text=presets.sentences(word), locked="")

    with st.container(key="senses/word", horizontal=True, vertical_alignment="center", gap="small"):
        text_box(settings, "word", "The word", "A word")
        st.menu_button(
            "Examples", presets.library(), key=key, on_click=take,
            help="Words of several senses, with sentences of our own",
        )  # fmt: skip


def sentences_box(settings: Settings) -> None:
    """The sentences, and how to write a sense."""
    text_box(settings, "text", "Sentences, one a line", "One sentence a line", lines=11)
    st.html('<p class="rb-point">A sentence a line, with its #sense if known.</p>')


def controls(settings: Settings, model: "LanguageModel") -> None:
    """The layer and the projection, in one row; values that the model cannot have are brought back."""
    top = model.config.layers
    settings.set(layer=min(max(settings["layer"], 0), top))
    if settings["projection"] not in METHODS:
        settings.set(projection="pca")
    with st.container(key="senses/controls", horizontal=True, gap="large"):
        st.select_slider(
            "Layer", range(top + 1), key=settings.key("layer"),
            format_func=lambda n: "embedding" if n == 0 else str(n),
        )  # fmt: skip
        st.segmented_control(
            "Projection",
            list(METHODS),
            key=settings.key("projection"),
            format_func=METHODS.get,
            required=True,
        )


def draw_map(settings: Settings, seen: Look) -> None:
    """The dots, the names of their senses, and a line on what the layer knows."""
    layer, plane = settings["layer"], _plane(settings, seen)
    at = seen.index(settings["locked"])
    dots = charts.dots(seen, plane.coordinates)
    key = "senses/map"

    def step() -> None:
        if (chosen := st.session_state[key].layer) is not None:
            settings.set(layer=min(max(int(chosen), 0), seen.layers))

    component("sense_map")(
        key=key,
        data={
            "label": f"Map of {len(dots)} occurrences of {seen.word}",
            "height": MAP_PX,
            "dots": dots,
            "names": charts.names(seen),
            "reach": list(seen.reach),
            "locked": "" if at is None else settings["locked"],
            "near": [] if at is None else [i for i, _ in _nearest(seen, layer, at)],
            "layer": layer,
            "layers": seen.layers,
        },
        on_lock_change=_lock(settings, key),
        on_layer_change=step,
    )
    st.html(f'<p class="rb-point">{" ".join([*_verdict(seen, layer), _about(plane), *seen.notes])}</p>')


def problem(error: TextError) -> None:
    """What is wrong with the word or the sentences, in the place that the map keeps."""
    with st.container(height=MAP_PX, border=False):
        show_error(error)


def neighbours(settings: Settings, seen: Look) -> None:
    """What is locked, and its nearest neighbours among the model's own vectors."""
    key, at = "senses/neighbours", seen.index(settings["locked"])
    data: dict[str, Any] = {
        "label": "Nearest neighbours",
        "height": PANEL_PX,
        "hint": "Click a dot: the occurrences most like it, by cosine, are listed here.",
    }
    if at is not None:
        data["title"] = charts.entry(seen, at)
        data["rows"] = [
            charts.entry(seen, i) | {"cosine": f"{cosine:.2f}"}
            for i, cosine in _nearest(seen, settings["layer"], at)
        ]
    component("neighbours")(key=key, data=data, on_lock_change=_lock(settings, key))


def matrix(settings: Settings, seen: Look) -> None:
    """Every cosine, folded away; nothing is computed before it is opened."""
    with st.expander("Cosine matrix", key="senses/matrix", on_change="rerun") as fold:
        if fold.open:
            figure = charts.matrix(seen, _cosines(seen, settings["layer"]), palette())
            st.plotly_chart(figure, theme=None, key="senses/heat", config={"displayModeBar": False})


def caveat(model: "LanguageModel") -> str:
    """What the map cannot show, and what the model cannot see."""
    from explorer.trace import Ability

    said = (
        f"A flat map of {model.config.d_model} dimensions bends distances: the cosines in the matrix do not."
    )
    if Ability.GENERATE in model.abilities:
        said += " This model reads from left to right: a dot knows only the words before it."
    return said


def code(settings: Settings) -> str:
    """The page's numbers from Python, with the settings as they are."""
    lines = "\n".join(f"    {line!r}," for line in settings["text"].splitlines())
    return f"""import explorer
from explorer.analysis import projection, senses

model = explorer.load({settings["model"]!r})
lines = [
{lines}
]
sentences = senses.read_sentences("\\n".join(lines))
found = senses.occurrences(model, [s.text for s in sentences], {settings["word"].strip()!r})
known = senses.senses_of(found, sentences)

layer = {settings["layer"]}
print(projection.project(found.vectors[:, layer], {settings["projection"]!r}).coordinates)
print(senses.cosine_matrix(found, layer))
if separation := senses.separation(found, known):
    print(separation.accuracy[layer], separation.best_layer)"""


def _plane(settings: Settings, seen: Look) -> "Projection":
    from explorer.analysis import projection

    method, layer = settings["projection"], settings["layer"]
    if method == "umap" and not projection.umap_ready():
        _await_umap()
        method = "pca"
    if method == "pca":
        return seen.maps[layer]
    return look.bent(settings["model"], settings["text"], settings["word"], layer, method)


@st.fragment(run_every=1.0)
def _await_umap() -> None:
    """Say that UMAP is on its way, and bring it in as soon as it is there."""
    from explorer.analysis import projection

    if projection.umap_ready():
        st.rerun()
    st.html('<p class="rb-point">UMAP is getting ready, for half a minute at most: this is PCA.</p>')


def _lock(settings: Settings, key: str) -> Callable[[], None]:
    def lock() -> None:
        if (chosen := st.session_state[key].lock) is not None:
            settings.set(locked=chosen)

    return lock


def _cosines(seen: Look, layer: int) -> "Tensor":
    from explorer.analysis import senses

    return senses.cosine_matrix(seen.found, layer)


def _nearest(seen: Look, layer: int, index: int) -> list[tuple[int, float]]:
    """The occurrences most similar to one, nearest first, with their cosines."""
    cosines = _cosines(seen, layer)[index].tolist()
    return sorted(((i, c) for i, c in enumerate(cosines) if i != index), key=lambda pair: -pair[1])[
        :NEIGHBOURS
    ]


def _verdict(seen: Look, layer: int) -> list[str]:
    """How well the layer keeps the tagged senses apart, and where the untagged ones would go."""
    sep = seen.separation
    if sep is None or not sep.judged:
        return ["Tag sentences of two senses or more to see how well a layer keeps them apart."]
    right, best = round(float(sep.accuracy[layer]) * sep.judged), sep.best_layer
    where = "the embedding" if best == 0 else f"layer {best}"
    said = [
        f"Leave-one-out nearest centroid: <b>{right} of {sep.judged}</b> right at this layer; best: {where}."
    ]
    guesses = Counter(g for g, sense in zip(sep.guesses[layer], seen.senses) if sense is None)
    if guesses:
        named = [
            sense if sum(guesses.values()) == 1 else f"{sense} ({n})" for sense, n in guesses.most_common()
        ]
        said.append(f"Untagged: nearest to {', '.join(named)}.")
    return said


def _about(plane: "Projection") -> str:
    if plane.note:
        return plane.note
    if plane.explained is not None:
        return f"PCA shows {sum(plane.explained):.0%} of the variance."
    return f"{METHODS[plane.method]} keeps neighbours together; its distances mean little."
