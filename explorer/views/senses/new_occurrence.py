"""A new sentence beside a word's occurrences: the word's vectors in it, and its place on their maps."""

from dataclasses import dataclass, replace

from explorer import analysis
from explorer.errors import TextError
from explorer.locale import _
from explorer.views import kit
from explorer.views.senses.layer_maps import LayerMaps, layer_maps
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.types import LanguageModel, Occurrences, Tensor

CLOSEST = 3  # occurrences, to which lines lead


@dataclass(frozen=True, eq=False)
class NewOccurrence:
    """The first occurrence of the word in a new sentence; `alone` is the word's vector by itself."""

    key: str
    text: str
    matches: "Occurrences"
    alone: "Tensor"

    def at(self, stop: int) -> "Tensor":
        """Its vector at a stop of the layer slider."""
        return self.alone[0] if stop == ALONE else self.matches.vectors[0, stop]


@kit.kept(64)
def new_occurrence(model: "LanguageModel", sentence: str, word: str) -> NewOccurrence:
    """The first occurrence of a word in a new sentence, which is cut after LIVE_TOKENS tokens.

    Raises TextError if the sentence does not have the word.
    """
    text = " ".join(line.text for line in analysis.senses.read_sentences(sentence))
    encoding = model.encode(text, limit=kit.LIVE_TOKENS)
    if encoding.truncated:
        text = text[: max(end for _, end in encoding.spans)]
    matches = analysis.senses.occurrences(model, [text], word)
    if not len(matches):
        raise _without(word)
    matches = replace(
        matches,
        vectors=matches.vectors[:1],
        sentence_index=[0],
        span=matches.span[:1],
        tokens=matches.tokens[:1],
    )
    alone = analysis.senses.isolated_vectors(model, [text], matches)
    return NewOccurrence(f"{model.checkpoint}\0{text}", text, matches, alone)


def _without(word: str) -> TextError:
    return TextError(
        _("The new sentence does not have the word “{word}”.", word=word), _("Type one that does.")
    )


def maps_with_new(occurrences: WordOccurrences, new: NewOccurrence, axes: int) -> LayerMaps:
    """PCA's maps of the occurrences, unchanged; the last place on each is that of the new occurrence."""
    from explorer.analysis.senses.classify import share_shown

    maps = layer_maps(occurrences, "pca", axes, occurrences.layers)
    planes = _with_new(f"{occurrences.key}\0{new.key}\0{axes}", occurrences, new, maps)
    reach = [max(float(plane[:, axis].abs().max()) for plane in planes) for axis in range(axes)]
    lines = [
        map_warning(new.at(stop), occurrences.at(stop), plane)
        if kit.for_class()
        else _(
            "The map shows {share} of the squared distance between the new occurrence and the mean of the "
            "others: it may appear among dots that it is far from.",
            share=kit.whole_percent(share_shown(new.at(stop), occurrences.at(stop), plane[-1])),
        )
        for stop, plane in zip(occurrences.stops, planes)
    ]
    lines[0] = _("Before any sentence is read, each spelling of the word has one vector.")
    return LayerMaps(list(planes), tuple(map(max, zip(reach, maps.reach))), lines)


def map_warning(new: "Tensor", others: "Tensor", plane: "Tensor") -> str:
    """What a class must know of a map on which the new dot, the last one, lies beside none of the closest."""
    from explorer.analysis.senses.classify import classify

    beside = int((plane[:-1] - plane[-1]).norm(dim=1).argmin())
    closest = classify(new, others, []).occurrences[:CLOSEST]
    return "" if beside in dict(closest) else _("On the map it lies among dots that it is far from.")


@kit.kept(32)
def _with_new(
    key: str, _occurrences: WordOccurrences, _new: NewOccurrence, _maps: LayerMaps
) -> "list[Tensor]":
    import torch

    from explorer.analysis.senses.classify import place_on_map

    return [
        torch.cat([plane, place_on_map(_new.at(stop), _occurrences.at(stop), plane)[None]])
        for stop, plane in zip(_occurrences.stops, _maps.planes)
        if plane is not None
    ]
