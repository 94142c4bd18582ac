"""`python -m explorer.corpus embed`: what it says, and how it ends."""

import importlib.util

import pytest

from explorer.corpus.__main__ import main
from explorer.corpus.vectors.reader import Corpus


@pytest.fixture
def arguments(wanted, bert_folder, tmp_path):
    """arguments("--plain") -> those of the command, for a folder v."""
    model, out = f"folder:{bert_folder}", str(tmp_path / "v")
    return lambda *more: ["embed", wanted.texts, "--model", model, "--out", out, "--words", "bank", *more]


def test_without_ray_it_says_what_to_install(arguments, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r'Ray is not installed\.\nInstall it: pip install "ray'):
        main(arguments())


def test_it_says_how_far_it_is_and_what_it_found(arguments, tmp_path, capsys):
    main(arguments("--plain"))
    said = capsys.readouterr().out
    assert "1 of 1 files" in said and "bank: 100 occurrences\nComplete: " in said
    assert Corpus.open(tmp_path / "v").total("bank") == 100


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--processes", "0"], "processes is 0"),
        (["--encoding", "cp1252", "--words", "steam"], "“steam” does not occur in .*\nChoose another word"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_what_to_do(arguments, tmp_path, more, said):
    with pytest.raises(SystemExit, match=said):
        main(arguments("--plain", *more))
    assert not (tmp_path / "v").exists()
