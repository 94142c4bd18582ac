"""The bundled cards: the scores of their records, and what their models guess."""

import json
import re

import pytest

import explorer
from explorer.analysis import prediction
from explorer.analysis.prediction.masking import MASK
from explorer.analysis.prediction.shannon import Spot, next_words
from explorer.assets import CHECKPOINTS, RECORD
from explorer.catalogue.manifest import manifests
from explorer.trace import Ability
from tests.sentence_lists import BEGINNINGS, CLASSROOM, CLASSROOM_ZH, read_halves

NAMES = sorted(path.parent.name for path in CHECKPOINTS.glob("*/training.json"))
POINT = 0.01


def card(name):
    return (CHECKPOINTS / name / "card.md").read_text(encoding="utf-8")


def figures(name):
    """The figures in the record of a training, by their keys."""
    record = json.loads((CHECKPOINTS / name / RECORD).read_text(encoding="utf-8"))
    return {each["key"]: each for each in record["scores"]["figures"] if each["value"] is not None}


@pytest.mark.parametrize("name", NAMES)
def test_a_card_has_the_scores_of_its_record_and_the_commit_that_measured_them(name):
    section = card(name).split("\n## Scores\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (?!measure|---)(.*?) \| (\S+) ?(%?) +\|", section.replace("\\|", "/"), flags=re.M)
    assert len(rows) == len(figures(name)) > 5
    for (label, number, percent), figure in zip(rows, figures(name).values(), strict=True):
        if "best head" not in label:  # the card counts heads from 1, as screens do
            assert label == f"{figure['measure']}: {figure['label']}".replace("|", "/")
        digits = len(number.partition(".")[2])
        assert f"{figure['value'] * (100 if percent else 1):.{digits}f}" == number.replace(",", "")
    assert re.search("^Measured in commit `[0-9a-f]{8}`.$", section, flags=re.M)


def guess(model, line):
    """The five likeliest words in the blank, or after the beginning."""
    if MASK in line.text:
        return [word.strip().lower() for word, _ in prediction.fill_mask(model, line.text, top=5)[0]]
    end = Spot(len(line.text) + 1, len(line.text) + 1, "", " ")
    return [each.token for each in next_words(model, f"{line.text} ", end, 5)]


GUESSING = [model.name for model in manifests().values() if "## Guesses" in card(model.name)]


@pytest.mark.long
@pytest.mark.weights
@pytest.mark.parametrize("name", [name for name in GUESSING if manifests()[name].is_available()])
def test_everyday_sentences_are_guessed_as_the_card_says(name):
    """The first right and wrong ones are those of its table, the shares within a point of its scores."""
    model = explorer.load(name)
    english = CLASSROOM if Ability.FILL in model.abilities else BEGINNINGS
    path = english if "en" in model.languages else CLASSROOM_ZH
    key = path.stem.replace("-", "_")
    for half, lines in read_halves(path).items():
        words = [guess(model, line) for line in lines]
        right = [[word.casefold() in line.accepted for word in row] for row, line in zip(words, lines)]
        if f"{key}_first_{half}" in (stated := figures(name) if name in NAMES else {}):
            for share, of in ((stated[f"{key}_first_{half}"], 1), (stated[f"{key}_five_{half}"], 5)):
                found = sum(any(row[:of]) for row in right) / len(right)
                assert found == pytest.approx(share["value"], abs=POINT), share["key"]
    texts = [line.text if MASK in line.text else f"{line.text} {MASK}" for line in lines]
    filled = [text.replace(MASK, f"**{row[0]}**") for text, row in zip(texts, words)]
    columns = [[text for text, row in zip(filled, right) if row[0] is truth][:5] for truth in (True, False)]
    rows = [f"| {first} | {second} |" for first, second in zip(*columns)]
    assert "\n".join(["| right | wrong |", "|---|---|", *rows, ""]) in card(name)
