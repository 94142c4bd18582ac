"""Tree: the tree that a layer's structural probe predicts, below the one that was marked by hand."""

from typing import TYPE_CHECKING, Any

from explorer import analysis
from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.probing import words
from explorer.views.probing.settings import BEST, TEXT, TREE_LAYER
from explorer.views.types import Arc, Model, TreesByLayer

if TYPE_CHECKING:
    from explorer.analysis.probing import Sentence


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw the sentence with its trees, and the layers with their scores."""
    settings, name = page.settings, str(page.model.checkpoint)
    sentence = words.read(settings[TEXT])
    gold = gold_tree(sentence)
    trees = analysis.probing.trees_by_layer(page.model, words.states(page.model, settings[TEXT]), sentence)
    layer = settings[TREE_LAYER]
    at_layer = words.best_layer(name, "arcs") if layer == BEST else min(layer, len(trees) - 1)
    settings.label(TREE_LAYER, _("Layer"), {BEST: _("the best")}.get)

    def moved() -> None:
        if (at := kit.component_value("probing/tree", "layer", TREE_LAYER.takes)) is not None:
            settings.set(TREE_LAYER.to(at))

    kit.component("probing/two_trees")(
        key="probing/tree", data=picture_data(trees, at_layer), on_layer_change=moved
    )
    if note := words.cut_note(settings):
        kit.note_html(note)
    return [
        kit.Picture("picture", "tree"),
        kit.Export(N_("Arcs"), "arcs.csv", lambda: _table(sentence, trees, gold)),
    ]


def gold_tree(sentence: "Sentence") -> "list[Arc] | None":
    """The arcs that were marked by hand, without punctuation; None for a sentence without marks."""
    from explorer.analysis.probing.sentences import is_mark
    from explorer.analysis.probing.structural import gold_arcs

    places = [at for at, word in enumerate(sentence.words) if not is_mark(word)]
    return gold_arcs(sentence.heads, places) if sentence.heads else None


def picture_data(trees: "TreesByLayer", layer: int) -> dict[str, Any]:
    """The data of the component, opened at a layer."""
    from explorer.analysis.probing.sentences import is_mark
    from explorer.analysis.probing.shipped import config

    gold = gold_tree(trees.sentence)
    means = analysis.probing.figures()["models"][trees.model]["arcs"][str(config()["rank"])]
    return {
        "label": _("The tree marked by hand, above, and the one found in a layer, below."),
        "words": [{"text": word, "quiet": is_mark(word)} for word in trees.sentence.words],
        "gold": [list(arc) for arc in gold] if gold is not None else None,
        "layers": [
            {
                "name": str(at),
                "arcs": [list(arc) for arc in tree],
                "right": analysis.probing.uuas(tree, gold) if gold else None,
                "mean": means[at],
                "caption": _caption(at, tree, gold, means[at]),
            }
            for at, tree in enumerate(trees)
        ],
        "layer": layer,
    }


def trees(model: "Model", text: str) -> list[list[tuple[str, str]]]:
    """For each layer, the arcs that its structural probe predicts, as pairs of words."""
    from explorer.analysis import probing
    from explorer.analysis.probing.annotated import find_own_sentence

    sentence = find_own_sentence(text) or probing.split(text)
    arcs_by_layer = probing.trees_by_layer(model, probing.states_of(model, sentence), sentence)
    return [[(sentence.words[a], sentence.words[b]) for a, b in tree] for tree in arcs_by_layer]


def _caption(layer: int, tree: list[tuple[int, int]], gold: list[tuple[int, int]] | None, mean: float) -> str:
    place, share = words.layer_name(layer).capitalize(), kit.whole_percent(mean)
    if gold is None:
        text = N_("{place}: {count} arcs. Treebank’s test sentences: {share} right.")
        return _(text, place=place, count=len(tree), share=share)
    right = len(set(tree) & set(gold))
    text = _("{place}: {right} of {count} arcs right.", place=place, right=right, count=len(gold))
    return text if kit.for_class() else f"{text} {_('Treebank’s test sentences: {share}.', share=share)}"


def _table(
    sentence: "Sentence", trees: list[list[tuple[int, int]]], gold: list[tuple[int, int]] | None
) -> str:
    words = sentence.words
    rows = [
        [layer, a + 1, words[a], b + 1, words[b], "" if gold is None else int((a, b) in gold)]
        for layer, tree in enumerate(trees)
        for a, b in tree
    ]
    return kit.table(["layer", "place", "word", "other_place", "other_word", "marked_by_hand"], rows)


VIEW = kit.View(
    text=kit.view_text("probing", "tree"),
    settings=(TREE_LAYER,),
    controls=lambda page: words.ask(page.settings),
    picture=draw,
    example=lambda page: kit.Example(
        trees, model=kit.Load(str(page.model.checkpoint)), text=page.settings[TEXT]
    ),
    stage=kit.Stage(covered=(".arc:not(.gold), .caption, .fill, .number",), desk=".mean"),
)
