"""Words in a cell: neighbours, analogies, ELMo's two readers, occurrences in sentences, trees and labels."""

from dataclasses import replace

from explorer.analysis import projection
from explorer.analysis.prediction.both_readers import BothReaders
from explorer.analysis.probing.reading import LabelProbabilities, TreesByLayer
from explorer.analysis.senses.occurrences import Occurrences, Sentence
from explorer.analysis.senses.separation import separation
from explorer.analysis.sentences import SentenceVectors
from explorer.analysis.vectors.arithmetic import Analogy
from explorer.analysis.vectors.words import Neighbours
from explorer.locale import _
from explorer.notebook.cell import Cell, cell_of
from explorer.views.elmo import bilm
from explorer.views.frame.saving.web_page import Component
from explorer.views.look import blocklist, theme
from explorer.views.probing import sentence, tree
from explorer.views.probing import words as probe_words
from explorer.views.search import sentence_data
from explorer.views.senses import grouping, map_data, map_player
from explorer.views.senses.layer_maps import LayerMaps, map_line, reach_of
from explorer.views.senses.sense_map import lines_below
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.vectors.analogies import plane_data
from explorer.views.vectors.word_table import rows
from explorer.views.widgets.bars import bars_data
from explorer.views.widgets.numbers import whole_percent

MOST_DOTS = 300  # whose neighbours at every layer are in the cell


@cell_of.register
def _neighbours(neighbours: Neighbours) -> Cell | None:
    if not neighbours:
        return None
    listed = rows(neighbours, blocklist.over(""))
    data = bars_data(listed, _("Nearest words"), visible=len(listed), headings=(_("cosine"),))
    return Cell(
        [Component("widgets/bars", data)],
        notes=_("A bar is the cosine of two vectors: 1 is the same direction."),
    )


@cell_of.register
def _analogy(analogy: Analogy) -> Cell | None:
    if analogy.vectors is None:
        return None
    blocked = blocklist.over("", analogy.a, analogy.b, analogy.c)
    answer = next(iter(analogy.answers), None)
    data, _points, variance = plane_data(analogy.vectors, analogy, answer, blocked)
    listed = rows(analogy.answers, blocked, answer.word if answer else "")
    ranking = bars_data(listed, _("Words nearest to the sum"), visible=len(listed), headings=(_("cosine"),))
    notes = _(
        "The plane keeps {share} of these words’ variance. The bars are cosines in all dimensions.",
        share=whole_percent(variance),
    )
    title = f"{analogy.a} − {analogy.b} + {analogy.c}"
    return Cell(
        [Component("widgets/word_map", data), Component("widgets/bars", ranking)], title, notes, beside=True
    )


@cell_of.register
def _both_readers(read: BothReaders) -> Cell:
    layers = len(read.forward) - 1
    blocked = blocklist.over("", read.encoding.text)
    data = bilm.picture_data(read, blocked, bilm.selected(None, 0, read.encoding, layers))
    notes = _(
        "The forward LSTM is above the words, the backward one below. Press a box to see what it has read "
        "and what it predicts."
    )
    return Cell([Component("elmo/bilm", data)], notes=notes)


@cell_of.register
def _occurrences(occurrences: Occurrences) -> Cell | None:
    """The map of every layer, from the embedding on; a click on a dot shows its nearest neighbours."""
    if not len(occurrences) or len(occurrences.texts) != len(occurrences):
        return None
    by_word = _with_sentences(occurrences)
    groups = grouping.by_sense(by_word) if any(by_word.senses) else grouping.by_cluster(by_word)
    maps = projection.layer_maps(occurrences.vectors, "pca", 2, by_word.senses)
    planes = [each.coordinates for each in maps if each is not None]
    reach = reach_of(planes)
    lines = ["", *(map_line("pca", each) for each in maps if each is not None)]
    below = lines_below(by_word, groups, LayerMaps([None, *planes], reach, lines), "pca")[1:]
    unit, layers = max(reach), range(by_word.layers + 1)
    some = range(len(occurrences)) if len(occurrences) <= MOST_DOTS else ()
    data = map_player.picture_data(by_word, groups, unit) | {
        "stops": map_data.stops(by_word)[1:],
        "ticks": [str(layer) for layer in layers],
        "lines": below,
        "layer": by_word.layers,
        "frames": map_data.frames(planes, unit),
        "near": [[] for _layer in layers],
        "nearest": {by_word.name(at): map_player.neighbours(by_word, layers, at) for at in some},
    }
    return Cell(
        [Component("senses/sense_map", data)],
        _("“{word}”, layer by layer", word=occurrences.word),
        height=520,
    )


@cell_of.register
def _sentences(vectors: SentenceVectors) -> Cell | None:
    if not 2 <= len(vectors.texts) <= MOST_DOTS:
        return None
    data = sentence_data.matrix(vectors, sentence_data.clusters_of(vectors), height=400)
    notes = _("A square is the cosine of two sentences. Similar ones stand side by side.")
    return Cell([Component("widgets/cosine_matrix", data)], notes=notes)


@cell_of.register
def _trees(trees: TreesByLayer) -> Cell | None:
    if not trees:
        return None
    data = tree.picture_data(trees, probe_words.best_layer(trees.model, "arcs"))
    notes = _("Below the words is a layer’s tree, above them the one marked by hand, where there is one.")
    return Cell([Component("probing/two_trees", data)], notes=notes)


@cell_of.register
def _labels(predictions: LabelProbabilities) -> Cell | None:
    if predictions.sentence is None or not predictions.words:
        return None
    light, dark = (sentence.picture_data(predictions, colours) for colours in (theme.LIGHT, theme.DARK))
    legend = " · ".join(f"{label}: {name}" for label, name in sentence.meanings(predictions).items())
    return Cell([Component("probing/grid", light, dark)], light["label"], legend)


def _with_sentences(occurrences: Occurrences) -> WordOccurrences:
    """The occurrences as the page has them, without the word by itself: its place has the embedding."""
    sentences = [
        Sentence(text, sense) for text, sense in zip(occurrences.texts, occurrences.senses, strict=True)
    ]
    matches = replace(occurrences, sentence_index=list(range(len(sentences))))
    senses = occurrences.senses
    return WordOccurrences(
        key="",
        word=occurrences.word,
        sentences=sentences,
        matches=matches,
        alone=occurrences.vectors[:, 0],
        senses=senses,
        separation=separation(occurrences.vectors, senses),
        notes=[],
    )
