"""Figures on a model's vectors and heads: senses, parts of speech, similarity, analogies, induction."""

from explorer.analysis.heads import induction
from explorer.assets import SENSES_ZH
from explorer.errors import NotFoundError
from explorer.models.language_model import LanguageModel
from training import splits
from training.metrics import analogies, similarity, wic
from training.metrics.figure import Figure, number
from training.metrics.inputs import Inputs
from training.metrics.pos import part_of_speech
from training.metrics.sense_library import chinese
from training.metrics.senses import Senses, senses
from training.metrics.static import vectors_of


def sense_words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Senses of a word, classified at each layer, for each split of the words of the model's languages."""
    figures = []
    if "en" in model.languages:
        frozen = splits.read()
        for split, words in frozen.words.items():
            if words:
                figures += sense_figures(split, senses(model, words), frozen)
    if "zh" in model.languages:
        frozen = splits.read(splits.FILE_ZH, SENSES_ZH)
        for split, words in frozen.words.items():
            result = senses(model, words, chinese())
            figures += sense_figures(split, result, frozen, "zh_", "Chinese, ", "characters")
    return figures


def sense_figures(
    split: str,
    result: Senses,
    frozen: splits.Frozen,
    key: str = "",
    language: str = "",
    units: str = "words",
) -> list[Figure]:
    """Figures of one split: the word's vectors, and what the other words of the sentence give away."""
    layers, others = tuple(result.layers.tolist()), tuple(result.others.tolist())
    changed = f"; {len(frozen.changed)} words not as frozen" if frozen.changed else ""
    basis, label = (result.words, f"words, {result.sentences:,} sentences"), f"{language}{split}: "
    mean, bayes = f"the other {units}' mean, last layer", f"naive Bayes on the other {units}"
    chance = f"guessing: {100 * result.chance:.1f}"
    return [
        by_layer(f"senses_{key}{split}", f"{label}macro-F1, last layer", layers, *basis, more=changed),
        Figure(f"senses_others_{key}{split}", label + mean, others[-1], layers=others),
        Figure(f"senses_bayes_{key}{split}", label + bayes, result.naive_bayes, note=chance),
    ]


def by_layer(key: str, label: str, layers: tuple[float, ...], items: int, of: str, more: str = "") -> Figure:
    """Figure of the last layer, with all layers and the number of the best."""
    note = f"best: layer {layers.index(max(layers))}{more}"
    return Figure(key, label, layers[-1], items, of, layers=layers, note=note)


def tags(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Part of speech, classified at each layer."""
    result = part_of_speech(model, inputs.folder("ud_ewt"), inputs.limits["pos"])
    weights = "weights from layer 0: " + " ".join(f"{weight:.2f}" for weight in result.weights.tolist())
    label, layers = f"Penn tags ({result.tags}), last layer", tuple(result.layers.tolist())
    return [
        by_layer("pos", label, layers, result.words, "words"),
        Figure("pos_mix", "a learned mix of the layers", result.mix, note=weights),
        Figure("pos_by_word", "each word's most frequent tag", result.by_word),
    ]


def same_meaning(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Does a word mean the same in two sentences?"""
    pairs = wic.read_pairs(inputs.folder("wic"))[: inputs.limits["wic"]]
    result = wic.words_in_context(model, pairs)
    auc, accuracy = tuple(result.auc.tolist()), tuple(result.accuracy.tolist())
    cut, basis = f"{result.cut} past the context" if result.cut else "", (result.pairs, "pairs")
    area, right = "area under the curve, last layer", "accuracy, last layer (chance 50)"
    halves = "threshold from the other half"
    return [
        Figure("wic_auc", area, auc[-1], *basis, layers=auc, note=cut),
        Figure("wic_accuracy", right, accuracy[-1], *basis, layers=accuracy, note=halves),
    ]


def word_similarity(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Rank correlation with people's ratings of the similarity of two words."""
    lists = similarity.similarity(vectors_of(model), inputs.folder("wordsim"))
    mean, covered = similarity.mean_correlation(lists), sum(rated.covered for rated in lists.values())
    return [
        number("wordsim", "Spearman, mean over lists", mean, covered, "pairs"),
        *(
            number(f"wordsim/{name}", name, rated.correlation, rated.covered, f"of {rated.pairs:,} pairs")
            for name, rated in lists.items()
        ),
    ]


def word_analogies(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of analogies solved."""
    path = inputs.folder("wordsim") / "questions-words.txt"
    if not path.exists():
        raise NotFoundError("--dev has no wordsim/questions-words.txt")
    figures = []
    for name, section in analogies.analogies(vectors_of(model), path).items():
        key, of = "analogies" if name == "all" else f"analogies/{name}", f"of {section.questions:,} questions"
        figures.append(Figure(key, name, section.accuracy, section.covered, of))
    return figures


def induction_head(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Induction score of the best head."""
    result = induction.induction(model)
    layer, head = result.best
    return [number("induction", f"best head: L{layer}H{head}", result.score, result.texts, "random texts")]
