"""The command trains each run once, measures it, and goes on where it was left."""

import json

import pytest

from explorer.analysis import ablations
from training.ablations import __main__ as command
from training.run.loop import Run


@pytest.fixture
def small(monkeypatch, tiny):
    """Tiny networks, and heads that are not trained."""
    monkeypatch.setattr(command.MiniBert.__init__, "__defaults__", tiny)
    monkeypatch.setattr(command, "head_scores", lambda model, name, folder: [0.5, 0.25])


@pytest.mark.slow
def test_finished_runs_are_kept(text, tmp_path, small, monkeypatch):
    out = tmp_path / "ablations.json"
    said = ["--text", str(text), "--held-out", str(text), "--data", str(tmp_path), "--out", str(out)]
    said += ["--run", str(tmp_path / "run"), "--tokens", "200"]
    trained, train = [], Run.train

    def noted(run):
        trained.append(run.folder.name)
        train(run)

    monkeypatch.setattr(Run, "train", noted)
    command.main(said)
    assert trained == ["as-it-is", "without-next-sentence", "always-MASK", "left-to-right"]
    monkeypatch.setattr(ablations, "FILE", out)
    found = ablations.stored()
    assert list(found.rows) == list(ablations.EVERY) and found.tokens == 200
    assert found.rows[ablations.WHOLE].heads["slots"] == [0.5, 0.25]
    assert not found.rows[ablations.RANDOM].pretraining

    rows = json.loads(out.read_text())
    del rows["rows"][ablations.LEFT_TO_RIGHT]
    out.write_text(json.dumps(rows))
    command.main(said)
    assert trained[4:] == ["left-to-right"] and ablations.stored() == found

    with pytest.raises(SystemExit):
        command.main([*said[:-1], "400"])
    assert ablations.stored() == found
