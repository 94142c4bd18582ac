"""The command that makes the probes: on a handful of sentences, stopped, resumed and written."""

import pytest

import explorer
from explorer import assets
from explorer.analysis.probing import own_sentences, shipped
from explorer.errors import TextError
from training.probes import __main__ as command
from training.probes import data, fitting
from training.probes.fitting import neighbours
from training.probes.tasks import task


@pytest.fixture
def sources(tmp_path):
    """A treebank of our own dozen, and two documents with names."""
    text = assets.text(assets.PROBES / "sentences.conllu")
    (tmp_path / "own-train.conllu").write_text(text)
    (tmp_path / "own-test.conllu").write_text(text)
    document = "Ada I-PER\nlives O\nin O\nEly I-LOC\n. O\n\n-DOCSTART- O\n"
    (tmp_path / "names.txt").write_text(document * 4)
    return [
        "--treebank",
        str(tmp_path),
        "--names",
        str(tmp_path / "names.txt"),
        "--work",
        str(tmp_path / "work"),
    ]


@pytest.mark.slow
def test_it_stops_goes_on_and_writes_what_the_app_reads(sources, tmp_path, monkeypatch):
    model = explorer.load("elmo")
    monkeypatch.setattr(explorer, "load", lambda name: model)
    fits, fit = [], fitting.fit_probe

    def stopped(*arguments):
        fits.append(arguments)
        if len(fits) == 3:
            raise KeyboardInterrupt
        return fit(*arguments)

    monkeypatch.setattr(fitting, "fit_probe", stopped)
    with pytest.raises(KeyboardInterrupt):
        command.main([*sources, "--models", "elmo"], tmp_path / "probes")
    monkeypatch.setattr(fitting, "fit_probe", fit)
    assert not (tmp_path / "probes/figures.json").exists(), "nothing is written of a model that is not done"
    first = (tmp_path / "work/done/elmo/0/tag/linear.json").stat().st_mtime_ns
    command.main([*sources, "--models", "elmo"], tmp_path / "probes")
    assert (tmp_path / "work/done/elmo/0/tag/linear.json").stat().st_mtime_ns == first
    assert shipped.probes("elmo", tmp_path / "probes").depth == 3
    found = shipped.figures(tmp_path / "probes")["models"]["elmo"]
    assert set(found["tag"]) == {
        "linear",
        "linear-control",
        "mlp",
        "mlp-control",
        "mlp-seeds",
        "mix",
        "shares",
    }
    seeds = found["tag"]["mlp-seeds"]
    assert [len(layer) for layer in seeds] == [3, 3, 3] and [one for one, *_ in seeds] == found["tag"]["mlp"]
    assert sorted(map(int, found["arcs"])) == [1, 4, 16, 32, 64]
    assert sum(found["relation"]["shares"]) == pytest.approx(1, abs=1e-3)


def test_a_folder_without_a_treebank_is_refused(tmp_path):
    with pytest.raises(TextError, match="0 files with train"):
        data.treebank(tmp_path)


def test_documents_are_never_parted():
    own = own_sentences()
    drawn = data._draw(own, most=40, seed=1)
    assert drawn == data._draw(own, most=40, seed=1) and 30 < drawn.words <= 40


def test_baselines_are_those_of_labels_alone():
    part = data.Portion(own_sentences())
    tags = task("tag", {"treebank": {"train": part, "test": part}})
    assert 0.1 < tags.majority() < tags.by_word() <= 1
    assert tags.by_word(control=True) == 1, "a control label can be learnt by heart as a whole"
    assert 0.3 < neighbours(part) < 0.7
