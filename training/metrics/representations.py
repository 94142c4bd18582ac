"""Figures on a model's vectors and heads: senses, parts of speech, similarity, analogies, induction."""

from explorer.analysis.heads import induction
from explorer.assets import SENSES_ZH
from explorer.errors import NotFoundError
from explorer.models.language_model import LanguageModel
from training import splits
from training.metrics import analogies, similarity, wic
from training.metrics.figure import Figure
from training.metrics.inputs import Inputs
from training.metrics.pos import part_of_speech
from training.metrics.sense_library import chinese
from training.metrics.senses import Senses, senses
from training.metrics.static import vectors_of


def sense_words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Senses of a word, told from each layer, for each split of the words of its languages."""
    figures = []
    if "en" in model.languages:
        frozen = splits.read()
        for split, words in frozen.words.items():
            if words:
                figures += _sense_figures(split, senses(model, words), frozen)
    if "zh" in model.languages:
        frozen = splits.read(splits.FILE_ZH, SENSES_ZH)
        for split, words in frozen.words.items():
            found = senses(model, words, chinese())
            figures += _sense_figures(split, found, frozen, "zh_", "Chinese, ", "characters")
    return figures


def _sense_figures(
    split: str,
    found: Senses,
    frozen: splits.Frozen,
    key: str = "",
    language: str = "",
    others_are: str = "words",
) -> list[Figure]:
    layers, others = found.layers.tolist(), found.others.tolist()
    best = layers.index(max(layers))
    changed = f"; {len(frozen.changed)} words not as frozen" if frozen.changed else ""
    said = f"best: layer {best}{changed}"
    of = f"words, {found.sentences:,} sentences"
    return [
        Figure(
            f"senses_{key}{split}",
            f"{language}{split}: macro-F1, last layer",
            layers[-1],
            found.words,
            of,
            layers=tuple(layers),
            note=said,
        ),
        Figure(
            f"senses_others_{key}{split}",
            f"{language}{split}: the other {others_are}' mean, last layer",
            others[-1],
            layers=tuple(others),
        ),
        Figure(
            f"senses_bayes_{key}{split}",
            f"{language}{split}: naive Bayes on the other {others_are}",
            found.naive_bayes,
            note=f"guessing: {100 * found.chance:.1f}",
        ),
    ]


def tags(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Part of speech, told from each layer."""
    found = part_of_speech(model, inputs.folder("ud_ewt"), inputs.limits["pos"])
    layers = found.layers.tolist()
    best = layers.index(max(layers))
    weights = " ".join(f"{weight:.2f}" for weight in found.weights.tolist())
    return [
        Figure(
            "pos",
            f"Penn tags ({found.tags}), last layer",
            layers[-1],
            found.words,
            "words",
            layers=tuple(layers),
            note=f"best: layer {best}",
        ),
        Figure("pos_mix", "a learned mix of the layers", found.mix, note=f"weights from layer 0: {weights}"),
        Figure("pos_by_word", "each word's most frequent tag", found.by_word),
    ]


def same_meaning(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Whether a word means the same in two sentences."""
    pairs = wic.read_pairs(inputs.folder("wic"))[: inputs.limits["wic"]]
    found = wic.words_in_context(model, pairs)
    auc, accuracy = found.auc.tolist(), found.accuracy.tolist()
    cut = f"{found.cut} past the context" if found.cut else ""
    halves = "threshold from the other half"
    return [
        Figure(
            "wic_auc",
            "area under the curve, last layer",
            auc[-1],
            found.pairs,
            "pairs",
            layers=tuple(auc),
            note=cut,
        ),
        Figure(
            "wic_accuracy",
            "accuracy, last layer (chance 50)",
            accuracy[-1],
            found.pairs,
            "pairs",
            layers=tuple(accuracy),
            note=halves,
        ),
    ]


def word_similarity(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Rank correlation with how like people find two words."""
    lists = similarity.similarity(vectors_of(model), inputs.folder("wordsim"))
    mean, covered = similarity.mean_correlation(lists), sum(r.covered for r in lists.values())
    return [
        Figure("wordsim", "Spearman, mean over lists", mean, covered, "pairs", share=False),
        *(
            Figure(f"wordsim/{name}", name, r.correlation, r.covered, f"of {r.pairs:,} pairs", share=False)
            for name, r in lists.items()
        ),
    ]


def word_analogies(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """The share of analogies solved."""
    path = inputs.folder("wordsim") / "questions-words.txt"
    if not path.exists():
        raise NotFoundError("--dev has no wordsim/questions-words.txt")
    sections = analogies.analogies(vectors_of(model), path)
    return [
        Figure(
            "analogies" if name == "all" else f"analogies/{name}",
            name,
            s.accuracy,
            s.covered,
            f"of {s.questions:,} questions",
        )
        for name, s in sections.items()
    ]


def induction_head(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """The best head's induction score."""
    found = induction.induction(model)
    layer, head = found.best
    return [
        Figure(
            "induction", f"best head: L{layer}H{head}", found.score, found.texts, "random texts", share=False
        )
    ]
