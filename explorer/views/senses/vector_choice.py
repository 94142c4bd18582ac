"""From a word's layers to one vector for each occurrence: BERT's six choices, ELMo's mix, their weights."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage
from explorer.views.senses.layer_maps import layer_maps
from explorer.views.senses.search import Search
from explorer.views.senses.settings import GAMMA, VECTOR, WEIGHTS
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.widgets.registry import component, component_value

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.models import Model

EQUAL = 50  # the first value of every fader
GAMMA_RANGE = (0.25, 1.5)
MIX = "mix"  # ELMo's weighted sum of all layers
WEIGHTED = (MIX, "sum", "sum4")


def choice(settings: Settings, model: "Model") -> str:
    """The name of the pooling: ELMo's mix, or one of the six choices."""
    from explorer.analysis.senses import pooling

    if pooling.mixes_layers(model):
        return MIX
    if settings[VECTOR] not in {option.name for option in pooling.CHOICES}:
        settings.adjust(VECTOR.to("last"))
    return settings[VECTOR]


def moved_faders(settings: Settings) -> dict[str, list[int]]:
    """The values of moved faders, by choice; a link's values are checked."""
    moved = settings[WEIGHTS]
    return {
        name: values
        for name, values in (moved.items() if isinstance(moved, dict) else ())
        if isinstance(values, list) and all(isinstance(v, int) and 0 <= v <= 100 for v in values)
    }


def weights(settings: Settings, name: str, count: int) -> list[int]:
    """A weight for each of `count` layers, all equal if the setting has none for them."""
    moved = moved_faders(settings).get(name, [])
    return moved if len(moved) == count else [EQUAL] * count


def gamma(settings: Settings) -> float:
    """ELMo's gamma, within the range of its fader."""
    return min(max(settings[GAMMA], GAMMA_RANGE[0]), GAMMA_RANGE[1])


def layers_taken(name: str, last: int) -> range:
    """The layers that a choice's vector is made of, for a model whose last layer is `last`."""
    from explorer.analysis.senses import pooling

    return range(last + 1) if name == MIX else pooling.layers_of(name, last)


def with_vector(
    settings: Settings, occurrences: WordOccurrences, name: str, mix: list[int] | None = None
) -> WordOccurrences:
    """The occurrences with a choice's vectors as their only layer.

    `mix` are weights to use in place of the faders' values.
    """
    from explorer.analysis.senses import pooling

    mix = mix or weights(settings, name, len(layers_taken(name, occurrences.layers)))
    if name == MIX:
        vectors = pooling.mix_layers(occurrences.matches.vectors, mix)
    else:
        vectors = pooling.pool(occurrences.matches.vectors, name, mix)
    key = f"{occurrences.key}\0{name} {mix if name in WEIGHTED else ''}"
    return replace(occurrences, key=key, matches=replace(occurrences.matches, vectors=vectors[:, None]))


def map_of(
    occurrences: WordOccurrences, chosen: WordOccurrences, stretch: float
) -> "tuple[Tensor, tuple[float, float], float]":
    """The map of the chosen vectors, rotated to match that of the last layer.

    Returns its places [occurrence, axis] times `stretch`; the largest coordinate on each axis at `stretch` 1;
    and the share of the variance that the map shows.
    """
    from explorer.analysis import projection

    last = layer_maps(occurrences, "pca", 2, occurrences.layers)
    flat = projection.project(chosen.at(0))
    assert last.planes[-1] is not None  # PCA makes all maps
    turned = projection.align(projection.Projection(last.planes[-1], "pca"), flat)
    own = turned.coordinates.abs().amax(0).tolist()
    x, y = (max(pair) for pair in zip(own, last.reach))
    return turned.coordinates * stretch, (x, y), sum(flat.explained or ())


def published(model: "Model") -> bool:
    """Whether table 7 of the BERT paper applies to a model."""
    from explorer.trace import Ability

    return Ability.FILL in model.abilities


def label(name: str) -> str:
    """The name of a choice on screen."""
    from explorer.analysis.senses import pooling

    return "layer mix" if name == MIX else next(c.label for c in pooling.CHOICES if c.name == name).lower()


@st.cache_resource(max_entries=512, show_spinner=False)
def f1(key: str, _chosen: WordOccurrences) -> float | None:
    """Macro-F1 alone, which is quick."""
    from explorer.analysis.senses.separation import separation

    figures = separation(_chosen.matches.vectors, _chosen.senses)
    return None if figures is None else float(figures.macro_f1[0])


def beside(page: OpenPage[Search]) -> None:
    """Draw the choices, each with its macro-F1 on these sentences."""
    settings, occurrences = page.settings, page.data.occurrences
    key, name = "senses/ways", choice(settings, page.model)
    in_table = name != MIX and published(page.model)
    rows = _mixes(settings, occurrences) if name == MIX else _six(settings, occurrences, name, in_table)

    def choose() -> None:
        chosen = component_value(key, "choose")
        if chosen is None:
            return
        if chosen.startswith(MIX):
            mix = [int(n) for n in chosen.split()[1:]]
            settings.set(WEIGHTS.to({**moved_faders(settings), MIX: mix}))
        else:
            settings.set(VECTOR.to(chosen))

    headings = ["macro-F1", "in Table 7"] if in_table else ["macro-F1"]
    component("senses/choices")(
        key=key,
        data={
            "label": "Which vector",
            "headings": headings if occurrences.separation else [],
            "rows": rows,
        },
        on_choose_change=choose,
    )


def _six(settings: Settings, occurrences: WordOccurrences, name: str, in_table: bool) -> list[dict[str, Any]]:
    """The six choices of BERT's authors, with their published figures if these apply."""
    from explorer.analysis.senses import pooling

    rows = []
    for option in pooling.CHOICES:
        chosen = with_vector(settings, occurrences, option.name)
        reached = f1(chosen.key, chosen)
        theirs = f"{option.published:.1f}" if in_table else ""
        rows.append(_row(option.name, option.label, reached, option.name == name, theirs))
    return rows


def _mixes(settings: Settings, occurrences: WordOccurrences) -> list[dict[str, Any]]:
    """Each layer alone, all layers equally, and the current faders."""
    count = occurrences.layers + 1
    now = weights(settings, MIX, count)
    mixes = [(f"Layer {i} alone", [100 * (i == j) for j in range(count)]) for i in range(count)]
    mixes.append(("All alike", [EQUAL] * count))
    if now not in [mix for _, mix in mixes]:
        mixes.append(("Your mix", now))
    rows = []
    for text, mix in mixes:
        chosen = with_vector(settings, occurrences, MIX, mix)
        name = f"{MIX} {' '.join(map(str, mix))}"
        rows.append(_row(name, text, f1(chosen.key, chosen), mix == now, ""))
    return rows


def _row(name: str, text: str, value: float | None, chosen: bool, theirs: str) -> dict[str, Any]:
    number = "" if value is None else f"{value:.2f}"
    spoken = f"{text}, macro-F1 {number}" if number else text
    return {
        "name": name,
        "text": text,
        "value": value,
        "number": number,
        "aside": theirs,
        "chosen": chosen,
        "label": f"{spoken}, in Table 7 {theirs}" if theirs else spoken,
    }
