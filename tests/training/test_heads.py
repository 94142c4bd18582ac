"""The command that stores what heads do."""

import pytest

import explorer
from explorer.analysis import head_loss
from explorer.analysis.ablation import WAYS
from explorer.analysis.heads import storing
from explorer.analysis.relations import library
from explorer.training import heads


def test_a_report_is_written(tiny_bert, tmp_path, monkeypatch):
    monkeypatch.setattr(storing, "FOLDER", tmp_path / "heads")
    monkeypatch.setattr(head_loss, "FOLDER", tmp_path / "heads" / "alone")
    monkeypatch.setattr(storing, "library", lambda half: library(half)[:4])
    monkeypatch.setattr(head_loss, "sentences", lambda: ["We saw the river.", "The bank was old."])
    monkeypatch.setattr(explorer, "load", lambda name: tiny_bert)
    heads.main(["bert"])
    found = storing.stored("bert")
    assert found.model == "bert" and found.halves["written"].sentences == 4 and found.repeated is None
    alone = head_loss.stored("bert")
    assert set(alone) == set(WAYS) and alone["zero"].sentences == 2
    assert all(one.change.shape == found.halves["written"].behaviours["same"].shape for one in alone.values())


def test_only_bundled_models_with_attention(capsys):
    with pytest.raises(SystemExit):
        heads.main(["elmo"])
    assert "bert" in capsys.readouterr().err
