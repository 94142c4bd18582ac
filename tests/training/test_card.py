"""The bundled cards have the scores of their records, and the command writes both."""

import json
import shutil
from dataclasses import asdict

import pytest

import explorer
from explorer.assets import CHECKPOINTS, RECORD
from training import card
from training.metrics.figure import Figure

NAMES = sorted(path.parent.name for path in CHECKPOINTS.glob("*/training.json"))
RELABELLED = {"gpt": ("best head: L5H3", "best head: L6H4")}  # its card counts from 1, as screens do


def stored(folder):
    """The figures in a record."""
    return json.loads((folder / RECORD).read_text(encoding="utf-8"))["scores"]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_has_the_scores_of_its_record(name):
    text = (CHECKPOINTS / name / "card.md").read_text(encoding="utf-8")
    scores = stored(CHECKPOINTS / name)
    written = card.with_scores(text, scores)
    assert written.replace(*RELABELLED.get(name, ("", ""))) == text
    assert text.count("\n## Scores\n") == 1 and len(card.score_table(scores)) > 1000


@pytest.mark.weights
@pytest.mark.parametrize("name", ["bert", "bert-zh", "gpt"])
def test_a_card_has_the_guesses_of_its_model(name):
    text = (CHECKPOINTS / name / "card.md").read_text(encoding="utf-8")
    assert card.with_guesses(text, card.guesses(explorer.load(name))) == text
    assert text.index("## Guesses") < text.index("## What it is good at")


def test_measured_figures_reach_the_record_and_the_card(tmp_path, monkeypatch):
    shutil.copytree(CHECKPOINTS / "word2vec", tmp_path / "word2vec")
    monkeypatch.setattr(card, "CHECKPOINTS", tmp_path)
    figures = [
        {"measure": "analogies"} | asdict(Figure("analogies", "all", 0.5367, 127, "of 19,544 questions")),
        {"measure": "similarity"} | asdict(Figure("wordsim", "mean|all", 0.615, share=False, layers=(1, 2))),
        {"measure": "masked"} | asdict(Figure("masked", "skipped", None, note="does not fill blanks")),
    ]
    (tmp_path / "scores.json").write_text(json.dumps({"figures": figures}), encoding="utf-8")
    card.main(["word2vec", "--scores", str(tmp_path / "scores.json")])
    text = (tmp_path / "word2vec" / "card.md").read_text(encoding="utf-8")
    assert (
        "\n## Scores\n\n| measure | figure | on |\n|---|---|---|\n| analogies: all | 53.7 % | 127 of" in text
    )
    assert "| similarity: mean\\|all | 0.615 | by layer, from 0: 1.000  2.000 |\n\n## Beside" in text
    assert "skipped" not in text and stored(tmp_path / "word2vec")["figures"][1]["value"] == 0.615
