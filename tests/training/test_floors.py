"""No bundled model gets worse unnoticed: each stays within a point of what it was when its weights landed.

The lists of sentences are held against the card; senses, minimal pairs, surprise, analogies and word
pairs, on samples of our own that take seconds, against `floors/floors.json`. After landing new weights look
at the differences, and write it anew:

    python -m tests.training.test_floors
"""

import json
from functools import cache
from pathlib import Path

import pytest

import explorer
from explorer import assets
from explorer.analysis.prediction.replacing import judge
from explorer.analysis.two_languages import retrieval
from explorer.assets import CHECKPOINTS
from explorer.catalogue.manifest import manifests
from explorer.finetuning import transfer
from explorer.models.language_model import LanguageModel
from tests.command import parser, size, store
from training import splits
from training.metrics import blanks
from training.metrics.both_ways import bits_per_byte, both_ways
from training.metrics.figure import Inputs, values
from training.metrics.minimal_pairs import minimal_pairs, read_pairs
from training.metrics.senses import Library, chinese, english, senses
from training.metrics.word_vectors import analogies, similarity, vectors_of
from training.text import Corpus

pytestmark = [pytest.mark.weights, pytest.mark.long]  # a minute and a half

FOLDER = Path(__file__).parent / "floors"
KEPT = FOLDER / "floors.json"
POINT = 0.01
TEXT = Corpus((FOLDER / "text.txt",))
WORDS = 4  # the first words of the library's dev half


def translations(model: LanguageModel) -> float:
    """The share of our own sentences that find their translation, at the best layer."""
    english, chinese = (transfer.vectors(model, side) for side in zip(*transfer.pairs(), strict=True))
    return float(retrieval.accuracy(english, chinese).max())


def suspected(model: LanguageModel) -> float:
    """The share of minimal pairs whose ungrammatical sentence looks more replaced than the other."""
    pairs = [pair for path in sorted((FOLDER / "pairs").glob("*.txt")) for pair in read_pairs(path)]

    def suspicion(text: str) -> float:
        return float(judge(model, model.encode(text), []).probabilities.mean())

    odd = [list(map(suspicion, pair)) for pair in pairs]
    return sum(bad > good for bad, good in odd) / len(pairs)


def sense_score(model: LanguageModel, words: list[str], library: Library) -> float:
    """Macro-F1 of the senses of some words at the best layer."""
    return max(senses(model, "dev", words, library, draws=5)[0].layers)


SAMPLES = {
    "senses": lambda model: sense_score(model, splits.read()["dev"][:WORDS], english()),
    "senses_zh": lambda model: sense_score(model, splits.read(splits.FILE_ZH)["dev"], chinese()),
    "pairs": lambda model: minimal_pairs(model, FOLDER / "pairs")[0].value,
    "bits_per_byte": lambda model: bits_per_byte(model, TEXT)[0].value,
    "bits_next": lambda model: both_ways(model, TEXT)[0].value,
    "suspected": suspected,
    "translations": translations,
    "analogies": lambda model: analogies(vectors_of(model), FOLDER / "analogies.txt")[0].value,
    "similarity": lambda model: similarity(vectors_of(model), FOLDER / "similarity")[0].value,
}
EVERYDAY = "everyday"  # held against the card, and not against floors.json
FLOORS = {
    model.name: [sample for sample in model.floors if sample != EVERYDAY] for model in manifests().values()
}
LOWER_IS_BETTER = ("bits_per_byte", "bits_next")


@cache
def stated(name: str) -> dict[str, float]:
    """The scores of a checkpoint's card."""
    figures = assets.data(CHECKPOINTS / name / assets.RECORD)["scores"]["figures"]
    return {figure["key"]: figure["value"] for figure in figures}


@pytest.mark.parametrize("name", [m.name for m in manifests().values() if EVERYDAY in m.floors])
def test_everyday_sentences_and_the_cloze_list_are_as_the_card_says(name):
    model, card = explorer.load(name), stated(name)
    scores = values([*blanks.classroom(model, Inputs()), *blanks.cloze(model, Inputs())])
    assert scores.keys() <= card.keys()
    for key, score in scores.items():
        if "repeats" in key:
            assert score <= card[key] + POINT, key
        else:
            assert score >= card[key] - POINT, key


@pytest.mark.parametrize(("name", "sample"), [(name, one) for name in FLOORS for one in FLOORS[name]])
def test_samples_stay_within_a_point(name, sample):
    floor = json.loads(KEPT.read_text(encoding="utf-8"))[name][sample]
    found = SAMPLES[sample](explorer.load(name))
    if sample in LOWER_IS_BETTER:
        assert found <= floor * (1 + POINT)
    else:
        assert found >= floor - POINT


if __name__ == "__main__":
    parser("tests.training.test_floors", __doc__).parse_args()
    measured = {
        name: {sample: round(SAMPLES[sample](explorer.load(name)), 4) for sample in samples}
        for name, samples in list(FLOORS.items())[: size(None, 1)]
        if samples
    }
    store(KEPT, json.dumps(measured, indent=2) + "\n")
