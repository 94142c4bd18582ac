"""What belongs to a checkpoint’s weights is made anew: all of it, once for each weights; failures again."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.assets import CHECKPOINTS, FINETUNING
from training import landing
from training.landing import Landing, Places, Step, fingerprint, steps

AT = Places(*(Path("/somewhere") / name for name in ("held-out.txt", "dev", "data", "work")))
# A module with arguments that adds a line to a file, and one that fails while a file is missing.
APPEND = "import sys; open(sys.argv[1], 'a').write('once\\n')"
NEEDS = "import sys; open(sys.argv[1])"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Makes a landing in a folder whose modules are two little ones."""
    for name, code in {"append": APPEND, "needs": NEEDS}.items():
        (tmp_path / f"landing_toy_{name}.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def make(steps, weights="a"):
        return Landing(steps, tmp_path / "work", weights)

    return make


def names(steps):
    return [step.name for step in steps]


def test_a_step_is_done_once_for_the_same_weights_and_again_for_others(toy, tmp_path):
    file = tmp_path / "lines"
    step = Step("one line", [["landing_toy_append", str(file)]])
    for weights, lines in (("a", 1), ("a", 1), ("b", 2), ("b", 2)):
        assert toy([step], weights).run() == []
        assert len(file.read_text().splitlines()) == lines
        assert toy([step], weights).left() == []


def test_what_failed_is_told_and_tried_again_while_the_others_end(toy, tmp_path, capsys):
    wanted, file = tmp_path / "wanted", tmp_path / "lines"
    some = [
        Step("needs it", [["landing_toy_needs", str(wanted)], ["landing_toy_append", str(file)]]),
        Step("does not", [["landing_toy_append", str(file)]]),
    ]
    assert names(toy(some).run()) == ["needs it"] == names(toy(some).left())
    log = tmp_path / "work" / "needs-it.log"
    assert f"needs it failed: {log} says why" in capsys.readouterr().out
    assert "FileNotFoundError" in log.read_text()
    wanted.touch()
    assert toy(some).run() == []
    assert file.read_text() == "once\nonce\n"


def test_files_of_other_weights_go_when_a_step_begins_and_stay_when_it_goes_on(toy, tmp_path):
    file, folder, wanted = tmp_path / "cells.json", tmp_path / "probes", tmp_path / "wanted"
    step = Step("needs it", [["landing_toy_needs", str(wanted)]], [file, folder])

    def leave():
        folder.mkdir(exist_ok=True)
        for path in (file, folder / "states"):
            path.write_text("of a first try")

    leave()
    assert toy([step]).run() == [step] and not file.exists() and not folder.exists()
    leave()
    assert toy([step]).run() == [step] and file.exists() and (folder / "states").exists()
    assert toy([step], "b").run() == [step] and not file.exists() and not folder.exists()


def test_bert_carries_every_head_and_every_curve_that_ships():
    found = names(steps("bert", AT))
    assert len(set(found)) == len(found)
    assert {"scores", "heads", "probes", "stored", "alone", "choices"} < set(found)
    for what, folder, kind in (("ready", "heads", "safetensors"), ("curves", "curves", "json")):
        shipped = {f"{what} {path.stem}" for path in (FINETUNING / folder).glob(f"*.{kind}")}
        assert shipped == {name for name in found if name.startswith(what)}


@pytest.mark.parametrize("name", [path.parent.name for path in sorted(CHECKPOINTS.glob("*/config.json"))])
def test_every_bundled_model_has_steps_whose_modules_are_there(name):
    found = steps(name, AT)
    assert "scores" in names(found)
    for step in found:
        for module, *arguments in step.commands:
            assert importlib.util.find_spec(module), module
            assert all(arguments), "no argument is empty"


def test_a_translator_is_measured_with_the_pairs_that_it_learnt_from():
    given = steps("translator", replace(AT, pairs=Path("/pairs.txt")))
    scores = next(step for step in given if step.name == "scores")
    assert "--pairs /pairs.txt" in " ".join(scores.commands[0])


def test_other_weights_have_another_fingerprint():
    found = [fingerprint(path.parent) for path in CHECKPOINTS.glob("*/config.json")]
    assert len(set(found)) == len(found) > 2 and all(len(one) == 16 for one in found)


def test_it_says_what_is_left(tmp_path, capsys):
    given = [f"--{name}={tmp_path / name}" for name in ("held-out", "dev", "data", "work")]
    assert landing.main(["word2vec", *given, "--list"]) == 0
    assert capsys.readouterr().out.split() == ["probes", "scores"]
