"""The command that makes the probes: on a handful of sentences."""

import pytest

from explorer import assets
from explorer.analysis.probing import own_sentences, shipped
from explorer.errors import TextError
from measuring.probes import __main__ as command
from measuring.probes import tasks
from measuring.probes.fitting import neighbours


@pytest.mark.long
@pytest.mark.slow
def test_it_writes_what_the_app_reads(tmp_path, monkeypatch):
    """On a treebank of our own dozen, and on documents with names."""
    text = assets.text(assets.PROBES / "sentences.conllu")
    (tmp_path / "own-train.conllu").write_text(text)
    (tmp_path / "own-test.conllu").write_text(text)
    document = "Ada I-PER\nlives O\nin O\nEly I-LOC\n. O\n\n-DOCSTART- O\n"
    (tmp_path / "names.txt").write_text(document * 4)
    files = ["--treebank", str(tmp_path), "--names", str(tmp_path / "names.txt")]
    command.main([*files, "--work", str(tmp_path / "probes"), "--models", "elmo"])
    assert shipped.probes("elmo", tmp_path / "probes").depth == 3
    found = shipped.figures(tmp_path / "probes")["models"]["elmo"]
    kinds = {"linear", "linear-control", "mlp", "mlp-control", "mlp-seeds", "mix", "shares"}
    assert set(found["tag"]) == kinds
    seeds = found["tag"]["mlp-seeds"]
    assert [len(layer) for layer in seeds] == [3, 3, 3] and [one for one, *_ in seeds] == found["tag"]["mlp"]
    assert sorted(map(int, found["arcs"])) == [1, 4, 16, 32, 64]
    assert sum(found["relation"]["shares"]) == pytest.approx(1, abs=1e-3)


def test_a_folder_without_a_treebank_is_refused(tmp_path):
    with pytest.raises(TextError, match="0 files with train"):
        tasks.treebank(tmp_path)


def test_whole_sentences_are_drawn():
    own = own_sentences()
    drawn = tasks.draw(own, most=40, seed=1)
    assert drawn == tasks.draw(own, most=40, seed=1) and 30 < sum(map(len, drawn)) <= 40


def test_baselines_are_those_of_labels_alone():
    part = own_sentences()
    tags = tasks.task("tag", {"treebank": {"train": part, "test": part}})
    assert 0.1 < tags.majority() < tags.by_word() <= 1
    assert tags.by_word(control=True) == 1, "a control label can be learnt by heart as a whole"
    assert 0.3 < neighbours(part) < 0.7
