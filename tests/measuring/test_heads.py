"""The command that stores what heads do."""

import pytest

import explorer
from explorer.analysis.heads import loss, pronouns, storing
from explorer.analysis.heads.ablation import METHODS
from explorer.analysis.heads.relations import library
from measuring import heads


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Four sentences of each half, and a folder of one's own for what is stored."""
    monkeypatch.setattr(storing, "FOLDER", tmp_path / "heads")
    monkeypatch.setattr(loss, "FOLDER", tmp_path / "heads" / "alone")
    monkeypatch.setattr(pronouns, "FOLDER", tmp_path / "heads" / "pronouns")
    monkeypatch.setattr(storing, "library", lambda half: library(half)[:4])


def test_a_report_is_written(tiny_bert, small, monkeypatch):
    monkeypatch.setattr(loss, "sentences", lambda languages: ["We saw the river.", "The bank was old."])
    monkeypatch.setattr(explorer, "load", lambda name: tiny_bert)
    heads.main(["bert"])
    assert '"sentences": 60' in (pronouns.FOLDER / "bert.json").read_text()
    found = storing.stored("bert")
    assert found.model == "bert" and found.halves["written"].sentences == 4 and found.repeated is None
    alone = loss.stored("bert")
    assert set(alone) == set(METHODS) and alone["zero"].sentences == 2
    assert all(one.change.shape == found.halves["written"].behaviours["same"].shape for one in alone.values())


def test_of_a_model_that_guesses_no_words_only_what_its_heads_look_at_is_stored(
    tiny_marian, small, monkeypatch
):
    monkeypatch.setattr(explorer, "load", lambda name: tiny_marian)
    heads.main(["bert"])
    assert storing.stored("bert").halves["written"].sentences == 4
    assert not (loss.FOLDER / "bert.json").exists()


def test_only_bundled_models_with_attention(capsys):
    with pytest.raises(SystemExit):
        heads.main(["elmo"])
    assert "bert" in capsys.readouterr().err
