"""From a word's layers to one vector for each occurrence: the ways, their weights, and what they reach."""

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame import memory
from explorer.views.frame.settings import Settings
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.senses.layer_maps import layer_maps

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.senses.separation import Curve

EVEN = 50  # where every fader stands at first
GAMMA = (0.25, 1.5)
MIX = "mix"  # ELMo's way
MIXED = (MIX, "sum", "sum4")


def way(settings: Settings) -> str:
    """How the vector is made: ELMo's mix, or one of the six choices."""
    from explorer.analysis.senses import pooling

    if pooling.mixes_layers(memory.get(settings["model"])):
        return MIX
    if settings["vector"] not in {choice.name for choice in pooling.CHOICES}:
        settings.set(vector="last")
    return settings["vector"]


def kept(settings: Settings) -> dict[str, list[int]]:
    """The faders that have been moved, by the way they belong to; what a link may bring is checked."""
    moved = settings["weights"]
    return {
        name: values
        for name, values in (moved.items() if isinstance(moved, dict) else ())
        if isinstance(values, list) and all(isinstance(v, int) and 0 <= v <= 100 for v in values)
    }


def weights(settings: Settings, name: str, count: int) -> list[int]:
    """A weight for each of `count` layers, all alike where none fit."""
    moved = kept(settings).get(name, [])
    return moved if len(moved) == count else [EVEN] * count


def gamma(settings: Settings) -> float:
    """ELMo's gamma, within what the desk has room for."""
    return min(max(settings["gamma"], GAMMA[0]), GAMMA[1])


def made(settings: Settings, occurrences: WordOccurrences, name: str, mix: list[int] | None = None) -> WordOccurrences:
    """The look with the vectors of one way as its only layer; `mix` are other weights than the desk's."""
    from explorer.analysis.senses import pooling

    layers = range(occurrences.layers + 1) if name == MIX else pooling.layers_of(name, occurrences.layers)
    mix = mix or weights(settings, name, len(layers))
    if name == MIX:
        vectors = pooling.mixed(occurrences.found.vectors, mix)
    else:
        vectors = pooling.chosen(occurrences.found.vectors, name, mix)
    key = f"{occurrences.key}\0{name} {mix if name in MIXED else ''}"
    return replace(occurrences, key=key, found=replace(occurrences.found, vectors=vectors[:, None]))


def plane(occurrences: WordOccurrences, one: WordOccurrences, stretch: float) -> "tuple[Tensor, tuple[float, float], float]":
    """The dots, turned to lie as they do on the map of layers; how far they go; the variance that is kept."""
    from explorer.analysis import projection

    onto = layer_maps(occurrences, "pca", 2, occurrences.layers)
    flat = projection.project(one.at(0))
    turned = projection.align(projection.Projection(onto.planes[-1], "pca"), flat)
    own = turned.coordinates.abs().amax(0).tolist()
    reach = tuple(max(pair) for pair in zip(own, onto.reach))
    return turned.coordinates * stretch, reach, sum(flat.explained)


def published(settings: Settings) -> bool:
    """Whether the chosen model is one that table 7 is about."""
    from explorer.trace import Ability

    return Ability.FILL in memory.get(settings["model"]).abilities


def label(name: str) -> str:
    """What a way is called."""
    from explorer.analysis.senses import pooling

    return "layer mix" if name == MIX else next(c.label for c in pooling.CHOICES if c.name == name).lower()


@st.cache_resource(max_entries=512, show_spinner=False)
def curve(key: str, _made: WordOccurrences) -> "Curve | None":
    """What all three judges say of a way."""
    from explorer.analysis.senses import separation

    return separation.curve(_made.found.vectors, _made.senses)


@st.cache_resource(max_entries=512, show_spinner=False)
def f1(key: str, _made: WordOccurrences) -> float | None:
    """Macro-F1 alone, which is quick."""
    from explorer.analysis.senses.separation import separation

    found = separation(_made.found.vectors, _made.senses)
    return None if found is None else float(found.macro_f1[0])
